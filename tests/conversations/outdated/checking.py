"""Run the checks of answers here instead of in a worker, and what they marked."""

from datetime import timedelta

from django.utils import timezone

from conversations.models import AnswerCheck, OutdatedAnswer
from conversations.outdated.check import HANDLERS
from conversations.telegram import notices
from conversations.telegram.models import TelegramNotice
from meddie.jobs.registry import attempt
from memory import service
from memory.facts.prepare import prepare_facts
from memory.models import Memory
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate
from tests.conversations import transcripts
from tests.conversations.receipts import receive
from tests.memory.embedders import WordEmbedder

OLD = "User is not allergic to penicillin"
NEW = "User is allergic to penicillin"


class Killed(BaseException):
    """No code handles it, as none handles the end of its process."""


class Killer:
    """Ends the worker before the statement with this number."""

    def __init__(self, number):
        self.left = number

    def __call__(self, execute, *statement):
        self.left -= 1
        if self.left == 0:
            raise Killed
        return execute(*statement)


def run_checks():
    """All that are due, then the messages to chats."""
    for model, handlers in (
        (AnswerCheck, HANDLERS),
        (TelegramNotice, notices.HANDLERS),
    ):
        while (job := model.objects.claim()) is not None:
            attempt(job, handlers)


def end_leases():
    """As when a worker was killed and its lease has run out."""
    past = timezone.now() - timedelta(seconds=1)
    for model in (AnswerCheck, TelegramNotice):
        model.objects.filter(state="running").update(leased_until=past)
        model.objects.filter(state="waiting").update(available_at=past)


def learn(scope, text=OLD):
    """A fact of the scope."""
    prepared = prepare_facts([Candidate(text)], NO_HOUSEHOLD, embedder=WordEmbedder())
    provenance = service.Provenance("inline", timezone.now())
    (decision,) = service.remember(scope, prepared, provenance)
    return Memory.objects.get(pk=decision.memory_id)


def correct(scope, fact, text=NEW):
    prepared = prepare_facts([Candidate(text)], NO_HOUSEHOLD, embedder=WordEmbedder())
    return service.correct(scope, fact.pk, prepared)


def answered(user, space, answer, *given, question="And now?", **fields):
    """A conversation with one answer, whose prompt had these facts."""
    conversation = transcripts.start_conversation(user, space, **fields)
    reply = transcripts.exchange(conversation, question, answer)
    for fact in given:
        receive(reply, fact.pk)
    return reply


def marked():
    """The keys of the answers that are marked."""
    return set(OutdatedAnswer.objects.values_list("message", flat=True))
