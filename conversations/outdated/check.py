"""Mark the answers that used a fact which was corrected, moved or forgotten, or a deleted file.

A job looks at the fact as it is when it runs, so that a second run, a lost worker or an
undone correction leave the right marks (decision 51).
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from pydantic import BaseModel

from conversations import prompts
from conversations.channels import channel_of
from conversations.models import (
    AnswerCheck,
    AttachmentText,
    Conversation,
    Message,
    OutdatedAnswer,
    Receipt,
)
from meddie.ai.background import answer_of
from meddie.ai.errors import NO_ANSWER
from meddie.ai.provider import current_provider
from meddie.jobs.registry import Handlers, announce
from memory import service
from memory.models import Fact, MemoryEvent
from memory.wording.splitting import split_sentences
from memory.wording.subject_labels import without_label
from memory.wording.words import shared_stems, stems_of

AGE = timedelta(days=90)
"""Older answers are not looked at."""
MOST_READ, MOST_ASKED = 500, 50  # answers, the newest; a model is asked about fewer
AFTER_REPLY = timedelta(seconds=5)
Change = OutdatedAnswer.Change
LEAST_OF_FILE = 2  # words of one line of a file; "Results" alone says nothing
ASKED_AT_ONCE = 10  # answers in a question
LONGEST_ASKED = 1500  # characters of an answer in a question


class Using(BaseModel):
    """The numbers of answers."""

    answers: list[int]


def put_check(fact: Any) -> None:
    """Have the answers looked at that used a fact, in the transaction that changes it."""
    job = AnswerCheck(
        id=fact.pk,
        kind=AnswerCheck.CHECK,
        user_id=fact.user_id,
        space_id=fact.space_id,
    )
    begun_again = (
        *("state", "attempts", "crashes", "available_at", "error", "updated_at"),
        *("leased_until", "lease_holder"),
    )
    AnswerCheck.objects.bulk_create(
        [job],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=begun_again,
    )
    announce(job)


def check_answers(job: AnswerCheck) -> None:
    """May ask a model about what was corrected; it is told nothing that was forgotten."""
    fact = service.fact_of(job.pk)
    change = change_of(fact) if fact else None
    if fact is None or change is None:
        with transaction.atomic():
            job.hold()
            OutdatedAnswer.objects.of_sources([job.pk]).delete()
        return
    at = _changed_at(fact, change)
    if _is_used_now(fact, at):
        job.postpone("", AFTER_REPLY)
        return
    if not fact.content:  # its answers were marked before it was erased
        with transaction.atomic():
            job.hold()
            OutdatedAnswer.objects.of_sources([job.pk]).update(change=change)
        return
    resting = _resting(fact, change, list(_answers_given(fact, change, at)))
    with transaction.atomic():
        job.hold()
        _mark(fact.pk, resting, change, at)


HANDLERS: Handlers = {AnswerCheck.CHECK: check_answers}


def check_before_erasing(facts: Collection[Fact]) -> None:
    """Mark the answers that used facts whose check is due, before their texts go."""
    due = AnswerCheck.objects.unfinished().filter(pk__in=[fact.pk for fact in facts])
    keys = set(due.values_list("pk", flat=True))
    for fact in facts:
        if fact.pk in keys and (change := change_of(fact)):
            at = _changed_at(fact, change)
            answers = list(_answers_given(fact, change, at))
            resting = _sharing_words(fact, answers)
            _mark(fact.pk, resting, change, at)


def check_before_deletion(conversation: Conversation) -> None:
    """Mark answers of other conversations that used files of this one, which go with it."""
    files = AttachmentText.objects.filter(
        attachment__message__conversation=conversation
    )
    texts = dict(files.exclude(content="").values_list("pk", "content"))
    if not texts or conversation.user_id is None:
        return
    given = Receipt.objects.filter(
        others__overlap=list(texts), message__conversation__user=conversation.user_id
    )
    now = timezone.now()
    elsewhere = given.exclude(message__conversation=conversation)
    used: dict[UUID, list[Message]] = {}
    for receipt in _young(elsewhere, now):
        answer = receipt.message
        for row in receipt.rows():
            text = texts.get(row.key, "") if row.injected else ""
            if shares_words(text, answer.content, LEAST_OF_FILE):
                used.setdefault(row.key, []).append(answer)
    for key, answers in used.items():
        _mark(key, answers, Change.FILE_DELETED, now)


def change_of(fact: Fact) -> str | None:
    """None while a fact is true, also where a fuller one took its place."""
    if fact.is_retracted:
        return Change.FORGOTTEN
    is_replaced = fact.retired_reason == Fact.RetiredReason.SUPERSEDED
    if is_replaced and not fact.lives_on():
        return Change.CORRECTED
    return Change.MOVED if MemoryEvent.objects.moves_of(fact) else None


def _changed_at(fact: Fact, change: str) -> datetime:
    if change == Change.MOVED and (moves := MemoryEvent.objects.moves_of(fact)):
        return moves[-1][0]
    return fact.retired_at or timezone.now()


def _is_used_now(fact: Fact, at: datetime) -> bool:
    """Whether a reply that may have the fact is being written, without a receipt yet."""
    replies = Message.objects.filter(
        status=Message.Status.STREAMING, created_at__lte=at
    )
    if fact.user_id:
        return replies.filter(conversation__user=fact.user_id).exists()
    return replies.filter(conversation__space=fact.space_id).exists()


def _answers_given(fact: Fact, change: str, at: datetime) -> Iterable[Message]:
    """Answers whose prompts had the fact, the newest first, before it changed.

    Without those of the turn that changed it.
    """
    given = Receipt.objects.giving([fact.pk])
    given = given.filter(message__created_at__lte=at)
    given = given.exclude(message__answers__in=_changing_messages(fact, change))
    newest = _young(given, timezone.now())[:MOST_READ]
    answers = [receipt.message for receipt in newest]
    if change != Change.MOVED:
        return answers
    moves, now = MemoryEvent.objects.moves_of(fact), fact.about.digest

    def was_of(answer: Message) -> str:
        later = (former for moved, former in moves if moved >= answer.created_at)
        return next(later, now)

    return [answer for answer in answers if was_of(answer) != now]


def _young(receipts: QuerySet[Receipt], now: datetime) -> QuerySet[Receipt]:
    """Of current replies that are not too old, to users who want to hear of them."""
    status = Message.Status
    young = receipts.filter(
        message__role=Message.Role.ASSISTANT,
        message__created_at__gt=now - AGE,
        message__conversation__user__answer_notices=True,
    ).exclude(message__status__in=(status.SUPERSEDED, status.STREAMING))
    return young.select_related("message__thread").order_by("-message__created_at")


def _changing_messages(fact: Fact, change: str) -> set[UUID]:
    """The messages that corrected it, or asked to forget it, or said whom it is about."""
    if change != Change.CORRECTED:
        named = Q(references__memory=fact.pk) | Q(references__profile_fact=fact.pk)
        lines = Message.objects.filter(named).exclude(answers=None)
        return set(lines.values_list("answers_id", flat=True))
    new = fact.successor()
    made = new.statements_made() if new else []
    return {statement.message_id for statement in made if statement.message_id}


def _resting(fact: Fact, change: str, answers: Sequence[Message]) -> Sequence[Message]:
    """With a model those that it names, else those that share words."""
    likely = _sharing_words(fact, answers)
    if change != Change.CORRECTED or not (answers and current_provider().connected):
        return likely
    others = [answer for answer in answers if answer not in likely]
    asked = [*likely, *others][:MOST_ASKED]
    try:
        rests = asked_which_rest(fact.content, [answer.content for answer in asked])
    except NO_ANSWER:
        return likely
    return [answer for answer, rest in zip(asked, rests, strict=True) if rest]


def _sharing_words(fact: Fact, answers: Iterable[Message]) -> list[Message]:
    told = without_label(fact.told, fact.about)
    return [answer for answer in answers if shares_words(told, answer.content)]


def _mark(
    source: UUID, answers: Sequence[Message], change: str, changed_at: datetime
) -> None:
    """Mark these answers and no others. In a transaction."""
    marks = OutdatedAnswer.objects.of_sources([source])
    marks.exclude(message__in=[answer.pk for answer in answers]).delete()
    # Not those that are being deleted.
    there = Message.objects.filter(pk__in=[answer.pk for answer in answers])
    keys = set(
        there.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True)
    )
    kept = [answer for answer in answers if answer.pk in keys]
    OutdatedAnswer.objects.bulk_create(
        [
            OutdatedAnswer(
                message=answer, source=source, change=change, changed_at=changed_at
            )
            for answer in kept
        ],
        update_conflicts=True,
        unique_fields=["message", "source"],
        update_fields=["change", "changed_at"],
    )
    threads = {answer.thread_id: answer.thread for answer in kept}
    for thread in threads.values():
        if notify := channel_of(thread).notify:
            notify(thread, source)


def shares_words(text: str, answer: str, least: int = 1) -> bool:
    """Whether the answer has half of the content words and numbers of a sentence of it."""
    told = stems_of(answer)
    for sentence in split_sentences(text):
        stems = stems_of(sentence)
        shared = len(shared_stems(stems, told))
        if shared >= least and shared * 2 >= len(stems):
            return True
    return False


def asked_which_rest(known: str, answers: Sequence[str]) -> list[bool]:
    """What a model says of each answer. Raises the AIErrors of `Provider.ask`."""
    provider = current_provider()
    rests: list[bool] = []
    for start in range(0, len(answers), ASKED_AT_ONCE):
        part = [text[:LONGEST_ASKED] for text in answers[start : start + ASKED_AT_ONCE]]
        question = prompts.using(known, part)
        asking = provider.ask(Using, question, name="answers_using", max_tokens=200)
        named = set(answer_of(provider, asking).answers)
        rests += [n in named for n in range(1, len(part) + 1)]
    return rests
