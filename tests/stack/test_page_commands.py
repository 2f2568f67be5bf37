"""Every command of docs/ that needs no network of others works as it is written."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.models import Memory, MemoryPolicy
from people.models import User
from tests.factories import ApiKeyFactory, MembershipFactory, UserFactory
from tests.stack.page_blocks import ROOT, blocks, run
from tests.stack.web import WebProcess

OTHER_TESTS = {"api.md", "rest.md", "mem0.md"}  # tests/stack/test_api_docs.py
NOT_HERE = {
    "docker": "not on this machine",
    "git pull": "the network of others",
    "pip install": "the network of others; tests/pins.py looks at the files",
    "make ": "tests/test_readme.py, tests/meddie/embedded/",
    "poll_telegram": "tests/stack/test_telegram.py",
    "-m benchmarks": "tests/benchmarks/",
    "OPENAI_API_KEY=": "tests/meddie/ai/test_recipes.py",
    "openssl pkeyutl": "tests/conversations/proofs/test_sealing.py",
}
FACT = '{"text": "User likes tea", "stated_at": "2026-03-01T12:00:00Z"}\n'


def commands() -> Iterator[tuple[str, str]]:
    for page in sorted((ROOT / "docs").glob("*.md")):
        if page.name not in OTHER_TESTS:
            for kind, code in blocks(page.name):
                if kind == "sh" and not any(mark in code for mark in NOT_HERE):
                    yield page.name, re.sub(r" \[[^]]+\]", "", code)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pages' paths lead to Meddie, and its data are those of the test."""
    for name in (".venv", "manage.py"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "FILE").write_text(FACT)
    backups = tmp_path / ".data" / "backups"
    backups.mkdir(parents=True)
    for days, name in ((40, "old.tar"), (1, "new.tar")):
        (backups / name).touch()
        made = time.time() - days * 86_400
        os.utime(backups / name, (made, made))
    return tmp_path


@pytest.mark.django_db(transaction=True)
def test_commands_of_the_pages_work(transactional_db, openai_server, folder):
    ann = MembershipFactory(user=UserFactory(email="ann@example.com"))
    admin = MembershipFactory(user=UserFactory(is_staff=True, is_superuser=True))
    bob = UserFactory(email="bob@example.com")
    MembershipFactory(space=admin.space, user=bob)
    MemoryPolicy.objects.create(space=admin.space, time_to_live_days=30)
    ApiKeyFactory(user=admin.user, space=admin.space, secret="sk-meddie-staff")
    told = {"KEY": "sk-meddie-staff", "MEDDIE_DATA": str(folder / ".data")}
    with WebProcess() as web:
        outputs = {
            code: run("sh", code, folder, MEDDIE=web.url, **told)
            for _page, code in commands()
        }
    assert len(outputs) == 7
    assert not User.objects.filter(pk=ann.user_id).exists()
    assert not Memory.objects.exists()
    assert FACT.split('"')[3] in (folder / "FILE").read_text()
    kept = [path.name for path in (folder / ".data" / "backups").iterdir()]
    assert kept == ["new.tar"]
