"""The client of the MCP SDK against a running Meddie, over HTTP and over stdio."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory.models import Memory
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.stack.processes import environment
from tests.stack.web import WebProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent
CALLS = ROOT / "tests" / "stack" / "mcp_calls.py"
TOOLS = {"remember", "recall", "forget", "correct", "list_memories", "get_profile"}


def run_calls(*arguments):
    done = subprocess.run(
        [sys.executable, CALLS, *arguments],
        env=environment(PYTHONPATH=str(ROOT)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def over_http(openai_server):
    member = MembershipFactory()
    ApiKeyFactory(user=member.user, space=member.space, secret="sk-meddie-mcp")
    with WebProcess() as web:
        return run_calls(f"{web.url}/mcp", "sk-meddie-mcp")


@pytest.fixture
def over_stdio(openai_server):
    return run_calls("stdio", MembershipFactory().user.email)


@pytest.mark.parametrize("way", ["over_http", "over_stdio"])
def test_client_of_the_sdk_works(request, transactional_db, way):
    results = request.getfixturevalue(way)
    assert set(results["tools"]) == TOOLS
    assert all(results["tools"].values())
    told = results["told"]
    assert (told["action"], told["reason"]) == ("add", "new")
    assert results["again"]["message"] == "This is known already."
    (found,) = results["found"]["memories"]
    assert (found["id"], found["text"]) == (told["id"], "I play the violin")
    assert results["corrected"]["reason"] == "edited"
    assert [m["text"] for m in results["listed"]["memories"]] == ["I play the cello"]
    assert results["profile"]["memories"] == []
    assert results["unlike"]["decisions"][0]["reason"] == "not_found"
    assert results["forgotten"]["decisions"][0]["action"] == "retract"
    assert results["refused"]["reason"] == "retracted"
    assert results["told_again"]["action"] == "add"
    assert results["missing"].endswith("There is no such memory. (not_found)")
    assert set(results["resources"]) == {"memory://profile", "memory://recent"}
    assert [m["text"] for m in results["recent"]["memories"]] == ["I play the cello"]
    assert Memory.objects.active().get().content == "I play the cello"
