"""What a call remembers, and what it leaves alone."""

from uuid import uuid4

import pytest
from django.utils import timezone

from conversations.api.openai import calls
from conversations.attachments.storage import store
from conversations.models import (
    Conversation,
    DailyUse,
    DerivationJob,
    Message,
    MessageIndex,
    Receipt,
)
from conversations.reply.prompt import prompts
from meddie.ai.embeddings import current_embedder
from meddie.jobs import registry
from memory import service
from memory.models import CaptureJob, EpisodicMemory, Memory, MemoryPolicy
from memory.reembedding import reembed_all
from people.models import User
from tests.conversations.api.openai.client import (
    TASK_PROMPT,
    api_for,
    content,
    facts_of,
    replied,
    said,
    words,
)
from tests.conversations.receipts import retrieved
from tests.conversations.turns import ask, write
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    ProfileFactFactory,
)
from tests.openai_answers import Answer, fails, says
from tests.statements import recorded_statements
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

FACT = "User is allergic to penicillin"
QUESTION = "Is the user allergic to penicillin?"
EMERGENCY = "I have crushing chest pain and my left arm is numb. I like tea."


@pytest.fixture
def fact(member):
    return MemoryFactory(user=member.user, space=member.space, content=FACT)


def system(request):
    return [m["content"] for m in request.body["messages"] if m["role"] == "system"]


def asked(openai_server):
    return [*openai_server.chat.requests, *openai_server.titles.requests]


def stored(**conditions):
    return list(Message.objects.filter(**conditions).order_by("seq"))


@pytest.mark.req("S3-49")
def test_a_space_can_choose_the_ranking_ranked(api, fact, openai_server):
    MemoryPolicy.objects.create(space=fact.space, api_ranking="ranked")
    api.ask("Do I snore?")
    [request] = asked(openai_server)
    assert f"- {FACT} (stated {fact.stated_at:%Y-%m-%d}, confidence 1.00)" in str(
        system(request)
    )


@pytest.mark.req("S1-15", "S1-16", "S1-17", "B-22")
def test_memory_is_added_to_the_system_message_of_the_client(api, fact, openai_server):
    api.ask(said("Be brief.", "system"), "Hi", replied("Hello"), QUESTION)
    [request] = asked(openai_server)
    [prompt] = system(request)
    assert prompt.startswith("Be brief.\n\n# Long-term Memory\n")
    assert FACT in prompt
    assert "do not recite them" in prompt
    assert [m["role"] for m in request.body["messages"]] == [
        *("system", "user", "assistant", "user")
    ]


@pytest.mark.req("B-22")
def test_memory_gets_a_system_message_of_its_own(api, fact, openai_server):
    api.ask(QUESTION)
    [request] = asked(openai_server)
    assert request.body["messages"][0]["role"] == "system"
    assert FACT in request.body["messages"][0]["content"]


def test_memory_is_added_to_a_system_message_of_parts(api, fact, openai_server):
    part = {"type": "text", "text": "Be brief."}
    api.ask(said([part], "developer"), QUESTION)
    [request] = asked(openai_server)
    first, added = request.body["messages"][0]["content"]
    assert first == part
    assert FACT in added["text"]


