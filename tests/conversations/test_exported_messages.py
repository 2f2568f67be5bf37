"""`manage.py import_conversations`: facts of a ChatGPT export, learnt by extraction."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from meddie.jobs.tasks import daily
from memory.models import CaptureJob
from people.models import User
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
MARCH = datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def member():
    return MembershipFactory(user__email="ann@example.com")


@pytest.fixture
def bring(tmp_path, capsys):
    """Import a document or text; what the command says."""

    def bring(document, **options):
        file = tmp_path / "conversations.json"
        text = document if isinstance(document, str) else json.dumps(document)
        file.write_text(text, encoding="utf-8")
        call_command("import_conversations", file, user="ann@example.com", **options)
        return capsys.readouterr().out.strip()

    return bring


def node(key, role, *parts, parent=None, at=MARCH, kind="text", **fields):
    message = {
        "id": key,
        "author": {"role": role},
        "create_time": at and at.timestamp(),
        "content": {"content_type": kind, "parts": list(parts)},
        "weight": 1.0,
    }
    return {"id": key, "parent": parent, "children": [], "message": message | fields}


def conversation(*nodes, current=None):
    root = {"id": "root", "message": None, "parent": None, "children": []}
    mapping = {"root": root} | {one["id"]: one for one in nodes}
    return {
        "title": "Tea",
        "create_time": MARCH.timestamp(),
        "mapping": mapping,
        "current_node": current or nodes[-1]["id"],
    }


def jobs():
    return list(CaptureJob.objects.order_by("stated_at", "payload__text"))


def texts():
    return [job.payload["text"] for job in jobs()]


def test_messages_of_the_user_are_left_to_workers_with_their_dates(bring, member):
    later = MARCH + timedelta(days=1)
    export = conversation(
        node("1", "user", "I live in Oslo", parent="root"),
        node("2", "assistant", "Nice.", parent="1"),
        node("3", "user", "And I have a dog", parent="2", at=later),
    )
    assert bring([export], dry_run=True) == "Messages that were not imported yet: 2"
    assert jobs() == []
    assert bring([export]) == "Messages left to workers: 2"
    first, second = jobs()
    assert (first.kind, first.origin, first.user) == ("extract", "import", member.user)
    assert (first.stated_at, second.stated_at) == (MARCH, later)
    assert second.payload == {
        "text": "And I have a dog",
        "context": [["user", "I live in Oslo"], ["assistant", "Nice."]],
    }


def test_an_export_is_imported_once(bring):
    export = conversation(node("1", "user", "I live in Oslo"))
    bring([export])
    CaptureJob.objects.update(state="done", payload={})
    CaptureJob.objects.update(updated_at=timezone.now() - timedelta(days=90))
    daily()
    more = conversation(node("2", "user", "I have a dog"))
    assert bring([export, more]) == "Messages left to workers: 1"
    assert sorted(job.state for job in jobs()) == ["done", "waiting"]


def test_replaced_branches_and_what_no_person_wrote_are_left_out(bring):
    export = conversation(
        node("1", "system", "Be kind", parent="root"),
        node("2", "user", "I live in Oslo", parent="1"),
        node("3", "user", "I live in Rome", parent="1"),
        node("4", "user", "Hidden", parent="3", weight=0.0),
        node("5", "user", "About me", parent="4", kind="user_editable_context"),
        node("6", "tool", "Found", parent="5"),
        node(
            *("7", "user", {"asset_pointer": "file-service://1"}, "My\x00 dog"),
            parent="6",
            kind="multimodal_text",
            at=None,
        ),
        current="7",
    )
    bring([export])
    assert texts() == ["I live in Rome", "My dog"]
    assert {job.stated_at for job in jobs()} == {MARCH}


def test_a_tree_with_a_loop_ends(bring):
    loop = conversation(node("1", "user", "I live in Oslo", parent="1"))
    assert bring([loop]) == "Messages left to workers: 1"


@pytest.mark.parametrize("document", ["{", "[]", '{"memories": []}', '[{"a": 1}]'])
def test_other_files_are_refused_in_a_sentence(bring, document):
    with pytest.raises(CommandError, match="The file "):
        bring(document)


@pytest.mark.parametrize(
    "broken",
    [
        node("1", "user", "I live in Oslo") | {"message": 3},
        node("1", "user", "I live in Oslo", content=None),
        node("1", "user", "I live in Oslo", author="Ann"),
        node("1", "user", "I live in Oslo", id=7),
    ],
)
def test_malformed_messages_are_left_out(bring, broken):
    export = conversation(broken, node("2", "user", "I have a dog", parent="1"))
    bring([export])
    assert texts() == ["I have a dog"]


def test_users_without_memory_are_not_imported(bring):
    User.objects.update(memory_on=False)
    with pytest.raises(CommandError, match="switched memory off"):
        bring([conversation(node("1", "user", "I live in Oslo"))])
