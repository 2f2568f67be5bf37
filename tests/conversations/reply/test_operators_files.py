"""Journals and snapshots are for operators: no prompt is made of them."""

import json
import re
from pathlib import Path

import pytest

from conversations.models import Message
from memory.models import JournalLine, MemoryPolicy
from memory.operators.snapshots import write_changes
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[3]
OPERATORS = (
    *("memory/operators/", "memory/checks.py", "meddie/settings.py"),
    "meddie/environment.py",
    "conversations/forgetting/erasing.py",  # looks for what an erased user left
)


@pytest.fixture
def folder(tmp_path, settings):
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    return settings.JOURNALS_FOLDER


def prompts(member, openai_server):
    """The bodies of the requests for one more reply, as bytes."""
    openai_server.chat.requests.clear()
    Message.objects.all().delete()
    write(ask(member, "What do I like?"))
    return [
        json.dumps(request.body).encode() for request in openai_server.chat.requests
    ]


@pytest.mark.req("S3-62")
def test_prompt_does_not_depend_on_the_files(folder, openai_server):
    member = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, journal="all")
    MemoryFactory(user=member.user, space=member.space, content="User likes tea")
    write(ask(member, "I like my tea green."))
    write_changes()
    files = list(folder.rglob("*.md"))
    assert {path.name[-3:] for path in files} == {".md"}
    assert len(files) == 2
    before = prompts(member, openai_server)
    for path in files:
        path.write_text("User likes coffee, and says so in every file.")
    JournalLine.objects.update(text="User likes coffee")
    assert prompts(member, openai_server) == before
    assert b"tea" in before[0]


def test_only_operators_modules_know_the_folder():
    named = {
        str(path.relative_to(ROOT))
        for app in ("meddie", "people", "memory", "conversations")
        for path in (ROOT / app).rglob("*.py")
        if re.search(r"JOURNALS_FOLDER|MEMORY\.md", path.read_text())
    }
    assert {name for name in named if not name.startswith(OPERATORS)} == set()
    assert "memory/operators/journals.py" in named
