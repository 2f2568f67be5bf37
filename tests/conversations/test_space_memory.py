"""A space that switched memory off: no door brings back or keeps anything."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from conversations.models import MessageIndex, ProbeJob
from conversations.probes.jobs import put_probes
from conversations.probes.run import probe
from memory import service
from memory.models import CaptureJob, Memory, ProfileFact
from memory.operators.snapshot_text import read_snapshot, render_snapshot
from memory.reasons import Reason
from memory.values import Provenance
from people.models import Space
from people.scope import retraction_scope, scope_for
from tests.conversations.api.mcp.test_http import call as call_tool
from tests.conversations.api.mcp.test_http import send as send_mcp
from tests.conversations.api.mem0.test_dialect import call as call_mem0
from tests.conversations.api.memories.conftest import ann, bob, member, proxy, staff
from tests.conversations.telegram.conftest import bot, chat, link
from tests.conversations.turns import ask, noting, write
from tests.factories import MemoryFactory, ProfileFactFactory
from tests.memory.jobs import run_due

__all__ = ["ann", "bob", "bot", "chat", "link", "member", "proxy", "staff"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.req("S3-14", "S3-63"),
]
SECRET = "zanzibarium"
FACT, PLACE = f"User takes {SECRET}", f"{SECRET}town"
QUESTION = f"Do I take {SECRET[:4]}, and where do I live? What do you know of me?"
SENTENCE = "Memory is off. The user or the household has switched it off."
OFF = {"reason": "no_memory", "message": SENTENCE}


@pytest.fixture(autouse=True)
def known(member, openai_server):
    """A fact of each kind, known before memory is switched off."""
    owned = {"user": member.user, "space": member.space}
    ProfileFactFactory(**owned, key="city", value=PLACE, importance=1)
    MemoryFactory(
        user=None,
        space=member.space,
        audience="space",
        content=f"Memory line: {SECRET} on Mondays.",
        linked=False,
    )
    return MemoryFactory(**owned, content=FACT, safety=True)


@pytest.fixture
def off(known, member):
    switch(member, on=False)


def switch(member, *, on):
    Space.objects.filter(pk=member.space_id).update(memory_on=on)


def asked_of_models(openai_server):
    doors = (openai_server.chat, openai_server.titles)
    return json.dumps([call.body for door in doors for call in door.requests])


def rows():
    kept = Memory.objects.values_list("content", "active")
    return {*kept, *ProfileFact.objects.values_list("value", "active")}


def test_replies_on_the_web_know_and_learn_nothing(member, openai_server, off):
    before = rows()
    note = noting(memory_saves=["User likes tea"], memory_forgets=[])
    openai_server.chat.queue(note)
    reply = write(ask(member, f"I like tea. {QUESTION}"))
    run_due()
    assert reply.content == "Noted."
    assert SECRET not in asked_of_models(openai_server)
    assert rows() == before
    assert not MessageIndex.objects.exists()
    assert not CaptureJob.objects.exists()


def test_memory_is_used_again_once_it_is_on(member, openai_server, off):
    write(ask(member, f"I like tea. {QUESTION}"))
    switch(member, on=True)
    write(ask(member, QUESTION))
    last = json.dumps(openai_server.chat.requests[-1].body)
    assert FACT in last
    assert "I like tea" not in last


def test_reply_that_had_begun_before_keeps_nothing(member, openai_server):
    before = rows()
    openai_server.chat.queue(noting(memory_saves=["User likes tea"]))
    turn = ask(member, "I like tea.")
    switch(member, on=False)
    write(turn)
    assert rows() == before


def test_telegram_says_so_and_knows_nothing(chat, openai_server, off):
    (hello,) = chat.say("/start")
    assert "Memory is switched off" in hello
    chat.say(QUESTION)
    assert SECRET not in asked_of_models(openai_server)


def test_telegram_promises_memory_while_it_is_on(chat):
    assert "switched off" not in chat.say("/start")[0]


@pytest.mark.parametrize("stream", [False, True])
def test_chat_completions_say_why_they_know_nothing(ann, openai_server, off, stream):
    how = (
        {"stream": True, "stream_options": {"include_memories": True}} if stream else {}
    )
    answer = ann.api.ask(f"I like tea. {QUESTION}", chat="c1", **how)
    run_due()
    told = answer[-1] if stream else answer
    if "memories" in told:
        assert told.items() >= ({"memories": []} | OFF).items()
    assert SECRET not in asked_of_models(openai_server)
    assert not CaptureJob.objects.exists()


def test_rest_finds_and_adds_nothing_and_shows_what_is_kept(ann, known, off):
    assert ann.send("GET", "/search", params={"q": SECRET}) == {"memories": []} | OFF
    body = {"q": SECRET, "former": True, "kind": "memory"}
    assert ann.send("POST", "/search", json=body) == {"memories": []} | OFF
    (decision,) = ann.add("I like tea")
    assert decision.items() >= ({"action": "reject"} | OFF).items()
    said = [{"role": "user", "content": "I like tea"}]
    added = ann.send("POST", json={"messages": said})
    assert added["jobs"] == []
    assert added["decisions"][0].items() >= OFF.items()
    assert FACT in ann.texts()
    ann.send("DELETE", f"/{known.pk}")
    assert FACT not in ann.texts()


def test_search_gives_no_reason_while_memory_is_on(ann):
    found = ann.send("GET", "/search", params={"q": SECRET})
    assert found["memories"]
    assert (found["reason"], found["message"]) == (None, None)


def test_staff_find_nothing_either(ann, staff, member, off):
    search = {"q": SECRET, "user": member.user.email}
    assert staff.send("GET", "/search", params=search) == {"memories": []} | OFF
    for api in (ann.api, staff.api):
        answer = api.send("GET", "/api/memory/search", params={"q": SECRET}).json()
        assert answer == {"results": [], "limit": 0} | OFF
        page = api.send("GET", "/api/memory").text
        assert "Memory is switched off for the space." in page
        assert SECRET not in page


def test_snapshot_of_a_space_says_nothing_of_the_switch_while_it_is_on(member):
    page = render_snapshot(read_snapshot(member.space_id))
    assert SECRET in page
    assert "switched off" not in page


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"query": SECRET}),
        ("recall", {"query": SECRET, "detail": True, "kind": "profile"}),
        ("list_memories", {}),
        ("get_profile", {}),
    ],
)
def test_tools_of_models_read_nothing(ann, off, tool, arguments):
    assert call_tool(ann.api, tool, **arguments).endswith(f"{SENTENCE} (no_memory)")


@pytest.mark.parametrize("uri", ["memory://profile", "memory://recent"])
def test_resources_of_models_have_nothing(ann, off, uri):
    answer = send_mcp(ann.api, "resources/read", {"uri": uri}, {}).text
    assert SECRET not in answer
    assert "error" in answer


def test_tools_of_models_learn_nothing_and_still_forget(ann, known, off):
    decision = call_tool(
        ann.api, "remember", text="I like tea", user_words="I like tea"
    )
    assert decision.items() >= ({"action": "reject"} | OFF).items()
    missed = call_tool(ann.api, "forget", text=f"I often take {SECRET} and more")
    assert FACT not in json.dumps(missed)
    call_tool(ann.api, "forget", id=str(known.pk))
    known.refresh_from_db()
    assert not known.active


def test_mem0_finds_lists_and_adds_nothing(ann, off):
    search, said = "/v3/memories/search/", [{"role": "user", "content": "I like tea"}]
    found = call_mem0(ann.api, "POST", search, json={"query": SECRET})
    assert found == {"results": []} | OFF
    listed = call_mem0(ann.api, "POST", "/v3/memories/", json={})
    assert listed.items() >= ({"results": [], "count": 0} | OFF).items()
    for infer in (False, True):
        body = {"messages": said, "infer": infer}
        added = call_mem0(ann.api, "POST", "/v3/memories/add/", json=body)
        assert added["status"] == "SUCCEEDED"
        assert added["results"][0].items() >= ({"event": "NONE"} | OFF).items()


def test_models_change_nothing_by_an_id_and_still_forget(ann, known, off):
    new = f"User takes {SECRET} twice"
    corrected = call_tool(ann.api, "correct", id=str(known.pk), text=new)
    assert corrected.endswith(f"{SENTENCE} (no_memory)")
    address = f"/v1/memories/{known.pk}/"
    for method, path in (("GET", ""), ("GET", "history/"), ("PUT", "")):
        how = {"json": {"text": new}} if method == "PUT" else {}
        refused = call_mem0(ann.api, method, f"{address}{path}", 409, **how)
        assert (refused["detail"], refused["reason"]) == (SENTENCE, "no_memory")
    assert rows() >= {(FACT, True)}
    call_mem0(ann.api, "DELETE", address)
    assert not Memory.objects.active().filter(pk=known.pk).exists()


def test_forgotten_sentence_stays_out_of_prompts(member, openai_server):
    openai_server.chat.queue(noting(memory_saves=["User takes lithium"]))
    first = write(ask(member, "I take lithium. It rains."))
    service.forget(
        retraction_scope(member.user_id, member.space_id),
        Memory.objects.filter(content="User takes lithium").values_list(
            "pk", flat=True
        ),
    )
    switch(member, on=False)
    write(ask(member, "And tomorrow?", conversation_id=first.conversation_id))
    sent = json.dumps(openai_server.chat.requests[-1].body)
    assert "It rains" in sent
    assert "lithium" not in sent


def test_messages_of_other_channels_are_not_kept(ann, off):
    body = {
        "channel": "discord",
        "thread": "kitchen",
        "external_id": "1",
        "text": "Hi all",
    }
    answer = ann.api.send("POST", "/api/ingest", json=body).json()
    assert answer["data"] == [
        {"external_id": "1", "state": "skipped", "message": SENTENCE}
    ]


@pytest.mark.parametrize("command", ["import_facts", "import_conversations"])
def test_files_are_not_imported(member, tmp_path, off, command):
    file = tmp_path / "facts.jsonl"
    file.write_text('{"text": "User likes tea"}\n')
    with pytest.raises(CommandError, match="has switched memory off"):
        call_command(command, str(file), user=member.user.email)


def test_work_that_waited_finds_nothing_to_do(member, openai_server):
    scope, before = scope_for(member.user, member.space_id, channel="api"), rows()
    told = Provenance("background", timezone.now())
    service.capture_later(scope, f"I like {SECRET} tea", told)
    switch(member, on=False)
    run_due()
    assert rows() == before
    assert openai_server.titles.requests == []
    assert not CaptureJob.objects.unfinished().exists()


def test_no_prompts_are_probed(member, off, openai_server):
    write(ask(member, "Hello"))
    put_probes()
    assert not ProbeJob.objects.exists()
    assert probe(member.user, member.space).asked == 0


def test_facts_are_kept_for_their_owner(member, off):
    scope = retraction_scope(member.user_id, member.space_id)
    assert FACT in {fact.content for fact in service.seen_facts(scope)}
    assert str(Reason.NO_MEMORY.label) == SENTENCE
