"""Chats whose whole history comes with every call."""

import asyncio
import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.forgetting.deletion import delete_conversation
from conversations.models import Conversation, Episode, Message
from memory import service
from memory.models import CaptureJob, Memory
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, Provenance
from people.scope import scope_for
from tests.conversations.api.openai.client import api_for, replied
from tests.conversations.chapters import sum_up, texts_of
from tests.factories import MemoryFactory
from tests.openai_answers import fails, says
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


def current(role="user"):
    found = Message.objects.current().filter(role=role).order_by("seq")
    return [message.content for message in found]


def captured():
    ids = CaptureJob.objects.order_by("stated_at").values_list("source_id", flat=True)
    return [Message.objects.get(pk=pk).content for pk in ids]


def chat(api, *texts, name="c1", **body):
    """The user's texts with replies between them."""
    messages = [m for text in texts[:-1] for m in (text, replied("Hello"))]
    return api.ask(*messages, texts[-1], chat=name, **body)


def test_growing_chat_is_stored_and_captured_once(api):
    chat(api, "First words")
    chat(api, "First words", "Second words")
    chat(api, "First words", "Second words", "Third words")
    assert current() == ["First words", "Second words", "Third words"]
    assert current("assistant") == ["Hello"] * 3
    assert captured() == current()
    assert Conversation.objects.get().title == "First words"


def test_edited_message_withdraws_what_it_taught(api, member):
    chat(api, "I live in Gdynia")
    chat(api, "I live in Gdynia", "I have a cat")
    first, second = Message.objects.filter(role="user").order_by("seq")
    for message in (first, second):
        MemoryFactory(
            user=member.user,
            space=member.space,
            content=f"User says: {message.content}",
            source_message=message,
        )
    chat(api, "I live in Gdynia", "I have a dog")
    assert current() == ["I live in Gdynia", "I have a dog"]
    assert current("assistant") == ["Hello", "Hello"]
    active = Memory.objects.filter(active=True).values_list("content", flat=True)
    assert list(active) == ["User says: I live in Gdynia"]
    assert "I have a cat" not in captured()


def test_edited_first_message_replaces_the_whole_chat(api):
    chat(api, "I live in Gdynia")
    chat(api, "I live in Gdynia", "I have a cat")
    chat(api, "I live in Lublin", "I have a dog")
    assert current() == ["I live in Lublin", "I have a dog"]


def test_message_like_an_earlier_one_does_not_hide_an_edit(api):
    chat(api, "Okay", "I am vegan", "Okay")
    chat(api, "Okay", "I am vegetarian")
    assert current() == ["Okay", "I am vegetarian"]


def test_edited_first_message_alone_replaces_a_long_chat(api):
    chat(api, "I live in Gdynia")
    chat(api, "I live in Gdynia", "I have a cat")
    chat(api, "I live in Lublin")
    assert current() == ["I live in Lublin"]
    assert captured() == current()


def test_message_that_was_edited_in_its_place_is_captured(api):
    chat(api, "I live in Gdynia")
    chat(api, "I live in Lublin", "I have a cat")
    assert captured() == ["I live in Lublin", "I have a cat"]


def test_branch_that_is_opened_again_is_captured_again(api):
    chat(api, "I live in Gdynia")
    said = Message.objects.get(role="user").created_at
    chat(api, "I live in Lublin")
    chat(api, "I live in Gdynia", "I have a cat")
    assert current() == ["I live in Gdynia", "I have a cat"]
    assert captured() == current()
    assert CaptureJob.objects.earliest("stated_at").stated_at == said


def test_text_that_is_sent_later_in_another_branch_is_said_then(api):
    chat(api, "Hello you", "I live in Gdynia")
    chat(api, "Hello you", "I live in Lublin")
    chat(api, "Hello you", "I live in Lublin", "I live in Gdynia")
    said = Message.objects.filter(role="user").order_by("seq")
    assert [m.created_at for m in said] == sorted({m.created_at for m in said})


def test_forgotten_fact_stays_forgotten_when_its_branch_is_opened_again(api, member):
    chat(api, "Hello you")
    chat(api, "Hello you", "I am diabetic.")
    scope = scope_for(member.user, member.space_id, channel="api")
    line = "User is diabetic"
    candidate = Candidate(line)

    def learn():
        job = CaptureJob.objects.latest("stated_at")
        assert Message.objects.get(pk=job.source_id).content == "I am diabetic."
        provenance = Provenance(
            origin="background", stated_at=job.stated_at, message_id=job.source_id
        )
        service.remember(
            scope, service.prepare_facts([candidate], NO_HOUSEHOLD), provenance
        )
        return [m.content for m in Memory.objects.filter(active=True)]

    assert learn() == [line]
    service.forget(scope, None)
    chat(api, "Hello you", "I feel fine.")
    chat(api, "Hello you", "I am diabetic.")
    assert learn() == []


def test_message_of_a_deleted_conversation_teaches_nothing_again(api):
    chat(api, "Hello you", "I am diabetic.")
    delete_conversation(Conversation.objects.get())
    chat(api, "Hello you", "I am diabetic.", "Still there?")
    assert captured() == ["Still there?"]


def test_message_of_an_anonymous_call_is_never_learnt(api):
    chat(api, "Hello you")
    chat(api, "Hello you", "I am pregnant", anonymous_mode=True)
    chat(api, "Hello you", "I am pregnant", "Thank you")
    chat(api, "Hello you", "Never mind")
    chat(api, "Hello you", "I am pregnant", "Thank you")
    assert captured() == ["Hello you", "Thank you"]


