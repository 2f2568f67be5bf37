"""What a part of the benchmark is given."""

from dataclasses import dataclass
from pathlib import Path

from tests.openai_server import OpenAIServer


@dataclass(frozen=True, slots=True)
class Scene:
    """A provider that does as it is told, a folder that goes away, and conversations in
    LoCoMo's format if there are any."""

    server: OpenAIServer
    folder: Path
    dialogues: Path | None
