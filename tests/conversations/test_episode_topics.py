"""Episodes that end because the topic changed, through whole turns."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.episodes.topics import weigh_topic
from conversations.models import Episode, MessageIndex, Summary
from conversations.reply.revise import edit, regenerate
from meddie.ai import local_embedder
from memory import service
from memory.models import Memory
from tests.conversations.chapters import MORNING, Chat, sum_up, texts_of
from tests.conversations.summing import echo, run_summaries
from tests.conversations.turns import noting, write
from tests.factories import MembershipFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)
SUMMARY = "Valerian tea and melatonin before sleep at night"
SLEEP = "Does valerian tea or melatonin before sleep at night help"
ROSES = "When should I prune roses near the garden fence?"
HEDGE = "Which month is right for trimming a tall hedge?"


@pytest.fixture
def chat(openai_server):
    """Two turns about sleep, ten minutes after which there is a running summary."""
    chat = Chat(MembershipFactory())
    chat.say(SLEEP)
    chat.say(f"{SLEEP} often?", MORNING + timedelta(minutes=1))
    sum_up(SUMMARY)
    return chat


def later(minutes):
    return MORNING + timedelta(minutes=10 + minutes)


def episodes():
    return Episode.objects.order_by("started_at")


@pytest.mark.req("S2-03", "S2-24", "S2-27", "B-29")
def test_second_message_off_the_topic_begins_an_episode_with_the_first(chat):
    chat.say(ROSES, later(0))
    chat.say(HEDGE, later(1))
    assert chat.reasons() == ["first", "stay", "off_topic", "topic_shift"]
    assert texts_of(episodes()) == [[SLEEP, f"{SLEEP} often?"], [ROSES, HEDGE]]
    before, after = episodes()
    assert (before.status, before.ended_at) == ("closed", later(0))
    assert before.last_user_message_at == MORNING + timedelta(minutes=1)
    assert (after.started_at, after.last_user_message_at) == (later(0), later(1))
    assert after.messages.count() == 4  # with the replies


@pytest.mark.req("S2-27", "S2-51")
def test_one_message_off_the_topic_begins_nothing(chat):
    chat.say(ROSES, later(0))
    chat.say(f"{SLEEP} again?", later(1))
    chat.say(HEDGE, later(2))
    assert chat.reasons()[2:] == ["off_topic", "stay", "off_topic"]
    assert episodes().count() == 1


@pytest.mark.req("S2-51")
@pytest.mark.parametrize("short", ["Yes, please.", "Thanks!", "What else?"])
def test_short_messages_say_nothing_about_the_topic(chat, short):
    chat.say(ROSES, later(0))
    chat.say(short, later(1))
    assert episodes().count() == 1
    assert chat.said()[-1].topic_similarity is None
    chat.say(HEDGE, later(2))
    assert chat.reasons()[2:] == ["off_topic", "stay", "topic_shift"]
    assert texts_of(episodes())[1] == [ROSES, short, HEDGE]


@pytest.mark.req("S2-24")
def test_message_keeps_how_near_the_summary_was(chat):
    chat.say(SUMMARY, later(0))
    chat.say(ROSES, later(1))
    near, far = chat.said()[2:]
    assert near.topic_similarity == pytest.approx(1, abs=1e-4)
    assert far.topic_similarity < 0.5


def test_topic_is_not_weighed_before_there_is_a_summary(openai_server):
    chat = Chat(MembershipFactory())
    for number, text in enumerate([SLEEP, ROSES, HEDGE]):
        chat.say(text, later(number))
    assert [message.topic_similarity for message in chat.said()] == [None] * 3
    assert episodes().count() == 1


@pytest.mark.req("S2-27", "B-28")
def test_young_episode_is_not_left_for_another_topic(openai_server):
    chat = Chat(MembershipFactory())
    chat.say(SLEEP)
    chat.say(f"{SLEEP} often?")
    sum_up(SUMMARY)
    for seconds in (100, 200, 299):
        chat.say(ROSES, MORNING + timedelta(seconds=seconds))
    assert chat.reasons()[2:] == ["off_topic"] * 3
    chat.say(HEDGE, MORNING + timedelta(seconds=300))
    assert chat.reasons()[-1] == "topic_shift"


@pytest.mark.req("S2-25", "S2-26", "B-28")
def test_announced_topic_begins_an_episode_at_once(chat):
    chat.say(f"By the way, {ROSES}", MORNING + timedelta(seconds=90))
    assert chat.reasons()[-1] == "marker"
    assert len(texts_of(episodes())[1]) == 1


@pytest.mark.req("S2-12", "S2-13")
def test_search_rows_and_facts_move_to_the_new_episode(chat, openai_server):
    openai_server.chat.queue(noting(memory_saves=["User has roses"]))
    first = chat.say(ROSES, later(0))
    old = first.episode_id
    assert Memory.objects.get().run_id == old
    second = chat.say(HEDGE, later(1))
    first.refresh_from_db()
    assert first.episode_id == second.episode_id != old
    assert Memory.objects.get().run_id == second.episode_id
    for row in MessageIndex.objects.select_related("message"):
        assert row.session == row.message.episode_id


def test_message_is_weighed_once(chat):
    chat.say(ROSES, later(0))
    chat.say(HEDGE, later(1))
    shifted = [message.topic_similarity for message in chat.said()]
    reply = chat.said()[-1].replies.get()
    sum_up(SUMMARY)
    write(regenerate(chat.member.user, chat.member.space_id, reply.pk))
    assert [message.topic_similarity for message in chat.said()] == shifted
    assert episodes().count() == 2


@pytest.mark.req("S2-27", "S2-51")
def test_message_that_was_replaced_does_not_count(chat):
    first = chat.say(ROSES, later(0))
    Episode.objects.update(last_user_message_at=timezone.now())
    write(edit(chat.member.user, chat.member.space_id, first.pk, HEDGE))
    assert episodes().count() == 1
    assert chat.said()[-1].episode_reason == "off_topic"


def test_turn_spends_few_statements_on_episodes(chat):
    def statements(part, *args):
        with CaptureQueriesContext(connection) as queries:
            result = part(*args)
        return result, sum("episode" in q["sql"] for q in queries)

    turn, count = statements(chat.begin, f"{SLEEP} again?", later(0))
    assert count == 3  # read and date the episode; store the messages
    query = service.prepare_query(turn.message.content)
    _, count = statements(weigh_topic, turn.message, query)
    assert count == 1


def test_topic_is_not_weighed_without_memory(openai_server):
    chat = Chat(MembershipFactory(user__memory_on=False))
    chat.say(SLEEP)
    sum_up(SUMMARY)
    chat.say(ROSES, later(0))
    chat.say(f"By the way, {HEDGE}", later(1))
    assert chat.reasons() == ["first", "stay", "marker"]
    assert not openai_server.embeddings.requests


@pytest.mark.req("S2-03", "S2-24", "S2-28", "S2-51")
def test_topic_changes_after_a_running_summary_of_ten_messages(openai_server):
    openai_server.titles.default = echo
    chat = Chat(MembershipFactory())
    for number in range(5):
        chat.say(f"{SLEEP} {number}?", MORNING + timedelta(minutes=number))
    run_summaries()
    chat.say(ROSES, later(0))
    chat.say(HEDGE, later(1))
    assert chat.reasons()[-3:] == ["stay", "off_topic", "topic_shift"]
    run_summaries()
    final = Summary.objects.get(kind="final")
    assert final.episode == episodes()[0]
    assert "roses" not in final.text


KNEE = [
    "Should I put ice on the knee after running?",
    "Does a brace help while I climb the stairs?",
    "Which exercises strengthen the thigh?",
    "When may I run a half marathon again?",
    "Is swimming better for my knee than running?",
]
VECTORS = [
    "How large does the index of pgvector become?",
    "Does PostgreSQL need more memory for ten thousand vectors?",
]
KNEE_SUMMARY = (
    "The user's knee hurts when running; ice, a brace and exercises may help."
)


@pytest.mark.req("S2-51")
def test_bundled_model_notices_one_change_of_topic_and_does_not_flap(
    openai_server, settings
):
    settings.EMBEDDING_API_KEY = settings.EMBEDDING_BASE_URL = ""
    settings.EMBEDDING_MODEL = local_embedder.NAME
    openai_server.titles.default = lambda _: says(json.dumps({"summary": KNEE_SUMMARY}))
    chat = Chat(MembershipFactory())
    said = [*KNEE, *KNEE, VECTORS[0], *KNEE, *VECTORS]
    for number, text in enumerate(said):
        chat.say(text, MORNING + timedelta(minutes=number))
        if number == 4:
            run_summaries()
    assert texts_of(episodes()) == [said[:-2], VECTORS]
    assert chat.reasons().count("off_topic") == 2
    assert chat.reasons()[-1] == "topic_shift"
