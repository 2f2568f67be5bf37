"""Replays of whole conversations, with their figures."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from benchmarks.evaluation.locomo import load_transcripts
from benchmarks.management.commands.replay import Command
from conversations.models import Conversation, Message
from people.models import Space, User
from tests.benchmarks import locomo


@pytest.fixture
def tiny(tmp_path):
    return locomo.write(tmp_path)


def test_first_speaker_of_a_session_is_its_user(tiny):
    exchanges = load_transcripts(tiny)[0].exchanges
    assert [(e.said.text, e.reply.text) for e in exchanges] == [
        (
            "Ola: I adopted a parrot.",
            "Ewa: I repaired my violin. [a photo of a violin]",
        ),
        ("Ola: The parrot is called Kubus.", "Ewa: I sold the old bicycle."),
    ]
    assert [f"{e.at:%Y-%m-%d %H:%M}" for e in exchanges] == [
        "2023-05-08 13:56",
        "2023-06-19 10:04",
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("S2-51", "S2-52", "S2-53")
def test_replay_reports_what_prompts_hold_and_leaves_nothing(tiny):
    output = StringIO()
    call_command(Command(), str(tiny), "--only", "1", "--json", stdout=output)
    figures = json.loads(output.getvalue())
    assert figures["turns"] == 2
    assert figures["boundaries"] == {
        "sessions": 1,
        "episodes": 1,
        "precision": 100.0,
        "recall": 100.0,
    }
    assert figures["questions"]["asked"] == 3
    assert figures["questions"]["any"]["prompt"] == 100.0
    assert figures["context_tokens"]["max"] <= figures["context_tokens"]["budget"]
    assert figures["bytes_per_100_turns"]["messages"] > 0
    for model in (User, Space, Conversation, Message):
        assert not model.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_report_is_readable(tiny):
    output = StringIO()
    call_command(Command(), str(tiny), "--only", "1", stdout=output)
    assert "1 boundaries, 1 of sessions" in output.getvalue()


def test_file_in_another_format_is_refused(tmp_path):
    (tmp_path / "other.json").write_text("[1]")
    with pytest.raises(CommandError, match=r"other\.json"):
        call_command(Command(), str(tmp_path / "other.json"))
