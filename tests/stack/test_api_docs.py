"""Every block of docs/api.md, rest.md, mem0.md and mcp.md works as it is written."""

import json

import pytest

from memory.models import Memory
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.openai_answers import says
from tests.packages import install_from_npm
from tests.stack.page_blocks import blocks, run
from tests.stack.test_mem0 import NODE_CLIENT
from tests.stack.web import WebProcess

pytestmark = pytest.mark.django_db(transaction=True)

BLOCKS = [one for one in blocks("api.md") if one[0] in {"sh", "python"}]
OPENAI = ("openai@7.59.0", "ai@7.0.173", "@ai-sdk/openai@4.0.118", "zod@4.6.7")
MCP = "@modelcontextprotocol/client@2.4.0"
MAKES_KEY = "create_api_key"


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
    assert len(outputs) == 7
    shown = ("Hello", "test-chat", '"state": "stored"')
    assert all(any(text in output for text in shown) for output in outputs)
    assert "data: [DONE]" in outputs[1]
    (stored,) = [code for kind, code in blocks("api.md") if kind == "json"]
    assert json.loads(outputs[-1]) == json.loads(stored)
    # What Open WebUI reads: the address is the one that the commands above use.
    (variables,) = [code for kind, code in blocks("api.md") if kind == "ini"]
    assert "OPENAI_API_BASE_URL=http://meddie:8000/v1\n" in variables


def test_commands_of_the_page_about_memories_work(transactional_db, openai_server):
    member = MembershipFactory()
    told = {"SPACE": str(member.space_id), "EMAIL": member.user.email}
    (makes_key, *_) = [code for _, code in BLOCKS if MAKES_KEY in code]
    with WebProcess() as web:
        told |= {"MEDDIE": web.url, "OPENAI_API_KEY": run("sh", makes_key, **told)}
        told["OPENAI_API_KEY"] = told["OPENAI_API_KEY"].strip()
        outputs = [
            run(kind, code, **told) for kind, code in blocks("rest.md") if kind == "sh"
        ]
    assert len(outputs) == 6
    assert '"action": "add"' in outputs[0]
    assert all("peanuts" in output for output in outputs[1:4])
    assert '"reason": "edited"' in outputs[4]
    assert '"forgotten": ["' in outputs[4]
    assert '"reason": "not_found"' in outputs[5] or '"retract"' in outputs[5]
    added, _missing = [
        json.loads(code) for kind, code in blocks("rest.md") if kind == "json"
    ]
    shown, got = (
        one["decisions"][0] | {"id": ""} for one in (added, json.loads(outputs[0]))
    )
    assert shown == got


def test_client_of_mem0_works_as_its_page_says(
    transactional_db, openai_server, tmp_path
):
    member = MembershipFactory()
    ApiKeyFactory(
        user=member.user,
        space=member.space,
        secret="sk-meddie-mem0",
        trusted_proxy=True,
    )
    install_from_npm(tmp_path, NODE_CLIENT)
    own = {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(tmp_path), "HOME": str(tmp_path)}
    with WebProcess() as web:
        for kind, code in blocks("mem0.md"):
            named = code.replace("sk-meddie-…", "sk-meddie-mem0")
            named = named.replace("http://127.0.0.1:8000", web.url)
            run(kind, named, tmp_path, **own)
            assert Memory.objects.get().content == "I play the violin"
            Memory.objects.all().delete()


def test_clients_for_typescript_work_as_the_page_says(
    transactional_db, openai_server, tmp_path
):
    openai_server.chat.default = openai_server.titles.default = lambda _: says("Hello")
    member = MembershipFactory()
    ApiKeyFactory(user=member.user, space=member.space, secret="sk-meddie-ts")
    install_from_npm(tmp_path, *OPENAI)
    programs = [code for kind, code in blocks("api.md") if kind == "ts"]
    with WebProcess() as web:
        told = {"OPENAI_BASE_URL": f"{web.url}/v1", "OPENAI_API_KEY": "sk-meddie-ts"}
        outputs = [run("ts", code, tmp_path, **told) for code in programs]
    assert [output.split() for output in outputs] == [["Hello", "Hello"], ["Hello"]]


@pytest.mark.parametrize("language", ["python", "ts"])
def test_program_of_ones_own_calls_tools_as_the_page_says(
    transactional_db, openai_server, tmp_path, language
):
    member = MembershipFactory()
    ApiKeyFactory(user=member.user, space=member.space, secret="sk-meddie-own")
    if language == "ts":
        install_from_npm(tmp_path, MCP)
    (code,) = [code for kind, code in blocks("mcp.md") if kind == language]
    with WebProcess() as web:
        code = code.replace("https://meddie.example", web.url)
        shown = run(language, code, tmp_path, MEDDIE_KEY="sk-meddie-own")
    assert "I play the violin" in shown
    assert Memory.objects.get().user == member.user
