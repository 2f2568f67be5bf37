"""Update stories: what a user says over time, and which memories should remain."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

STORIES = Path(__file__).parent / "stories.jsonl"
HELD_OUT = Path(__file__).parent / "stories_held_out.jsonl"
"""For measuring: not tuned on, but for seven that benchmarks/capture.md names."""
EARLIEST_YEAR = 1900


class InvalidStories(Exception):
    """The file of stories cannot be used."""


def _in_utc(at: datetime) -> datetime:
    if at.year < EARLIEST_YEAR:
        raise ValueError(f"the year is before {EARLIEST_YEAR}")
    return at.replace(tzinfo=at.tzinfo or UTC)


class ProposedFact(BaseModel):
    """A fact in the answer of the extractor; in the file its text is enough."""

    text: str
    kind: str = "other"
    confidence: float = 0.9
    evidence: str = ""
    mode: str = "stated"
    about: str = ""


def _of_text(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


Proposed = Annotated[ProposedFact, BeforeValidator(_of_text)]


class PairVerdict(BaseModel):
    """The resolver's answer for a new and an old fact."""

    new: str
    old: str
    verdict: Literal["replace", "refine", "ignore", "add"]


class StoryStep(BaseModel):
    """A message, what is extracted from it, and what it asks to forget."""

    at: Annotated[datetime, AfterValidator(_in_utc)]
    said: str = ""
    facts: list[Proposed] = []
    poison: list[Proposed] = []
    resolve: list[PairVerdict] = []
    forget: list[str] = []


class ExpectedMemory(BaseModel):
    """Texts by the state of their row. `never` may be in no memory table."""

    active: list[str] = []
    superseded: list[str] = []
    retracted: list[str] = []
    never: list[str] = []


class Story(BaseModel):
    """`covers` names what the story is about."""

    id: str = Field(coerce_numbers_to_str=True)
    lang: str = ""
    covers: list[str] = []
    steps: list[StoryStep] = Field(min_length=1)
    expect: ExpectedMemory


def read_stories(path: Path) -> list[Story]:
    """Raises InvalidStories, with the number of the first wrong line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidStories(f"The file cannot be read: {error}") from error
    stories: dict[str, Story] = {}
    for number, line in _numbered(lines):
        story = _story(number, line)
        if story.id in stories:
            raise InvalidStories(f"Line {number} has the id of another: {story.id}")
        stories[story.id] = story
    if not stories:
        raise InvalidStories("The file has no story.")
    return list(stories.values())


def _numbered(lines: list[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _story(number: int, line: str) -> Story:
    try:
        return Story.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        problem = f"{where}: {first['msg']}" if where else first["msg"]
        message = f"Line {number} is not a story: {problem}"
        raise InvalidStories(message) from error
