"""The client of the MCP SDK against a running Meddie, over HTTP and over stdio."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from memory.models import Memory
from people.models import ApiKey
from tests.conversations.api.mcp.test_http import listen, listening
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.stack.processes import environment
from tests.stack.web import WebProcess
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent
CALLS = ROOT / "tests" / "stack" / "mcp_calls.py"
SIGNING_IN = ROOT / "tests" / "stack" / "oauth_calls.py"
TOOLS = {"remember", "recall", "forget", "correct", "list_memories", "get_profile"}


def run_calls(*arguments, program=CALLS):
    done = subprocess.run(
        [sys.executable, program, *arguments],
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


def test_client_of_the_sdk_signs_in_and_renews_its_token(openai_server, client):
    member = MembershipFactory()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    cookie = client.cookies["sessionid"].value
    with WebProcess() as web:
        results = run_calls(f"{web.url}/mcp", cookie, program=SIGNING_IN)
    assert (results["scope"], results["refreshed"]) == ("memory", True)
    assert results["told"]["action"] == "add"
    (listed,) = results["listed"]["memories"]
    assert listed["text"] == "I play the violin"
    assert ApiKey.objects.get().name == "SDK"
    assert Memory.objects.get().user == member.user


def test_stop_of_the_server_waits_for_no_stream_of_mcp(transactional_db, tmp_path):
    member, log = MembershipFactory(), tmp_path / "log"
    ApiKeyFactory(user=member.user, space=member.space, secret="sk-meddie-mcp")
    version, key = "2026-07-28", {"Authorization": "Bearer sk-meddie-mcp"}
    with WebProcess(log) as web, httpx2.Client(base_url=web.url, headers=key) as client:
        opened = client.get("/mcp", headers={"Accept": "text/event-stream"})
        headers = listening(version)
        answer = client.post("/mcp", json=listen(version), headers=headers)
        web.process.terminate()
        assert web.process.wait(PATIENCE) in {0, -signal.SIGTERM}
    assert (opened.status_code, answer.json()["error"]["code"]) == (405, -32601)
    assert "Traceback" not in log.read_text()
    assert "timeout graceful shutdown" not in log.read_text()
