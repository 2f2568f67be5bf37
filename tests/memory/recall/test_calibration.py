"""Thresholds of embedding models, measured on the bundled everyday set."""

import json
from io import StringIO
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from meddie.ai import embeddings
from meddie.ai.local_embedder import NAME
from memory.models import Memory, MemoryEvent
from memory.recall.calibration import EVERYDAY, calibrate, highest
from memory.recall.thresholds import thresholds
from people.models import Space, User


def stored():
    return [m.objects.count() for m in (User, Space, Memory, MemoryEvent)]


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=60))
def test_the_highest_floor_cuts_at_most_one_answer_in_a_hundred(answers):
    def cut(floor):
        return fmean([value < floor for value in answers])

    floor = highest(cut, 0.01)
    assert cut(floor) <= 0.01 < cut(floor + 0.01)


@pytest.mark.req("S2-24")
@pytest.mark.django_db
def test_thresholds_of_the_local_model_are_the_calibrated_ones():
    before = stored()
    found = calibrate(embeddings.local())
    limits = thresholds(NAME)
    assert found.thresholds.floor == pytest.approx(limits.floor, abs=0.011)
    assert found.thresholds.gate == pytest.approx(limits.gate, abs=0.011)
    assert found.thresholds.strict == pytest.approx(limits.strict, abs=0.011)
    assert found.thresholds.topic == pytest.approx(limits.topic, abs=0.011)
    for name in ("episode", "duplicate", "alike", "tombstone"):
        measured, listed = getattr(found.thresholds, name), getattr(limits, name)
        assert measured == pytest.approx(listed, abs=0.011), name
    assert found.topics.left(limits.topic) <= 0.02
    assert found.topics.noticed(limits.topic) > 0.25
    assert found.pairs["en", "en"].ungated > 0.95
    assert found.pairs["ru", "ru"].ungated > 0.88
    assert min(pair.ungated for pair in found.pairs.values()) > 0.8
    lost = [pair.ungated - pair.gated for pair in found.pairs.values()]
    assert found.thresholds.about == pytest.approx(limits.about, abs=0.011)
    assert fmean(lost) <= 0.03
    same = [found.pairs[language, language] for language in ("en", "pl", "ru")]
    assert max(pair.ungated - pair.gated for pair in same) < 0.035
    assert fmean(pair.silent for pair in found.pairs.values()) > 0.35
    assert min(pair.silent for pair in same) > 0.3
    assert stored() == before


@pytest.mark.django_db
def test_the_calibrate_command_prints_a_line_for_the_table():
    out = StringIO()
    call_command("calibrate", "--embedder", "local", stdout=out)
    line, heading, *pairs, topics = out.getvalue().splitlines()
    assert line.startswith(f'"{NAME}": Thresholds(gate=')
    assert " ".join(heading.split()) == (
        "pair recall@6 after the gate unrelated rows without a row"
    )
    assert [pair.split()[0] for pair in pairs][:3] == ["en-en", "en-pl", "en-ru"]
    assert len(pairs) == 9
    assert topics.startswith("topics: ")


@pytest.mark.django_db
def test_calibrating_a_silent_model_is_an_error_message(openai_server):
    openai_server.key = "another key"
    with pytest.raises(CommandError, match="does not answer"):
        call_command("calibrate", "--embedder", "provider")


def test_every_everyday_fact_answers_a_question_in_every_language():
    everyday = json.loads(EVERYDAY.read_text())
    gold = {number for one in everyday["questions"] for number in one["gold"]}
    assert gold == {fact["id"] for fact in everyday["facts"]}
    for language in ("en", "pl", "ru"):
        for part in everyday.values():
            assert len({texts[language] for texts in part}) == len(part)