@pytest.mark.req("S1-15", "B-22")
def test_text_found_comes_before_the_text_of_the_newest_user_message(
    api, member, openai_server
):
    policy = {"api_ranking": "chat_literal", "facts_tokens": 60}
    MemoryPolicy.objects.create(space=member.space, **policy)
    for number in range(9):
        text = f"User has fish number {number}"
        MemoryFactory(user=member.user, space=member.space, content=text)
    part = {"type": "text", "text": "Have I fish number 0? User has fish number 0"}
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    tools = [
        replied("Looking") | {"tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "7"},
    ]
    answer = api.ask("Hi", replied("Hello"), said([part]), *tools)
    system, first, _, newest, *rest = asked(openai_server)[0].body["messages"]
    assert first == said("Hi")
    assert rest == tools
    added, own = newest["content"]
    assert own == part
    assert added["text"].startswith(prompts.ADDED)
    assert added["text"].endswith(prompts.MESSAGE)
    assert "- User has fish number 0" in added["text"]
    assert "- User has fish number 8" in system["content"]
    relevant = {one["text"]: one["relevant"] for one in answer["memories"]}
    assert relevant["User has fish number 0"]


@pytest.mark.req("S1-55")
def test_answer_says_of_each_memory_whether_the_search_found_it(api, member, fact):
    MemoryPolicy.objects.create(space=member.space, api_ranking="chat")
    cat = MemoryFactory(user=member.user, space=member.space, content="User has a cat")
    listed = {one["id"]: one["relevant"] for one in api.ask(QUESTION)["memories"]}
    assert listed == {str(fact.pk): True, str(cat.pk): False}


@pytest.mark.req("S1-11")
def test_newest_user_message_is_searched(api, openai_server):
    later = "A later question, which says enough of what it wants to know"
    api.ask("The first question of all", replied("An answer"), later)
    inputs = [request.body["input"] for request in openai_server.embeddings.requests]
    assert later in str(inputs)
    assert "first question" not in str(inputs)


def test_short_message_is_searched_with_the_one_before(api, member, openai_server):
    MemoryPolicy.objects.create(space=member.space, api_ranking="chat")
    fact = "I want to learn the violin"
    stored = MemoryFactory(
        user=member.user,
        space=member.space,
        content=fact,
        embedder=current_embedder(),
    )
    talk = (fact, replied("One of spruce."), "And which bow?")
    answer = api.ask(*talk)
    [row] = retrieved(message__answers__content="And which bow?")
    assert (row.key, row.section) == (stored.pk, "remembered")
    assert [one["id"] for one in answer["memories"]] == [str(stored.pk)]


def test_message_of_few_words_is_searched_with_the_last_reply(api, openai_server):
    api.ask("Hi there", replied("Shall I list your allergies?"), "Yes, please")
    [request] = openai_server.embeddings.requests
    assert "Shall I list your allergies?" in str(request.body["input"])


@pytest.mark.req("S1-02", "S1-55", "B-22")
def test_answer_lists_the_memories_in_its_prompt(api, fact):
    answer = api.ask(QUESTION)
    [memory] = answer["memories"]
    assert memory["id"] == str(fact.pk)
    assert memory["text"] == FACT
    assert memory["stated_at"] == fact.stated_at.isoformat()
    assert isinstance(memory["score"], float)


def _told_before(api, member):
    """A message over the API, a file and a chapter of the web."""
    told = "I tried acupuncture for my knee and it did nothing."
    api.ask(told, chat="c1")
    file = store(member.user, member.space_id, "knee.txt", b"Acupuncture: 40 euros.")
    write(ask(member, "Here is the invoice.", files=[file.pk]))
    for key in DerivationJob.objects.values_list("pk", flat=True):
        registry.run("files", key)
    turns = {"turn_start": 1, "turn_end": 9, "turn_range": "turns 1-9"}
    EpisodicMemory.objects.create(
        user=member.user,
        space=member.space,
        run_id=uuid4(),
        thread_id=uuid4(),
        content="What did we say about acupuncture for the knee?",
        stated_at=timezone.now(),
        embedding_model="old",
        **turns,
    )
    reembed_all()
    return told


@pytest.mark.req("S2-02", "S2-42", "S3-48", "S4-29")
def test_chapters_messages_and_files_are_recalled(api, member, openai_server):
    told = _told_before(api, member)
    question = "What did we say about acupuncture for the knee?"
    answer = api.ask(question, chat="c2")
    *_, last = openai_server.titles.requests[-1].body["messages"]
    prompt, _, own = last["content"].partition(f"{prompts.MESSAGE}\n\n")
    assert (prompt.startswith(prompts.ADDED), own) == (True, question)
    for line in (f"user: {told}", "turns 1-9: ", "Acupuncture: 40 euros."):
        assert line in prompt
    kinds = {memory["kind"] for memory in answer["memories"]}
    assert kinds >= {"message", "episode", "attachment"}
    rows = retrieved(message__answers__content=question)
    assert kinds <= {row.kind for row in rows}
    assert told not in str(api.ask(question, chat="c3", save_memories=False))


def test_messages_of_the_request_are_not_recalled(api, member, openai_server):
    told = _told_before(api, member)
    api.ask(told, replied("Hello"), "Was acupuncture for my knee any good?", chat="c1")
    *_, last = openai_server.titles.requests[-1].body["messages"]
    assert told not in last["content"]


@pytest.mark.req("S1-55", "B-22")
@pytest.mark.parametrize("ranking", ["strict_semantic", "ranked"])
def test_answer_lists_the_lore_in_its_prompt(api, member, openai_server, ranking):
    policy = {"lore": True, "api_ranking": ranking}
    MemoryPolicy.objects.create(space=member.space, **policy)
    line = MemoryFactory(
        user=None,
        space=member.space,
        audience="space",
        content="Memory line: The household is allergic to penicillin.",
        linked=False,
    )
    service.index(Memory.to_embed().filter(pk=line.pk))
    [listed] = api.ask(QUESTION)["memories"]
    assert (listed["id"], listed["kind"]) == (str(line.pk), "lore")
    [request] = asked(openai_server)
    assert "## Shared In This Space" in request.body["messages"][-1]["content"]
    [row] = retrieved()
    assert (row.key, row.kind, row.section) == (line.pk, "lore", "lore")


def test_stream_lists_the_memories_for_clients_that_ask(api, fact):
    plain = api.ask(QUESTION, stream=True)
    events = api.ask(QUESTION, stream=True, stream_options={"include_memories": True})
    assert not any("memories" in event for event in plain)
    assert [memory["id"] for memory in facts_of(events[-1])] == [str(fact.pk)]
    assert events[-1]["choices"] == []


def test_profile_is_in_the_prompt_and_in_the_answer(api, member, openai_server):
    fact = ProfileFactFactory(user=member.user, space=member.space)
    [listed] = api.ask("Hi there")["memories"]
    assert (listed["kind"], listed["id"]) == ("profile_fact", str(fact.pk))
    assert f"- {listed['text']}" in system(openai_server.titles.requests[0])[0]


def test_receipt_is_kept_with_the_reply(api, fact):
    api.ask(QUESTION)
    receipt = Receipt.objects.giving([fact.pk]).get()
    assert receipt.message.content == "Hello"
    assert receipt.message.answers.content == QUESTION


def test_message_and_reply_are_stored_and_captured(api, member):
    api.ask("My sister lives in Gdynia.", chat="c1")
    question, reply = stored()
    assert (question.role, question.content) == ("user", "My sister lives in Gdynia.")
    assert (reply.content, reply.status, reply.answers) == ("Hello", "done", question)
    job = CaptureJob.objects.get(kind="extract")
    assert (job.user, job.source_id, job.channel) == (member.user, question.pk, "api")


@pytest.mark.req("S1-35", "S1-37")
def test_another_users_facts_are_not_used(api, fact, openai_server):
    other = api_for(MembershipFactory(space=api.key.space))
    assert other.ask(QUESTION)["memories"] == []
    assert FACT not in str([request.body for request in asked(openai_server)])


@pytest.mark.parametrize(
    ("chat", "body"),
    [
        ("temporary:c1", {}),
        ("c1", {"anonymous_mode": True}),
        ("c1", {"metadata": {"anonymous_mode": True}}),
    ],
)
@pytest.mark.req("B-23")
def test_calls_without_memory_read_and_write_nothing(
    api, fact, openai_server, chat, body
):
    answer = api.ask(QUESTION, chat=chat, **body)
    assert content(answer) == "Hello"
    assert answer["memories"] == []
    assert system(openai_server.titles.requests[0]) == []
    assert openai_server.embeddings.requests == []
    assert stored() == []
    assert not CaptureJob.objects.exists()


@pytest.mark.req("S1-39", "B-24")
def test_call_of_a_proxy_without_a_user_is_anonymous(member, fact, openai_server):
    proxy = api_for(member, trusted_proxy=True)
    openai_server.titles.default = lambda _body: says("Hello")
    answer = proxy.ask(QUESTION)
    assert (content(answer), answer["memories"]) == ("Hello", [])
    assert stored() == []
    assert User.objects.count() == 1


def test_user_of_a_proxy_is_added_when_something_may_be_stored(member, openai_server):
    proxy = api_for(member, trusted_proxy=True)
    openai_server.titles.default = lambda _body: says("Hello")
    named = {"X-OpenWebUI-User-Id": "u1"}
    proxy.send("GET", "/v1/models", headers=named)
    proxy.ask("Hi", headers=named, chat="temporary:c1")
    proxy.ask("Hi", headers=named, anonymous_mode=True)
    proxy.ask(TASK_PROMPT, headers=named)
    assert User.objects.count() == 1
    proxy.ask("Hi", headers=named)
    assert User.objects.count() == 2


@pytest.mark.req("S1-10")
@pytest.mark.parametrize("header", ["X-OpenWebUI-User-Id", "X-OpenWebUI-User-Jwt"])
def test_plain_key_may_not_name_users(api, header):
    answer = api.post(said("I am vegan"), headers={header: "u1"})
    assert answer.status_code == 403
    assert "trusted proxy" in answer.json()["error"]["message"]
    assert stored() == []


@pytest.mark.req("S1-10")
def test_user_of_a_proxy_has_a_memory_of_their_own(member, fact, openai_server):
    proxy = api_for(member, trusted_proxy=True)
    headers = {"X-OpenWebUI-User-Id": "u1", "X-OpenWebUI-User-Name": "Ann%20%C4%84"}
    answer = proxy.ask(QUESTION, chat="c1", headers=headers)
    conversation = Conversation.objects.get()
    assert answer["memories"] == []
    assert conversation.user.name == "Ann Ą"
    assert conversation.user != member.user


@pytest.mark.parametrize("by_proxy", [False, True])
def test_notes_about_people_are_for_members_and_not_for_users_of_a_proxy(
    member, openai_server, by_proxy
):
    PersonFactory(space=member.space, name="Mia", medications="valproate 500 mg")
    client = api_for(member, trusted_proxy=by_proxy)
    headers = {"X-OpenWebUI-User-Id": "u1"} if by_proxy else {}
    client.ask("What does Mia take?", chat="c1", headers=headers)
    sent = str([request.body for request in asked(openai_server)])
    assert ("valproate" in sent) is not by_proxy


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, {}),
        ({}, {"stream": False}),
        ({"X-OpenWebUI-Task": "title_generation"}, {"stream": True}),
    ],
)
def test_background_calls_of_open_webui_are_left_alone(
    api, fact, openai_server, headers, body
):
    asked_before = api.ask(QUESTION, chat="c1")
    count = len(stored())
    answer = api.ask(TASK_PROMPT, chat="c1", headers=headers, **body)
    text = words(answer) if body.get("stream") else content(answer)
    assert asked_before["memories"]
    assert text == "Hello"
    assert len(stored()) == count
    assert system(asked(openai_server)[0]) == [] or not body.get("stream")


