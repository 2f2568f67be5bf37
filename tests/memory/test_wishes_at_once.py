"""What a message makes the stand-in forget without a question; the rest is asked."""

from pathlib import Path

import pytest

from memory.facts.forget import prepare_forgetting
from memory.wording.wishes import unwanted, wants_all

LINES = Path(__file__).with_name("wishes_at_once.txt").read_text().splitlines()
KNOWN = dict(line.split(" = ") for line in LINES if " = " in line)
PLACE = LINES.index("[kept apart]")
SEEN, KEPT_APART = (
    [line.split(" -> ") for line in part if " -> " in line and line[0] != "#"]
    for part in (LINES[:PLACE], LINES[PLACE:])
)


def forgotten_at_once(message):
    if wants_all(message):
        return []
    prepared = prepare_forgetting(unwanted(message, list(KNOWN.values())), message, "")
    names = {text: name for name, text in KNOWN.items()}
    done = [item.line for item in prepared.proposals if item.candidate.withheld is None]
    return [names[line] for line in done if line in names]


@pytest.mark.req("S4-17")
@pytest.mark.parametrize("rows", [SEEN, KEPT_APART], ids=["seen", "kept apart"])
def test_only_what_a_plain_wish_names_is_forgotten_without_a_question(rows):
    expected = {message: [] if goes == "-" else [goes] for message, goes in rows}
    assert {message: forgotten_at_once(message) for message in expected} == expected
