"""Conversations in LoCoMo's format, as units to store and questions to ask. Pure."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, TypeVar

T = TypeVar("T")
UnitKind = Literal["turn", "observation", "summary"]
DIALOGUE_ID = re.compile(r"D(\d+):(\d+)")
WORD = re.compile(r"\w+")
SESSION = re.compile(r"session_(\d+)")
# One in so many questions about other conversations is asked.
EVERY = 4
DATE = "%I:%M %p on %d %B, %Y"


class InvalidData(Exception):
    """The file is not in LoCoMo's format."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A text to store, and the turns it covers."""

    text: str
    covers: frozenset[str]
    stated_at: datetime
    speaker: str = ""
    session: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sample:
    """One user's store, and questions about it."""

    units: tuple[Unit, ...]
    questions: tuple[Question, ...]
    speakers: tuple[str, ...] = ()
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What one of the two said, with their name before it."""

    text: str
    covers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two lines; who speaks first in a session is its user. The last can lack a reply."""

    said: Spoken
    reply: Spoken | None
    session: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole conversation, and questions about it."""

    conversation: str
    exchanges: tuple[Exchange, ...]
    questions: tuple[Question, ...]


def foreign(samples: Sequence[Sample], sample: Sample) -> list[Question]:
    return [
        question
        for other in samples
        if other.conversation != sample.conversation
        for question in other.questions[::EVERY]
    ]


def load_samples(path: Path, kind: UnitKind) -> list[Sample]:
    """Read a file. Raises InvalidData."""
    return _read(path, lambda item: [_sample(item, kind)])


def load_speakers(path: Path) -> list[tuple[str, Sample]]:
    """Each speaker's own facts and questions. Raises InvalidData."""
    return _read(path, lambda item: list(_speakers(item)))


def load_transcripts(path: Path) -> list[Transcript]:
    """Read a file, a line a minute in each session. Raises InvalidData."""
    return _read(path, lambda item: [_transcript(item)])


def _read(path: Path, parse: Callable[[Mapping[str, Any]], list[T]]) -> list[T]:
    try:
        data = json.loads(path.read_text())
        return [one for item in data for one in parse(item)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidData(f"{path}: {error!r}") from error


def dialogue_ids(value: object) -> list[str]:
    """Every well-formed id in a string or a list of strings: "D8:6; D9:17", "D30:05"."""
    texts = value if isinstance(value, list) else [value]
    return [
        f"D{int(session)}:{int(turn)}"
        for text in texts
        for session, turn in DIALOGUE_ID.findall(str(text))
    ]


def _sample(item: Mapping[str, Any], kind: UnitKind) -> Sample:
    sessions = dict(_sessions(item["conversation"]))
    there = {turn for turns in sessions.values() for turn in _ids(turns)}
    units = {"turn": _turns, "observation": _observations, "summary": _summaries}
    stored = tuple(units[kind](item, sessions))
    speakers = tuple(sorted({unit.speaker for unit in stored} - {""}))
    questions = tuple(_questions(item["qa"], there))
    return Sample(stored, questions, speakers, _name(item))


def _speakers(item: Mapping[str, Any]) -> Iterator[tuple[str, Sample]]:
    sessions = dict(_sessions(item["conversation"]))
    everything = _sample(item, "observation").questions
    names = {turn["speaker"] for turns in sessions.values() for turn in turns}
    for name in sorted(names):
        units = tuple(_observations(item, sessions, {name}))
        questions = (q for q in everything if _named(q.text, names) == {name})
        yield name, Sample(units, tuple(questions), conversation=_name(item))


def _named(text: str, names: Collection[str]) -> set[str]:
    words = set(WORD.findall(text))
    return {name for name in names if name in words}


def _name(item: Mapping[str, Any]) -> str:
    return str(item["sample_id"])


def _questions(items: list[Mapping[str, Any]], there: set[str]) -> Iterator[Question]:
    for item in items:
        evidence = frozenset(dialogue_ids(item.get("evidence", []))) & there
        if evidence:
            yield Question(item["question"], int(item["category"]), evidence)


def _sessions(
    conversation: Mapping[str, Any],
) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    for name, turns in conversation.items():
        found = SESSION.fullmatch(name)
        if found:
            yield int(found[1]), turns


def _ids(turns: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(i for turn in turns for i in dialogue_ids(turn["dia_id"]))


def _date(item: Mapping[str, Any], session: int) -> datetime:
    text = item["conversation"][f"session_{session}_date_time"]
    return datetime.strptime(text, DATE).replace(tzinfo=UTC)


def _transcript(item: Mapping[str, Any]) -> Transcript:
    sessions = dict(_sessions(item["conversation"]))
    there = {turn for turns in sessions.values() for turn in _ids(turns)}
    exchanges = [
        exchange
        for number, turns in sorted(sessions.items())
        for exchange in _exchanges(turns, number, _date(item, number))
    ]
    return Transcript(
        _name(item), tuple(exchanges), tuple(_questions(item["qa"], there))
    )


def _exchanges(
    turns: Sequence[Mapping[str, Any]], session: int, began: datetime
) -> Iterator[Exchange]:
    spoken = [
        (name, list(said)) for name, said in groupby(turns, itemgetter("speaker"))
    ]
    lines = [Spoken(f"{name}: {_said(said)}", _ids(said)) for name, said in spoken]
    for number in range(0, len(lines), 2):
        reply = lines[number + 1] if number + 1 < len(lines) else None
        yield Exchange(lines[number], reply, session, began + timedelta(minutes=number))


def _said(turns: Sequence[Mapping[str, Any]]) -> str:
    return " ".join(map(_text, turns))


def _text(turn: Mapping[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])


def _turns(item: Mapping[str, Any], sessions: Mapping[int, Any]) -> Iterator[Unit]:
    for number, turns in sessions.items():
        for place, turn in enumerate(turns):
            said = (_ids([turn]), _date(item, number))
            yield Unit(_text(turn), *said, turn["speaker"], number, place)


def _observations(
    item: Mapping[str, Any],
    sessions: Mapping[int, Any],
    told_by: Collection[str] | None = None,
) -> Iterator[Unit]:
    there = {turn for turns in sessions.values() for turn in _ids(turns)}
    for name, speakers in item["observation"].items():
        found = SESSION.match(name)
        if not found:
            continue
        date = _date(item, int(found[1]))
        for speaker, facts in speakers.items():
            for text, ids in facts if told_by is None or speaker in told_by else ():
                yield Unit(text, frozenset(dialogue_ids(ids)) & there, date)


def _summaries(item: Mapping[str, Any], sessions: Mapping[int, Any]) -> Iterator[Unit]:
    for name, text in item["session_summary"].items():
        found = SESSION.match(name)
        if found and int(found[1]) in sessions:
            number = int(found[1])
            yield Unit(text, _ids(sessions[number]), _date(item, number))