def test_message_that_teaches_nothing_does_not_either_in_a_branch_opened_again(api):
    chat(api, "Hello you")
    chat(api, "Hello you", "I am pregnant", save_memories=False)
    chat(api, "Hello you", "Never mind")
    chat(api, "Hello you", "I am pregnant")
    assert captured() == ["Hello you"]


def test_regenerated_reply_replaces_the_former(api, openai_server):
    chat(api, "Hello you")
    openai_server.titles.queue(says("Another"))
    chat(api, "Hello you")
    assert current() == ["Hello you"]
    assert current("assistant") == ["Another"]
    assert CaptureJob.objects.count() == 1


def test_client_that_sends_only_the_end_edits_nothing(api):
    chat(api, "One thing", "Two things", "Three things")
    chat(api, "Three things", "Four things")
    assert current() == ["One thing", "Two things", "Three things", "Four things"]


def test_chat_seen_first_teaches_only_what_was_not_answered(api):
    texts = [f"Message number {n}" for n in range(25)]
    chat(api, *texts)
    assert current() == texts
    assert captured() == texts[-1:]
    dates = Message.objects.filter(role="user").order_by("seq")
    stated = [message.created_at for message in dates]
    assert stated == sorted(set(stated))


def test_two_models_asked_at_once_do_not_disturb_each_other(api, openai_server):
    both_asked = threading.Barrier(2, timeout=PATIENCE)

    def answer(body):
        both_asked.wait()
        return says(f"I am {body['model']}.")

    openai_server.titles.default = answer

    def ask(model):
        return asyncio.to_thread(chat, api, "Who are you?", model=model)

    async def both():
        await asyncio.gather(ask("one"), ask("two"))

    asyncio.run(both())
    assert current() == ["Who are you?"]
    assert sorted(current("assistant")) == ["I am one.", "I am two."]
    assert CaptureJob.objects.count() == 1


def test_chats_of_two_users_with_one_name_are_apart(member, openai_server):
    proxy = api_for(member, trusted_proxy=True)
    for user in ("u1", "u2"):
        proxy.ask("Hi there", chat="c1", headers={"X-OpenWebUI-User-Id": user})
    assert Conversation.objects.count() == 2


def test_plain_calls_share_a_conversation_and_edit_nothing(api):
    api.ask("One thing", replied("Hello"), "Two things")
    api.ask("Quite another thing")
    assert current() == ["Two things", "Quite another thing"]
    assert Conversation.objects.count() == 1


def test_answer_that_is_given_twice_in_plain_calls_is_stored_twice(api):
    api.ask("Yes, please")
    api.ask("Yes, please")
    assert current() == ["Yes, please"] * 2


def test_message_of_a_plain_call_is_stored_once_while_a_tool_is_called(api):
    tool = {"role": "tool", "tool_call_id": "c1", "content": "12 °C"}
    api.ask("How warm is it?")
    api.ask("How warm is it?", replied("Let me see"), tool)
    assert current() == ["How warm is it?"]


def test_pictures_in_plain_calls_are_not_the_same(api, openai_server):
    openai_server.titles.default = lambda _body: fails(500)
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    for _ in range(2):
        api.post({"role": "user", "content": [picture]})
    assert current() == ["", ""]


def test_message_is_kept_although_the_provider_fails(api, openai_server):
    openai_server.titles.default = lambda _body: fails(500)
    assert api.post("Hello you").status_code == 503
    [reply] = Message.objects.filter(role="assistant")
    assert (current(), reply.status, reply.error) == (
        *(["Hello you"], "failed", "provider_down"),
    )
    openai_server.titles.default = lambda _body: says("Better now")
    api.ask("Hello you")
    assert current() == ["Hello you"]
    assert current("assistant") == ["Better now"]


def test_chat_of_a_deleted_conversation_begins_again(api):
    chat(api, "Hello you")
    Conversation.objects.get().delete()
    chat(api, "Hello you", "Still there?")
    assert current() == ["Hello you", "Still there?"]


def test_calls_of_a_tool_do_not_store_the_message_twice(api):
    tool = {"role": "tool", "tool_call_id": "c1", "content": "12 °C"}
    api.ask("How warm is it?", chat="c1")
    api.ask("How warm is it?", replied(""), tool, chat="c1")
    assert current() == ["How warm is it?"]
    assert current("assistant") == ["Hello"]


@pytest.mark.req("S2-23", "S2-24", "S2-27")
def test_chats_of_the_api_have_episodes(api):
    def age(**ago):
        past = timezone.now() - timedelta(**ago)
        Episode.objects.update(started_at=past, last_user_message_at=past)

    sleep = "Does valerian tea before sleep at night help"
    roses = "When should I prune roses near the garden fence?"
    texts = [sleep, f"{sleep} often?"]
    chat(api, *texts[:1])
    chat(api, *texts)
    age(minutes=10)
    sum_up(sleep)
    for text in (roses, "Which month is right for trimming a tall hedge?"):
        texts.append(text)
        chat(api, *texts)
    assert texts_of(Episode.objects.order_by("started_at")) == [texts[:2], texts[2:]]
    age(hours=9)
    chat(api, *texts, "Good morning!")
    said = Message.objects.filter(role="user").in_order()
    assert list(said.values_list("episode_reason", flat=True)) == [
        "first",
        "stay",
        "off_topic",
        "topic_shift",
        "time_gap",
    ]
    for reply in Message.objects.filter(role="assistant").select_related("answers"):
        assert reply.episode_id == reply.answers.episode_id
