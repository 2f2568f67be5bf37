"""Update stories are played through capture, resolution and forgetting."""

import json
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from benchmarks.evaluation.playing import play_stories
from benchmarks.evaluation.stories import HELD_OUT, STORIES, read_stories
from benchmarks.management.commands.evaluate_stories import Command
from conversations.models import Conversation
from memory.models import CaptureJob, Memory
from people.models import Space, User
from tests.benchmarks.stories import play, step, texts

pytestmark = pytest.mark.django_db

OLD, NEW = "User lives in Portland", "User lives in Denver"
MOVE = {
    "id": "move",
    "lang": "en",
    "covers": ["move"],
    "steps": [
        {"at": "2025-03-02T10:00:00Z", "said": "I live in Portland.", "facts": [OLD]},
        {
            "at": "2026-01-15T10:00:00Z",
            "said": "I live in Denver now.",
            "facts": [{"text": NEW, "kind": "profile", "evidence": "I live in Denver"}],
            "resolve": [{"new": NEW, "old": OLD, "verdict": "replace"}],
        },
    ],
    "expect": {"active": [NEW], "superseded": [OLD], "retracted": [], "never": []},
}
FORGOTTEN = {
    "id": 7,
    "steps": [
        {"at": "2025-03-02", "said": "I play chess.", "facts": ["User plays chess"]},
        {"at": "2025-03-03", "said": "Forget it.", "forget": ["User plays chess"]},
    ],
    "expect": {"retracted": ["User plays chess"], "active": ["User is a chess player"]},
}


@pytest.fixture
def evaluate(tmp_path):
    def evaluate(*stories, options=(), raw=None):
        path = tmp_path / "stories.jsonl"
        lines = [json.dumps(one, ensure_ascii=False) for one in stories]
        path.write_text("\n".join(lines) if raw is None else raw)
        out = StringIO()
        call_command(Command(), str(path), *options, stdout=out)
        return out.getvalue()

    return evaluate


@pytest.mark.req("S1-53")
def test_report_counts_right_stories_and_shows_each_difference(evaluate):
    assert evaluate(MOVE, FORGOTTEN).splitlines() == [
        "1/2 stories are right",
        "7: active: missing: User is a chess player",
    ]


def test_json_has_the_same_in_one_object(evaluate):
    data = json.loads(evaluate(MOVE, FORGOTTEN, options=["--json"]))
    found = {"where": "active", "problem": "missing", "text": "User is a chess player"}
    wrong = {"id": "7", "lang": "", "covers": [], "differences": [found]}
    assert data == {"right": 1, "total": 2, "wrong": [wrong]}


@pytest.mark.req("S1-33", "S1-56")
def test_states_have_the_rows_of_each_story_and_all_text(evaluate, tmp_path):
    out = tmp_path / "states.json"
    evaluate(MOVE, FORGOTTEN, options=["--states", str(out)])
    states = json.loads(out.read_text())
    assert list(states) == ["move", "7"]
    dump = states["move"].pop("dump")
    assert states["move"] == {"active": [NEW], "superseded": [OLD], "retracted": []}
    assert {NEW, OLD, "I live in Denver"} <= set(dump.splitlines())
    assert states["7"]["retracted"] == ["User plays chess"]


def test_active_rows_that_no_list_names_are_reported(evaluate):
    text = evaluate(MOVE | {"expect": {"superseded": [OLD]}})
    assert f"move: active: extra: {NEW}" in text


def test_texts_that_may_be_nowhere_are_looked_for_in_all_tables(evaluate):
    never = {"active": [NEW], "superseded": [OLD], "never": ["i live in denver"]}
    text = evaluate(MOVE | {"expect": never})
    assert text.splitlines()[1:] == ["move: never: extra: i live in denver"]


def test_nothing_of_a_story_remains(evaluate):
    before = settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY
    evaluate(MOVE)
    assert before == (settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)
    for model in (Memory, CaptureJob, Conversation, User, Space):
        assert not model.objects.exists()


def test_job_that_fails_is_a_difference():
    played = play(
        step(0, "I play chess.", facts=[{"text": "User plays chess", "confidence": 9}])
    )
    (found,) = played.differences
    assert (found.where, found.problem) == ("jobs", "unfinished")
    assert "dead" in found.text


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ("", "The file has no story"),
        ("\n\n{", "Line 3 is not a story: Invalid JSON"),
        ("[]", "Line 1 is not a story: .*object"),
        ('{"id": "a"}', "Line 1 is not a story: steps: Field required"),
        (json.dumps(MOVE | {"steps": []}), "Line 1 is not a story: steps"),
        (
            json.dumps(MOVE | {"steps": [{"at": "soon", "said": "Hi"}]}),
            "Line 1 is not a story: steps.0.at",
        ),
        (
            json.dumps(MOVE | {"steps": [{"at": "0001-01-01", "said": "Hi"}]}),
            "steps.0.at: .*before 1900",
        ),
        (f"{json.dumps(MOVE)}\n{json.dumps(MOVE)}", "Line 2 has the id of another"),
    ],
)
def test_a_wrong_line_is_named_in_one_sentence(evaluate, raw, sentence):
    with pytest.raises(CommandError, match=sentence) as error:
        evaluate(raw=raw)
    assert len(str(error.value).splitlines()) == 1


def test_files_that_cannot_be_used_are_refused(evaluate, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command(Command(), "/nowhere/stories.jsonl")
    with pytest.raises(CommandError, match="states cannot be written"):
        evaluate(MOVE, options=["--states", str(tmp_path)])


def test_imported_statement_of_an_earlier_date_does_not_replace():
    played = play(
        step(9, "I work at Siemens.", facts=["User works at Siemens"]),
        step(
            1,
            "I work at Bosch.",
            facts=["User works at Bosch"],
            resolve=[
                {
                    "new": "User works at Bosch",
                    "old": "User works at Siemens",
                    "verdict": "replace",
                }
            ],
        ),
    )
    assert texts(played, "active") == {"User works at Siemens"}
    assert texts(played, "superseded") == {"User works at Bosch"}


@pytest.mark.parametrize("language", ["de", "en", "pl", "ru", "zh"])
@pytest.mark.parametrize(
    ("path", "most_wrong"), [(STORIES, 2), (HELD_OUT, 1)], ids=["stories", "held out"]
)
@pytest.mark.req("S1-28", "S1-29", "S1-31", "S1-32", "S1-33", "S1-40")
def test_memory_is_right_after_the_stories_of_a_language(path, most_wrong, language):
    stories = [one for one in read_stories(path) if one.lang == language]
    assert len(stories) >= 14
    wrong = {
        played.story.id: played.differences
        for played in play_stories(stories)
        if played.differences
    }
    assert len(wrong) <= most_wrong, wrong
