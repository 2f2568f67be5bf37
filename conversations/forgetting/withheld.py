"""Old texts without what was superseded or forgotten."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from conversations import message_search
from conversations.models import Conversation, Message, MessageIndex, Summary
from memory import service
from memory.models import Fact
from memory.values import RetiredFact
from memory.wording.retelling import StatementIndex, without_retired
from people.scope import Scope, retraction_scope

NO_FACTS = StatementIndex({})


@dataclass(frozen=True, slots=True)
class Withheld:
    """`told` are messages that stated a retired fact; `about`: requests to forget it,
    and replies to both."""

    facts: StatementIndex = NO_FACTS
    told: frozenset[UUID] = frozenset()
    about: frozenset[UUID] = frozenset()

    @property
    def messages(self) -> frozenset[UUID]:
        return self.told | self.about

    def cleaned(self, text: str, said_at: datetime | None = None) -> str:
        """The text without sentences that state a fact retired since, maybe empty."""
        return without_retired(text, self.facts, said_at)

    def message_text(self, message: Message) -> str:
        """What may still be told of a message, maybe nothing."""
        if message.withheld or message.pk in self.about:
            return ""
        text = self.cleaned(message.content, message.created_at)
        return "" if message.pk in self.told and text == message.content else text

    def description(self, text: str, message: Message) -> str:
        """What may still be told of a file of the message."""
        if message.withheld or message.pk in self.messages:
            return ""
        return self.cleaned(text, message.created_at)


def withhold_retired(scope: Scope) -> Withheld:
    """Take messages about retired facts out of search and summaries; return what is left out.

    Call it before old texts are read. Database only.
    """
    withheld = read_withheld(scope)
    if withheld.messages:
        indexed = MessageIndex.objects.filter(pk__in=withheld.messages)
        if keys := list(indexed.values_list("pk", flat=True)):
            with transaction.atomic():
                message_search.remove(keys)
    return withheld


def read_withheld(scope: Scope) -> Withheld:
    facts = service.retired_facts(scope) if scope.reads else []
    if not facts:
        return Withheld()
    told = frozenset(message for fact in facts for message in fact.message_ids)
    about = _about(told, [fact.memory_id for fact in facts])
    return Withheld(statement_index(facts), told, about)


def statement_index(facts: Sequence[RetiredFact]) -> StatementIndex:
    """The facts, the latest first: of equal texts the latest counts."""
    until = {fact.text: fact.retired_at for fact in reversed(facts) if fact.text}
    return StatementIndex(until)


@contextmanager
def telling_again(scope: Scope) -> Iterator[None]:
    """Index the messages of facts that are restored in it. In a transaction."""
    before = read_withheld(scope).messages
    yield
    if told := before - read_withheld(scope).messages:
        message_search.index_again(scope, told)


def _about(told: Collection[UUID], facts: Collection[UUID]) -> frozenset[UUID]:
    named = Q(references__memory__in=facts) | Q(references__profile_fact__in=facts)
    lines = Message.objects.filter(named, line_kind=Message.LineKind.FORGOTTEN)
    requests = set(lines.exclude(answers=None).values_list("answers_id", flat=True))
    replies = Message.objects.filter(
        answers__in={*told, *requests}, role=Message.Role.ASSISTANT
    )
    return frozenset(requests | set(replies.values_list("pk", flat=True)))


def withhold_statements(facts: Collection[Fact]) -> None:
    """Take messages that state the facts out of prompts and search, and out of summaries."""
    keys = {fact.pk for fact in facts}
    for user_id, space_id in _owners(facts):
        retired = service.retired_facts(retraction_scope(user_id, space_id))
        if told := [fact for fact in retired if fact.text and fact.memory_id in keys]:
            _withhold(Withheld(statement_index(told)), user_id, space_id)


def _owners(facts: Collection[Fact]) -> set[tuple[UUID, UUID]]:
    """Users and spaces; of lore all users with a conversation there."""
    owners = {(f.user_id, f.space_id) for f in facts if f.user_id and f.space_id}
    spaces = {fact.space_id for fact in facts if not fact.user_id and fact.space_id}
    of_spaces = Conversation.objects.filter(space__in=spaces, user__isnull=False)
    return owners | set(of_spaces.values_list("user_id", "space_id"))


def _withhold(withheld: Withheld, user_id: UUID, space_id: UUID) -> None:
    own = Conversation.objects.filter(user=user_id, space=space_id)
    messages = Message.objects.filter(conversation__in=own, withheld=False)
    stating = [
        m.pk
        for m in messages.prefetch_related("attachments").iterator(500)
        if any(
            withheld.cleaned(text, m.created_at) != text
            for text in [
                *(m.content, m.quote),
                *(file.description for file in m.attachments.all()),
            ]
        )
    ]
    told = [
        summary.pk
        for summary in Summary.objects.filter(conversation__in=own)
        if any(withheld.cleaned(text) != text for text in _texts(summary))
    ]
    Message.objects.filter(pk__in=stating).update(withheld=True)
    message_search.remove(stating, told)


def _texts(summary: Summary) -> Iterator[str]:
    yield summary.text
    for details in summary.data.values():
        if isinstance(details, list):
            yield from map(str, details)
