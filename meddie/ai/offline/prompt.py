"""What the prompt says, read back from its headings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from meddie.ai.events import ChatMessage

_PERSON = re.compile(r"^#+ Person: (?P<name>.+?)(?P<user> \(this is [^)]*\))?\s*$")
NOT_KEPT = "Nothing in this conversation is kept: write no memory_saves."
_NOTES = {
    "Health Notes": "health_notes",
    "Supplements": "supplements",
    "Medications": "medications",
}


@dataclass(frozen=True)
class Note:
    field: str
    text: str


@dataclass(frozen=True)
class Known:
    """Facts about the user, the notes on the person whom the talk is about, and whether
    what is said is remembered and is the first thing said."""

    facts: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    person: str = ""
    person_is_user: bool = False
    kept: bool = True
    first: bool = True


def read(messages: Sequence[ChatMessage]) -> Known:
    system = "\n".join(m["content"] for m in messages if m["role"] == "system")
    heading, person, is_user = "", "", False
    facts, notes = [], []
    for line in system.splitlines():
        if found := _PERSON.match(line):
            person, is_user = found["name"].strip(), bool(found["user"])
        heading = _heading(line, heading)
        text = line.removeprefix("- ").strip()
        if heading == "Remembered Facts" and line.startswith("- "):
            facts.append(text)
        elif heading in _NOTES and text and not line.startswith("#"):
            notes.append(Note(_NOTES[heading], text))
    kept = NOT_KEPT not in system
    first = all(message["role"] != "assistant" for message in messages)
    return Known(tuple(facts), tuple(notes), person, is_user, kept, first)


def _heading(line: str, before: str) -> str:
    """The section that a line stands in. A note's own headings are deeper than ours and
    do not end it, but what is over and done with is left out."""
    if not line.startswith("#"):
        return before
    title = line.strip("# ")
    return before if line.startswith("####") and title != "Previous" else title
