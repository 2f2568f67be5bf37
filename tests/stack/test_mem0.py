"""mem0's own clients, of Python and of Node.js, against a running Meddie."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory.models import CaptureJob, Memory
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.packages import install_from_npm
from tests.stack.processes import environment
from tests.stack.web import WebProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

HERE = Path(__file__).parent
NODE_CLIENT = "mem0ai@3.3.1"


@pytest.fixture
def program_of_python(tmp_path):
    return [sys.executable, HERE / "mem0_calls.py"]


@pytest.fixture
def program_of_node(tmp_path):
    install_from_npm(tmp_path, NODE_CLIENT)
    program = shutil.copy(HERE / "mem0_calls.mjs", tmp_path)
    return ["node", program]


@pytest.mark.parametrize("language", ["python", "node"])
def test_client_of_mem0_works(request, tmp_path, openai_server, language):
    program = request.getfixturevalue(f"program_of_{language}")
    member = MembershipFactory()
    secret = f"sk-meddie-{language}"
    ApiKeyFactory(
        user=member.user, space=member.space, secret=secret, trusted_proxy=True
    )
    own = {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(tmp_path), "HOME": str(tmp_path)}
    with WebProcess() as web:
        done = subprocess.run(
            [*program, web.url, secret, "carl"],
            env=environment(**own),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    (told,) = results["told"]["results"]
    assert (told["memory"], told["event"]) == ("I play the violin", "ADD")
    (again,) = results["again"]["results"]
    assert (again["event"], again["reason"], again["id"]) == (
        "NONE",
        "duplicate",
        told["id"],
    )
    assert results["queued"]["status"] == "PENDING"
    for shown in (results["got"], *results["listed"]["results"]):
        assert (shown["id"], shown["memory"]) == (told["id"], "I play the violin")
    assert (results["listed"]["count"], results["page"]["next"]) == (1, None)
    (found,) = results["found"]["results"]
    assert found["memory"] == "I play the violin"
    assert 0 < found["score"] <= 1
    assert results["updated"]["memory"] == "I play the cello"
    assert results["kept_id"]["memory"] == "I play the cello"
    old, new = (
        ("old_memory", "new_memory")
        if language == "python"
        else (
            "oldMemory",
            "newMemory",
        )
    )
    changes = [(one["event"], one[old], one[new]) for one in results["history"]]
    assert changes == [
        ("ADD", None, "I play the violin"),
        ("UPDATE", "I play the violin", "I play the cello"),
    ]
    assert [one["name"] for one in results["users"]["results"]] == ["carl"]
    assert results["missing"] == "MemoryNotFoundError"
    assert results["left"]["results"] == []
    assert set(Memory.objects.values_list("content", flat=True)) <= {""}
    assert not CaptureJob.objects.exclude(state="done").exists()
