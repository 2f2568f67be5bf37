"""What Meddie asks of a model, and who answers. Embeddings are chosen apart from it."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from meddie.ai.client import Endpoint
from meddie.ai.events import ChatMessage, ChatRequest, Events, ImageDescription
from meddie.ai.offline import Offline
from meddie.ai.openai import OpenAI

S = TypeVar("S", bound=BaseModel)


class Provider(Protocol):
    """Everything raises AIError: Unsupported for what a provider cannot do.

    What is not streamed is a background call: it has its own time limits, and raises
    GaveWay if it should be made later.
    """

    @property
    def name(self) -> str:
        """Of the answering model, for people."""

    @property
    def connected(self) -> bool:
        """Whether there is a model; pages say if not."""

    @property
    def sees_pictures(self) -> bool:
        """Whether the pictures of a message are sent with it."""

    @property
    def reads_files(self) -> bool:
        """Whether `describe` and `transcribe` are supported."""

    @property
    def hears(self) -> bool:
        """Whether there is a model for `transcribe`."""

    def stream(self, request: ChatRequest) -> Events:
        """Stream the answer, and one Usage at its end.

        A failed attempt is repeated only before the first event. Close the generator
        (`contextlib.aclosing`) to hang up early.
        """

    async def complete(
        self, messages: Sequence[ChatMessage], *, name: str, max_tokens: int
    ) -> str:
        """One short text of the fast model; `name` says what for."""

    async def ask(
        self,
        schema: type[S],
        messages: Sequence[ChatMessage],
        *,
        name: str,
        max_tokens: int = 1000,
        model: str | None = None,
    ) -> S:
        """An object, by default of the fast model. Raises Unparseable."""

    async def describe(self, jpeg: bytes, instruction: str) -> ImageDescription: ...

    async def transcribe(self, name: str, recording: bytes) -> str:
        """In the language that is heard. The name's suffix tells the type.

        Raises UnknownSound, RecordingTooLarge before anything is sent.
        """

    async def models(self) -> list[Any]:
        """Of the provider's own list; never raises AIError."""


def current_provider() -> Provider:
    return OpenAI() if Endpoint.for_chat().key else Offline()


def extraction_provider() -> Provider:
    """Of facts from messages, which may be another than that of the chat (S3-66)."""
    endpoint = Endpoint.for_extraction()
    return OpenAI(endpoint) if endpoint.key else Offline()
