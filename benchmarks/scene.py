"""The surroundings of a benchmark."""

from dataclasses import dataclass
from pathlib import Path

from tests.openai_server import OpenAIServer


@dataclass(frozen=True, slots=True)
class Scene:
    """A scripted provider, a temporary folder and an optional file in LoCoMo's format."""

    server: OpenAIServer
    folder: Path
    dialogues: Path | None
