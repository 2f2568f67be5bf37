"""Laws of episodes that hold for each course of a conversation."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

import numpy as np
import pytest
from django.db.models import F
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.episodes.switching import TIME_GAP, close_idle
from conversations.episodes.topics import weigh_topic
from conversations.models import Episode, Message, Thread
from meddie.ai.vectors import fit_width
from memory.recall.query import Query
from tests.conversations.chapters import MODEL, MORNING, Chat
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
TEXTS = {
    "sleep": "Does valerian tea before sleep at night help?",
    "roses": "When should I prune roses near the garden fence?",
    "chess": "Which opening suits beginners in club tournaments?",
}
VECTORS = dict(zip(TEXTS, fit_width(np.eye(3, dtype=np.float32)), strict=True))
ANNOUNCED = "By the way, "
SHORT = "Yes, please."


@dataclass(frozen=True)
class Said:
    """A message some time after the one before it."""

    topic: str
    pause: timedelta
    announced: bool = False
    short: bool = False

    @property
    def text(self):
        if self.short:
            return SHORT
        return ANNOUNCED * self.announced + TEXTS[self.topic]


def hold(course, *, swept=False):
    """Have the conversation; each episode has its first topic as running summary.

    `swept`: idle episodes are closed after each message, as if it had come late.
    """
    chat, at = Chat(MembershipFactory()), MORNING
    for said in course:
        at += said.pause
        turn = chat.begin(said.text, at)
        vector = VECTORS[said.topic]
        weigh_topic(turn.message, Query(vector=vector, said=vector, model=MODEL))
        Message.objects.filter(pk=turn.reply_id).update(status="done")
        untold = Episode.objects.filter(
            thread=turn.reply.thread, status="active", summary_vector=None
        )
        untold.update(summary_vector=VECTORS[said.topic], summary_model=MODEL)
        if swept:
            Thread.objects.filter(pk=turn.reply.thread_id).give_back()
            assert close_idle(at + TIME_GAP * 2) == 1
    return chat


def story(chat):
    """What was decided, and the number of the episode, for each message."""
    said = chat.said()
    keys = list(dict.fromkeys(m.episode_id for m in said))
    return [
        (m.episode_reason, m.topic_similarity, keys.index(m.episode_id)) for m in said
    ]


PAUSES = st.sampled_from(
    [timedelta(minutes=1), timedelta(minutes=6), TIME_GAP, TIME_GAP * 1.01]
)
COURSES = st.lists(
    st.builds(
        Said,
        topic=st.sampled_from(list(TEXTS)),
        pause=PAUSES,
        announced=st.integers(0, 6).map(lambda n: n == 0),
        short=st.integers(0, 6).map(lambda n: n == 0),
    ),
    min_size=2,
    max_size=12,
)


@pytest.mark.req("S2-51", "B-29", "S2-36")
@settings(max_examples=12)
@given(COURSES)
def test_same_messages_have_the_same_episodes(course):
    assert story(hold(course)) == story(hold(course))


@pytest.mark.req("S2-23", "S2-51", "B-29")
@settings(max_examples=6)
@given(COURSES)
def test_closing_idle_episodes_moves_no_boundary(course):
    swept, other = hold(course, swept=True), hold(course)
    assert story(swept) == story(other)
    assert spans(swept)[:-1] == spans(other)[:-1]


def spans(chat):
    episodes = chat.conversation.thread.episodes.order_by("started_at")
    return list(episodes.values_list("started_at", "ended_at", "last_user_message_at"))


@pytest.mark.req("S2-16", "S2-23", "S2-25", "S2-26", "S2-51", "B-30")
@settings(max_examples=25)
@given(COURSES)
def test_pauses_and_announcements_always_begin_an_episode(course):
    chat = hold(course)
    told = story(chat)
    for number, (said, (reason, _, episode)) in enumerate(
        zip(course, told, strict=True)
    ):
        if number == 0:
            assert reason == "first"
            continue
        before = told[number - 1][2]
        if said.pause > TIME_GAP:
            assert (reason, episode) == ("time_gap", before + 1)
        elif said.announced and not said.short:
            assert (reason, episode) == ("marker", before + 1)
        else:
            assert reason in {"stay", "off_topic", "topic_shift"}
            assert episode in {before, before + 1}
    assert chat.conversation.thread.episodes.filter(status="active").count() == 1


@pytest.mark.req("S2-27", "S2-51", "S2-56")
@settings(max_examples=25)
@given(COURSES)
def test_episodes_are_stretches_of_messages(course):
    chat = hold(course)
    messages = chat.conversation.messages.in_order().values_list(
        "episode_id", flat=True
    )
    stretches = [key for key, _ in groupby(messages)]
    assert len(stretches) == len(set(stretches))
    replies = chat.conversation.messages.filter(role="assistant")
    assert not replies.exclude(episode=F("answers__episode")).exists()
    # Only the second of two messages off the topic ends one without a word.
    weighed = [m for m in chat.said() if m.topic_similarity is not None]
    kinds = [m.episode_reason for m in weighed]
    for number, kind in enumerate(kinds):
        assert kind != "topic_shift" or kinds[number - 1] == "off_topic"


@pytest.mark.req("S2-51", "B-28")
def test_topics_begin_at_most_ten_episodes_an_hour():
    course = [
        Said("roses" if number // 2 % 2 else "sleep", timedelta(seconds=150))
        for number in range(50)
    ]
    chat = hold(course)
    shifts = [m.created_at for m in chat.said() if m.episode_reason == "topic_shift"]
    for at in shifts:
        hour = [one for one in shifts if at - timedelta(hours=1) < one <= at]
        assert len(hour) <= 10
    assert len(shifts) > 10
    late = chat.begin(ANNOUNCED + TEXTS["chess"], shifts[9] + timedelta(seconds=1))
    assert late.message.episode.started_at == late.message.created_at