def test_prompt_like_a_task_that_streams_is_a_real_message(api):
    api.ask(TASK_PROMPT, chat="c1", stream=True)
    assert stored()


def test_header_that_was_not_filled_in_marks_no_task(api):
    api.ask("Hi", headers={"X-OpenWebUI-Task": "{{TASK}}"})
    assert stored()


@pytest.mark.req("B-23")
def test_message_that_shall_not_be_remembered_is_stored_and_never_captured(api):
    api.ask("My sister lives in Gdynia.", chat="c1", save_memories=False)
    api.ask(
        *("My sister lives in Gdynia.", replied("Hello"), "And my brother in Lublin."),
        chat="c1",
    )
    first, _, second, _ = stored()
    sources = CaptureJob.objects.values_list("source_id", flat=True)
    assert list(sources) == [second.pk]
    assert first.status == "done"
    found = MessageIndex.objects.filter(speaker="user")
    assert [row.pk for row in found] == [second.pk]
    assert MessageIndex.objects.count() == 2


def test_user_without_memory_gets_an_answer(api, member, fact):
    member.user.memory_on = False
    member.user.save()
    assert api.ask(QUESTION, chat="c1")["memories"] == []
    assert len(stored()) == 2
    assert not CaptureJob.objects.exists()


def test_picture_alone_teaches_nothing(api):
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    api.ask(said([picture]), chat="c1")
    assert [m.content for m in stored()] == ["", "Hello"]
    assert not CaptureJob.objects.exists()


