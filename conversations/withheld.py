"""Old texts without what was superseded or forgotten."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from conversations import message_search
from conversations.models import Message, MessageIndex
from memory import service
from memory.values import RetiredFact
from people.scope import Scope


@dataclass(frozen=True, slots=True)
class Withheld:
    """`told` are messages that stated a retired fact; `about`: requests to forget it,
    and replies to both."""

    facts: Sequence[RetiredFact] = ()
    told: frozenset[UUID] = frozenset()
    about: frozenset[UUID] = frozenset()

    def cleaned(self, text: str, said_at: datetime | None = None) -> str:
        """The text without sentences that state a fact retired since, maybe empty."""
        facts = [
            one.text
            for one in self.facts
            if one.text and (said_at is None or one.retired_at >= said_at)
        ]
        return service.without_retired(text, facts) if facts else text

    def message_text(self, message: Message) -> str:
        """What may still be told of a message, maybe nothing."""
        if message.pk in self.about:
            return ""
        text = self.cleaned(message.content, message.created_at)
        return "" if message.pk in self.told and text == message.content else text

    def description(self, text: str, message: Message) -> str:
        """What may still be told of a file of the message."""
        if message.pk in self.told | self.about:
            return ""
        return self.cleaned(text, message.created_at)


def withhold_retired(scope: Scope) -> Withheld:
    """Take messages about retired facts out of search and summaries; return what is left out.

    Call it before old texts are read. Database only.
    """
    facts = service.retired(scope) if scope.reads else []
    if not facts:
        return Withheld()
    told = frozenset(one.message_id for one in facts if one.message_id)
    about = _about(told, [one.memory_id for one in facts])
    indexed = MessageIndex.objects.filter(pk__in=told | about)
    if keys := list(indexed.values_list("pk", flat=True)):
        with transaction.atomic():
            message_search.remove(keys)
    return Withheld(facts, told, about)


def _about(told: Collection[UUID], facts: Collection[UUID]) -> frozenset[UUID]:
    named = Q(references__memory__in=facts) | Q(references__profile_fact__in=facts)
    lines = Message.objects.filter(named, line_kind=Message.LineKind.FORGOTTEN)
    requests = set(lines.exclude(answers=None).values_list("answers_id", flat=True))
    replies = Message.objects.filter(
        answers__in={*told, *requests}, role=Message.Role.ASSISTANT
    )
    return frozenset(requests | set(replies.values_list("pk", flat=True)))
