"""Every command of docs/api.md and docs/rest.md works as it is written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories import MembershipFactory
from tests.openai_answers import says
from tests.stack.processes import environment
from tests.stack.web import WebProcess

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parent.parent.parent


def blocks(name):
    page = (ROOT / "docs" / name).read_text()
    return re.findall(r"^```(sh|python)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


BLOCKS = blocks("api.md")
MAKES_KEY = "create_api_key"


def run(kind, code, **more):
    command = ["bash", "-e", "-c"] if kind == "sh" else [sys.executable, "-c"]
    done = subprocess.run(
        [*command, code],
        env=environment(**more),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands_of_the_page_work(transactional_db, openai_server):
    openai_server.chat.default = openai_server.titles.default = lambda _: says("Hello")
    member = MembershipFactory()
    told = {"SPACE": str(member.space_id), "EMAIL": member.user.email}
    keys = [run(k, code, **told).strip() for k, code in BLOCKS if MAKES_KEY in code]
    assert [key.startswith("sk-meddie-") for key in keys] == [True, True]
    with WebProcess() as web:
        told |= {"OPENAI_BASE_URL": f"{web.url}/v1", "OPENAI_API_KEY": keys[0]}
        told["MEDDIE"] = web.url
        outputs = [
            run(kind, code, **told) for kind, code in BLOCKS if MAKES_KEY not in code
        ]
    assert len(outputs) == 6
    shown = ("Hello", "test-chat", '"state": "stored"')
    assert all(any(text in output for text in shown) for output in outputs)
    assert "data: [DONE]" in outputs[1]


def test_commands_of_the_page_about_memories_work(transactional_db, openai_server):
    member = MembershipFactory()
    told = {"SPACE": str(member.space_id), "EMAIL": member.user.email}
    (makes_key, *_) = [code for _, code in BLOCKS if MAKES_KEY in code]
    with WebProcess() as web:
        told |= {"MEDDIE": web.url, "OPENAI_API_KEY": run("sh", makes_key, **told)}
        told["OPENAI_API_KEY"] = told["OPENAI_API_KEY"].strip()
        outputs = [run(kind, code, **told) for kind, code in blocks("rest.md")]
    assert len(outputs) == 6
    assert '"action": "add"' in outputs[0]
    assert all("peanuts" in output for output in outputs[1:4])
    assert '"reason": "edited"' in outputs[4]
    assert '"forgotten": ["' in outputs[4]
    assert '"reason": "not_found"' in outputs[5] or '"retract"' in outputs[5]
