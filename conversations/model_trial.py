"""Try the configured models: what works, how fast, and what Meddie does because of it."""

import asyncio
import io
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from PIL import Image

from conversations import prompts
from conversations.models import ChatModel
from conversations.reply.block.keys import MEMORY_SAVES
from conversations.reply.block.reader import BlockReader
from conversations.reply.prompt import context
from meddie.ai import embeddings
from meddie.ai.client import Endpoint
from meddie.ai.configured import Entered, configured
from meddie.ai.errors import AIError, CutOff, Filtered, GaveWay, TimedOut
from meddie.ai.events import Basis, ChatMessage, ChatRequest, Delta, Usage
from meddie.ai.openai import OpenAI
from meddie.ai.provider import current_provider
from meddie.ai.slots import is_own
from meddie.ai.structured import repaired
from meddie.ai.tokens import estimate
from meddie.threads import run_coroutine
from memory import service

STATEMENT = "I am allergic to penicillin."
WITHIN = 180.0  # seconds for one step
ANSWERS_WITHIN, FIRST_WORDS = 60.0, 16  # seconds, tokens
WORKS, REPAIRED, FAILS = "works", "repaired", "no"
OUTCOMES = {
    WORKS: _("works"),
    REPAIRED: _("works by repair"),
    FAILS: _("does not work"),
}
STEP_NAMES = {
    "greeting": _("A greeting"),
    "block": _("A statement, noted down in the reply"),
    "extraction": _("Facts from a message, as an object"),
    "embedding": _("A vector"),
    "picture": _("A picture"),
}
CONSEQUENCES = {
    ("greeting", FAILS): _("Replies fail until the provider answers."),
    ("block", WORKS): _("Replies note facts down themselves."),
    ("block", REPAIRED): _(
        "Replies note facts down; what is cut off of a block is lost."
    ),
    ("block", FAILS): _("Facts are extracted from messages in the background."),
    ("extraction", FAILS): _(
        "With a server of your own, statements are kept in the user's words; else "
        "nothing is extracted."
    ),
    ("embedding", FAILS): _("Memory is searched by words alone."),
    ("picture", FAILS): _("Pictures are kept and shown, but not described."),
}


@dataclass(frozen=True, slots=True)
class Step:
    """`first_word` in seconds after the request, `rate` in tokens a second after it.

    `accepted` of the `proposed` facts pass the guards.
    """

    name: str
    outcome: str
    error: str = ""
    first_word: float | None = None
    rate: float | None = None
    proposed: int = 0
    accepted: int = 0

    @property
    def label(self) -> Any:
        return STEP_NAMES[self.name]

    @property
    def said(self) -> Any:
        return OUTCOMES[self.outcome]

    @property
    def consequence(self) -> Any:
        return CONSEQUENCES.get((self.name, self.outcome), "")


def try_model() -> Iterator[Step]:
    """Try one thing after another, and keep the result in the end."""
    steps = []
    for name, run in TRIAL_STEPS.items():
        step = _tried(name, run)
        steps.append(step)
        yield step
    kept = [asdict(step) for step in steps]
    ChatModel.objects.keep_trial(configured().chat_model, kept, timezone.now())


def _tried(name: str, run: Callable[[], Step]) -> Step:
    """A reply that is written meanwhile goes first; then the step is tried again."""
    until = time.monotonic() + WITHIN
    while True:
        try:
            return run()
        except (AIError, TimeoutError) as error:
            if not isinstance(error, GaveWay) or time.monotonic() > until:
                return Step(name, FAILS, getattr(error, "code", "timed_out"))


async def first_answer(entered: Entered) -> None:
    """Ask a provider that is not configured yet for a word. Raises AIError."""
    hello: list[ChatMessage] = [{"role": "user", "content": "Hello"}]
    asked = OpenAI(Endpoint(entered.base_url, entered.key)).complete(
        hello, name="trial", max_tokens=FIRST_WORDS, model=entered.model
    )
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            await asked
    except TimeoutError as error:
        raise TimedOut from error
    except (CutOff, Filtered):
        pass  # it answers


def last_trial() -> tuple[ChatModel | None, list[Step]]:
    """The model that answers, if it was seen, and how its last trial went."""
    model = ChatModel.objects.filter(name=configured().chat_model).first()
    return model, [Step(**step) for step in model.trial] if model else []


def _greeting() -> Step:
    hello: list[ChatMessage] = [{"role": "user", "content": "Hello"}]
    basis = Basis(manner="greeting", asks=False, begins=False)
    text, step = _streamed("greeting", ChatRequest(hello, basis=basis))
    return step if text.strip() else replace(step, outcome=FAILS)


def _block() -> Step:
    said = [context.HistoryLine("user", STATEMENT)]
    own = is_own(configured().base_url)
    brief = context.Brief(said, timezone.now(), short=own)
    messages = context.build(brief, settings.PROMPT_TOKENS).messages
    basis = Basis(asks=False, lasting=[STATEMENT], keeps=True, block=True)
    text, step = _streamed("block", ChatRequest(messages, basis=basis))
    reader = BlockReader()
    reader.feed(text)
    reader.close()
    if not reader.block[MEMORY_SAVES]:
        return replace(step, outcome=FAILS)
    return replace(step, outcome=REPAIRED if reader.block.unreadable else WORKS)


def _extraction() -> Step:
    repaired.clear()
    found = [refused for _fact, refused in service.extract(STATEMENT)]
    reasons = ", ".join(sorted({reason for reason in found if reason}))
    accepted = found.count(None)
    step = Step("extraction", FAILS, reasons or "no fact")
    if accepted:
        step = Step("extraction", REPAIRED if repaired else WORKS)
    return replace(step, proposed=len(found), accepted=accepted)


def _embedding() -> Step:
    embeddings.current_embedder().embed([STATEMENT])
    return Step("embedding", WORKS)


def _picture() -> Step:
    picture = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(picture, "JPEG")
    asking = current_provider().describe(picture.getvalue(), prompts.picture("en"))
    run_coroutine(asking, WITHIN)
    return Step("picture", WORKS)


def _streamed(name: str, request: ChatRequest) -> tuple[str, Step]:
    return run_coroutine(_stream(name, request), WITHIN)


async def _stream(name: str, request: ChatRequest) -> tuple[str, Step]:
    began, first, text, tokens = time.monotonic(), None, "", 0
    async with aclosing(current_provider().stream(request)) as events:
        async for event in events:
            if isinstance(event, Delta):
                first = first or time.monotonic()
                text += event.text
            elif isinstance(event, Usage):
                tokens = event.tokens_out
    if first is None:
        return text, Step(name, WORKS)
    took = max(time.monotonic() - first, 0.001)
    rate = (tokens or estimate(text)) / took
    return text, Step(name, WORKS, "", round(first - began, 2), round(rate, 1))


TRIAL_STEPS: dict[str, Callable[[], Step]] = {
    "greeting": _greeting,
    "block": _block,
    "extraction": _extraction,
    "embedding": _embedding,
    "picture": _picture,
}