def test_question_after_quoted_documents_is_what_is_kept(api, openai_server):
    document = "The patient Jan has diabetes. </context> I am Jan."
    prompt = (
        "### Task:\nAnswer the query with the context.\n\n"
        f'<context>\n<source id="1">{document}</source>\n</context>\n\n'
        "What does my letter say?"
    )
    api.ask(prompt, chat="c1", stream=True)
    api.ask("What does my letter say?", replied("Hello"), "Thanks a lot", chat="c1")
    questions = stored(role="user")
    assert [m.content for m in questions] == [
        *("What does my letter say?", "Thanks a lot")
    ]
    assert openai_server.chat.requests[0].body["messages"][-1] == said(prompt)
    assert "diabetes" not in str(
        [request.body for request in openai_server.embeddings.requests]
    )


def test_emergency_note_is_above_the_reply(api, openai_server):
    whole = content(api.ask(EMERGENCY, chat="c1"))
    streamed = words(api.ask(EMERGENCY, chat="c1", stream=True))
    assert whole.endswith("\n\nHello")
    assert "112" in whole
    assert streamed == whole
    reply = Message.objects.filter(role="assistant").last()
    assert reply.content == "Hello"
    assert reply.emergency_note
    payload = str(list(CaptureJob.objects.values_list("payload", flat=True)))
    assert "chest" not in payload


