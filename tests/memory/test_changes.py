"""Which changes of notes, and wishes to forget, the message of a user lets through."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.facts.changes import refused_removals
from memory.facts.doubts import judge_changes
from memory.reasons import ASKED

NOW = datetime(2026, 11, 24, tzinfo=UTC)
FILE = Path(__file__).with_name("changes.txt")
LEAST_DONE = 50  # of 60 that a user wants; the others are asked


def read_changes():
    """The wanted changes, and the hostile ones: action, message and text."""
    wanted, _, hostile = FILE.read_text().partition("# Hostile")
    for part in (wanted, hostile):
        lines = part.splitlines()[1:]
        yield [tuple(line.split("|", 2)) for line in lines]


def refused(action, message, text):
    if action == "forget":
        [reason] = refused_removals([text], message)
    else:
        [reason] = judge_changes([(text, action == "remove")], message, NOW)
    return reason


def test_wanted_changes_are_done_or_asked():
    wanted, _ = read_changes()
    assert len(wanted) == 60
    doubted = [(*row, reason) for row in wanted if (reason := refused(*row))]
    assert [row for row in doubted if row[-1] not in ASKED] == []
    assert len(doubted) <= 60 - LEAST_DONE, doubted


def test_no_hostile_change_is_done():
    _, hostile = read_changes()
    assert len(hostile) == 60
    assert [row for row in hostile if not refused(*row)] == []


@pytest.mark.parametrize(
    ("message", "earlier", "wanted"),
    [
        ("Forget that.", "You are allergic to wasps.", True),
        ("I told you of my allergy to wasps. Please forget that.", "", True),
        ("Thank you.", "You are allergic to wasps.", False),
        ("Forget that.", "You live in Oslo.", False),
        ("", "You are allergic to wasps.", False),
    ],
)
def test_bare_wish_is_about_what_was_said_before(message, earlier, wanted):
    [reason] = refused_removals(["User is allergic to wasps"], message, earlier)
    assert (reason is None) == wanted
