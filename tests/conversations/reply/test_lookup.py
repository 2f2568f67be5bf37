"""A model that searches memory while it answers, where the policy lets it."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from conversations import event_log
from conversations.models import Message
from conversations.reply import active_replies, runner
from meddie.threads import run_work
from memory import service
from memory.models import MemoryPolicy
from people.models import Membership
from people.scope import scope_for
from tests.conversations.api.openai.client import api_for, content, said, words
from tests.conversations.receipts import retrieved
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory, MemoryFactory
from tests.openai_answers import calls_tool, fails, says, stalls
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.req("S3-50")]

CAT, OTHERS = "User's cat is called Milo", "User's cat is called Rex"
QUERY = "what is the cat called"
ASKED = json.dumps({"query": QUERY})


@pytest.fixture
def member():
    member = MembershipFactory()
    # Nothing but the search brings a fact.
    MemoryPolicy.objects.create(space=member.space, model_lookup=True, facts_tokens=0)
    other = MembershipFactory(space=member.space, role=Membership.Role.MEMBER)
    for one, text in ((member, CAT), (other, OTHERS)):
        MemoryFactory(user=one.user, space=one.space, content=text)
    return member


@pytest.fixture
def answered(member, openai_server):
    """The reply to a message that the model answers like this."""

    def answered(*answers):
        openai_server.chat.queue(*answers)
        reply = write(ask(member, "Whom shall I feed?"))
        assert openai_server.chat.unused == 0
        return reply

    return answered


@pytest.fixture
def asked(openai_server):
    return lambda: [request.body for request in openai_server.chat.requests]


def looked_up(reply):
    rows = retrieved(message=reply)
    return [(row.kind, row.injected) for row in rows if row.section == "looked_up"]


def test_the_model_searches_once_and_answers_with_the_result(
    answered, asked, member, admin_client
):
    note = noting("Milo.", memory_saves=[])
    reply = answered(calls_tool(ASKED, text="Let me look."), note)
    first, second = asked()
    [tool] = first["tools"]
    assert tool["function"]["name"] == "search_memory"
    assert CAT not in json.dumps(first)
    call, result = second["messages"][-2:]
    assert second["messages"][:-2] == first["messages"]
    assert json.loads(call["tool_calls"][0]["function"]["arguments"]) == {
        "query": QUERY
    }
    assert result["tool_call_id"] == call["tool_calls"][0]["id"] == "call-0"
    assert CAT in result["content"]
    assert OTHERS not in result["content"]
    assert second["tool_choice"] == "none"
    assert (reply.status, reply.content) == ("done", "Let me look.\n\nMilo.")
    assert (reply.lookup, looked_up(reply)) == (QUERY, [("memory", True)])
    assert reply.tokens_in > 2 * len(first["messages"][0]["content"].split())
    page = admin_client.get(
        reverse("admin:conversations_conversation_change", args=[reply.conversation_id])
    )
    assert f"The model searched for “{QUERY}”." in page.text
    service.forget(scope_for(member.user, member.space_id, channel="web"), None)
    reply.refresh_from_db()
    assert reply.lookup == ""


def test_without_the_policy_no_tool_is_offered(answered, asked, member):
    MemoryPolicy.objects.update(model_lookup=False)
    assert answered(says("Whom you like.")).status == "done"
    [request] = asked()
    assert "tools" not in request


def test_nothing_is_searched_while_memory_is_off(answered, asked, member):
    member.user.memory_on = False
    member.user.save()
    answered(says("Whom you like."))
    assert "tools" not in asked()[0]


def test_a_second_call_beside_the_first_is_refused(answered, asked):
    other = json.dumps({"query": "birthdays"})
    reply = answered(calls_tool(ASKED, other), says("Milo."))
    results = [m["content"] for m in asked()[1]["messages"] if m["role"] == "tool"]
    assert CAT in results[0]
    assert "only one call" in results[1]
    assert (reply.lookup, reply.content) == (QUERY, "Milo.")


def test_a_second_call_instead_of_an_answer_fails_the_reply(answered, asked):
    reply = answered(*[calls_tool(ASKED)] * 2)
    assert (reply.status, reply.error, reply.content) == ("failed", "garbled", "")
    assert len(asked()) == 2


@pytest.mark.parametrize(
    "arguments", ['{"query": "the ca', "[]", '{"q": "cat"}', '{"query": 7}', "nothing"]
)
def test_broken_arguments_search_nothing(answered, asked, arguments):
    reply = answered(calls_tool(arguments), says("Whom you like."))
    call, result = asked()[1]["messages"][-2:]
    json.loads(call["tool_calls"][0]["function"]["arguments"])
    assert "arguments" in result["content"]
    assert (reply.content, reply.lookup) == ("Whom you like.", "")
    assert looked_up(reply) == []


def test_a_search_without_a_result_says_so(answered, asked):
    reply = answered(
        calls_tool(json.dumps({"query": "shoe size"})), says("I do not know.")
    )
    assert "Nothing of that kind" in asked()[1]["messages"][-1]["content"]
    assert (reply.lookup, looked_up(reply)) == ("shoe size", [])


def test_no_fragment_of_the_call_is_streamed(answered, monkeypatch):
    streamed = []
    append = event_log.append

    async def spy(reply_id, event):
        streamed.append(event)
        await append(reply_id, event)

    monkeypatch.setattr(event_log, "append", spy)
    answered(calls_tool(ASKED), says("Milo."))
    texts = [one.text for one in streamed if isinstance(one, event_log.Appended)]
    assert "".join(texts) == "Milo."


def test_a_provider_that_refuses_tools_is_asked_without_them_from_then_on(
    answered, asked
):
    def refuses_tools(body):
        return fails(400) if "tools" in body else says("Whom you like.")

    replies = [answered(*[refuses_tools] * 2), answered(refuses_tools)]
    assert {one.content for one in replies} == {"Whom you like."}
    assert ["tools" in one for one in asked()] == [True, False, False]


def test_failure_after_the_call_fails_the_reply(answered):
    reply = answered(calls_tool(ASKED), fails(401))
    assert (reply.status, reply.error, reply.lookup) == ("failed", "wrong_key", QUERY)


def test_a_pause_after_the_call_has_its_time_limit(answered, impatience):
    reply = answered(calls_tool(ASKED), stalls())
    assert (reply.status, reply.error) == ("failed", "timed_out")


def test_a_reply_is_stopped_after_the_call(member, openai_server):
    openai_server.chat.queue(calls_tool(ASKED), says("Milo is hungry.", hold=0))
    turn = ask(member, "Whom shall I feed?")

    async def writing():
        await runner.start(turn)
        task = active_replies.replies[turn.reply_id].task
        await run_work(wait_until, lambda: len(openai_server.chat.requests) == 2)
        await runner.stop(turn.reply_id)
        await task

    async_to_sync(writing)()
    reply = Message.objects.get(pk=turn.reply_id)
    assert (reply.status, reply.lookup) == ("stopped", QUERY)
    assert openai_server.hung_up.wait(PATIENCE)


class TestApi:
    @pytest.fixture
    def api(self, member, openai_server):
        return api_for(member)

    @pytest.mark.parametrize("text", ["", "Let me look."])
    def test_stream_has_the_answer_alone(self, api, openai_server, text):
        openai_server.chat.queue(calls_tool(ASKED, text=text), says("Milo."))
        events = api.ask("Whom shall I feed?", chat="a", stream=True)
        assert "tool_call" not in json.dumps(events)
        assert words(events) == (f"{text}\n\nMilo." if text else "Milo.")
        assert len({one["id"] for one in events}) == 1
        finished = [c["finish_reason"] for e in events for c in e["choices"]]
        assert finished[-1] == "stop"
        assert set(finished[:-1]) == {None}

    def test_whole_answer_lists_what_was_found(self, api, openai_server):
        openai_server.titles.queue(calls_tool(ASKED), says("Milo."))
        answer = api.ask("Whom shall I feed?", chat="a")
        assert content(answer) == "Milo."
        assert "tool_calls" not in answer["choices"][0]["message"]
        assert CAT in [one["text"] for one in answer["memories"]]
        reply = Message.objects.get(role="assistant")
        assert (reply.content, reply.lookup) == ("Milo.", QUERY)
        assert looked_up(reply) == [("memory", True)]

    def test_tools_of_the_client_pass_untouched(self, api, openai_server):
        own = {"type": "function", "function": {"name": "weather", "parameters": {}}}
        openai_server.chat.queue(calls_tool("{}", name="weather"))
        events = api.ask("Does it rain?", tools=[own], stream=True)
        [request] = openai_server.chat.requests
        assert request.body["tools"] == [own]
        assert "weather" in json.dumps(events)

    def test_result_of_a_clients_tool_offers_no_search(self, api, openai_server):
        openai_server.chat.queue(says("No."))
        result = said("dry", "tool") | {"tool_call_id": "a"}
        call = {"id": "a", "type": "function", "function": {"name": "weather"}}
        asking = said("", "assistant") | {"tool_calls": [call]}
        api.ask("Does it rain?", asking, result, stream=True)
        assert "tools" not in openai_server.chat.requests[0].body