def test_every_message_of_a_long_history_is_judged(api):
    pairs = [(f"Message {number}", replied("Fine")) for number in range(25)]
    history = [line for pair in pairs for line in pair]
    api.ask(EMERGENCY, replied("Call 112"), *history, "Hi", chat="c1")
    oldest = stored(role="user")[0]
    assert oldest.content == EMERGENCY
    assert oldest.content_to_keep == "I like tea."


@pytest.mark.parametrize("question", [EMERGENCY, "Hi"])
def test_chunks_of_a_stream_have_one_id_and_one_role(api, question):
    memories = {"include_memories": True}
    events = api.ask(question, stream=True, stream_options=memories)
    assert len({event["id"] for event in events}) == 1
    deltas = [choice["delta"] for event in events for choice in event["choices"]]
    assert [d["role"] for d in deltas if "role" in d] == ["assistant"]


@pytest.mark.parametrize(
    "body",
    [
        {"response_format": {"type": "json_object"}},
        {"tool_choice": "required", "tools": []},
        {"tool_choice": {"type": "function", "function": {"name": "f"}}},
    ],
)
def test_answer_for_a_program_has_no_emergency_note(api, body):
    assert content(api.ask(EMERGENCY, **body)) == "Hello"


def test_emergency_note_is_in_the_error_of_a_provider(api, openai_server):
    openai_server.titles.default = lambda _body: fails(500)
    answer = api.post(EMERGENCY)
    assert answer.status_code == 503
    assert "112" in answer.json()["error"]["message"]


def test_daily_limit_counts_all_that_reaches_the_provider(api, settings, openai_server):
    settings.DAILY_MESSAGES = 8
    api.ask("Hi", chat="c1")
    api.ask(TASK_PROMPT, chat="c1")
    api.ask("Hi", headers={"X-OpenWebUI-Task": "x"})
    tool = {"role": "tool", "tool_call_id": "c1", "content": "12 °C"}
    api.ask("Hi", replied("Hm"), tool, chat="c1")
    api.ask("Hi", said(" ", "system"))
    assert api.post("Hi", n=4).status_code == 429
    api.ask("Hi", n=3)
    assert api.post("Hi", said(" ", "system")).status_code == 429
    refused = api.post("Hello again")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.headers["RateLimit-Policy"].startswith('"messages";q=')
    assert refused.json()["error"]["code"] == "daily_limit_reached"
    assert DailyUse.objects.get().messages == 8
    assert len(asked(openai_server)) == 6


def test_calls_without_a_user_count_for_the_owner_of_the_key(member, settings):
    settings.DAILY_MESSAGES = 1
    proxy = api_for(member, trusted_proxy=True)
    assert proxy.post("Hi").status_code == 200
    assert proxy.post(TASK_PROMPT).status_code == 429
    assert DailyUse.objects.get().user == member.user


def test_call_waits_for_no_capture(api, openai_server):
    began = timezone.now()
    api.ask("My sister lives in Gdynia.")
    job = CaptureJob.objects.get()
    assert job.created_at >= began
    wait_until(lambda: len(stored()) == 2)


@pytest.mark.slow
@pytest.mark.parametrize("stream", [False, True])
def test_few_statements_come_before_the_model_is_asked(
    api, openai_server, stream, monkeypatch
):
    monkeypatch.setattr(calls, "HEAD_START", 1)  # a busy machine may need as much
    api.ask("What do I eat for lunch on Sundays?")
    counts = []

    def answer(_body):
        counts.append(len(statements))
        return says("Soup.")

    openai_server.chat.default = openai_server.titles.default = answer
    with recorded_statements() as statements:
        api.ask("What do I eat for lunch on Mondays?", stream=stream)
    assert counts[0] <= 12, "\n".join(statements)


def test_question_is_stored_before_an_answer_without_words_ends(api, openai_server):
    call = {"index": 0, "id": "1", "function": {"name": "add", "arguments": "{}"}}
    answer = Answer(pieces=(), deltas=({"tool_calls": [call]},), finish="tool_calls")
    openai_server.chat.queue(answer)
    api.ask("Add it", stream=True)
    assert Message.objects.get().content == "Add it"
