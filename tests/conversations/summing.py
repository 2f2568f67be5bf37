"""Summaries for tests: a provider that sums up by repeating, and jobs that run here."""

import json

from django.utils import timezone

from conversations import message_search
from conversations.episodes import summaries
from conversations.episodes.writing import HANDLERS
from conversations.models import Message, Summary, SummaryJob, Thread
from conversations.reply.revise import edit, regenerate
from conversations.reply.turn import Received, begin
from meddie.jobs.registry import attempt
from people.scope import scope_for
from tests.openai_answers import says

LEASE = Thread().pk


def document_of(body):
    """What a request asks to sum up."""
    return json.loads(body["messages"][1]["content"])


def name_of(body):
    return body["response_format"]["json_schema"]["name"]


def echo(body):
    """Sums up by repeating all messages."""
    document = document_of(body)
    said = [message["text"] for message in document["messages"]]
    return says(json.dumps({"summary": " ".join([*document["earlier"], *said])}))


def run_summaries():
    """Run all due jobs, one after another."""
    while (job := SummaryJob.objects.claim()) is not None:
        attempt(job, HANDLERS)


def let_leases_expire():
    SummaryJob.objects.update(leased_until=timezone.now())


def chunks(thread):
    return list(thread.summaries.filter(kind=Summary.Kind.CHUNK).order_by("first_seq"))


class Talkative:
    """A member's conversation whose turns end without a model."""

    def __init__(self, member, start=None, conversation=None):
        self.member, self.start, self.conversation = member, start, conversation
        self.count = 0

    @property
    def thread(self):
        return Thread.objects.get(pk=self.conversation.thread_id)

    def current(self, role="user"):
        rows = self.conversation.messages.current().filter(role=role)
        return list(rows.in_order())

    def say(self, text="", at=None, reply=""):
        """One turn; the reply."""
        self.count += 1
        turn = begin(
            self.member.user,
            self.member.space_id,
            text or f"question{self.count}",
            conversation_id=self.conversation and self.conversation.pk,
            start=None if self.conversation else self.start,
            received=Received(LEASE, at or timezone.now()),
        )
        self.conversation = turn.reply.conversation
        return self._end(turn, reply)

    def say_many(self, turns, **how):
        for _ in range(turns):
            self.say(**how)

    def edit(self, message, text):
        self.count += 1
        user, space_id = self.member.user, self.member.space_id
        return self._end(edit(user, space_id, message.pk, text), "")

    def regenerate(self):
        self.count += 1
        last = self.current("assistant")[-1]
        user, space_id = self.member.user, self.member.space_id
        return self._end(regenerate(user, space_id, last.pk), "")

    def _end(self, turn, text):
        reply = Message.objects.select_related("conversation__user").get(
            pk=turn.reply_id
        )
        reply.status, reply.content = "done", text or f"answer{self.count}"
        reply.save()
        conversation = reply.conversation
        scope = scope_for(
            conversation.user,
            conversation.space_id,
            channel="web",
            remember=conversation.remember,
        )
        message_search.index(scope, [turn.message, reply])
        if scope.writes:
            summaries.after_turn(reply)
        Thread.objects.filter(pk=reply.thread_id).give_back()
        return reply
