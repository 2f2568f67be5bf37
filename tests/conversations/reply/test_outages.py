"""A reply on a page survives an outage of the database, or can be tried again."""

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from conversations.models import Message
from conversations.reply import active_replies, runner
from conversations.reply.idle_threads import STALE_AFTER, interrupt_stale
from conversations.reply.revise import regenerate
from meddie import outages
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory
from tests.openai_answers import Answer, says

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Which scissors suit a left-handed painter?"


@pytest.fixture
def member(db):
    return MembershipFactory()


def write_as_a_page(turn):
    async def writing():
        await runner.start(turn)
        await active_replies.replies[turn.reply_id].task

    async_to_sync(writing)()


def test_outage_while_the_prompt_is_put_together(member, openai_server, outage):
    def embed(_body):
        outage.begin(1)
        return Answer()

    openai_server.embeddings.queue(embed)
    openai_server.chat.queue(says("These."))
    turn = ask(member, QUESTION)
    write_as_a_page(turn)
    outage.end()
    reply = Message.objects.get(pk=turn.reply_id)
    assert (reply.status, reply.content) == ("done", "These.")


def test_after_a_long_outage_the_message_is_kept_and_can_be_tried_again(
    member, openai_server, outage, monkeypatch
):
    def answer(_body):
        outage.begin()
        return says("Lost.")

    monkeypatch.setattr(outages, "LIMIT", 0)
    openai_server.chat.queue(answer, says("These."))
    turn = ask(member, QUESTION)
    write_as_a_page(turn)
    outage.end()
    reply = Message.objects.get(pk=turn.reply_id)
    assert (reply.status, reply.content) == ("streaming", "")
    Message.objects.update(heartbeat_at=timezone.now() - 2 * STALE_AFTER)
    interrupt_stale()
    reply.refresh_from_db()
    assert (reply.status, reply.error) == ("interrupted", "interrupted")
    again = write(regenerate(member.user, member.space_id, reply.pk))
    assert (again.status, again.content) == ("done", "These.")
    assert again.answers.content == QUESTION
