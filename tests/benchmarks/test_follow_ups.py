"""Ways to search a longer message, measured on dialogues."""

import re
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from benchmarks.evaluation.follow_ups import read_dialogues
from benchmarks.management.commands.evaluate_follow_ups import Command
from memory.models import Memory
from memory.wording.dialogue import is_short

ROW = re.compile(r"^(\S.*?) +([\d.]+) \(.*?\) +([\d.]+) \(", re.MULTILINE)


def test_dialogues_end_with_a_longer_message_that_known_facts_answer():
    facts, dialogues = read_dialogues()
    keys = {fact["id"] for fact in facts}
    assert len(keys) == len(facts)
    assert Counter((one.lang, one.kind) for one in dialogues) == {
        (lang, kind): 10 for lang in ("en", "pl", "de") for kind in ("follow", "change")
    }
    for one in dialogues:
        assert len(one.said) in {5, 7}
        assert not is_short(one.said[-1])
        assert set(one.gold) <= keys


@pytest.mark.slow
@pytest.mark.django_db
def test_conversation_helps_follow_ups_and_harms_changes_of_topic():
    """Why a turn searches a longer message alone."""
    out = StringIO()
    call_command(Command(), stdout=out)
    rows = ROW.findall(out.getvalue())
    recalls = {way: (float(follow), float(change)) for way, follow, change in rows}
    assert len(recalls) == 8
    follow, change = recalls["alone"]
    assert follow >= 45
    assert change >= 55
    following, changing = recalls["mean with all turns"]
    assert following > follow + 5
    assert changing < change - 5
    assert not Memory.objects.exists()
