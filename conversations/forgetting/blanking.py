"""What states a fact is withheld for good before the fact's text is blanked."""

from collections.abc import Collection, Iterator
from uuid import UUID

from conversations import message_search
from conversations.forgetting.withheld import Withheld, statement_index
from conversations.models import Conversation, Message, Summary
from memory import service
from memory.models import Fact
from people.scope import retraction_scope


def withhold_statements(facts: Collection[Fact]) -> None:
    """Take messages that state the facts out of prompts and search, and out of summaries."""
    keys = {fact.pk for fact in facts}
    for user_id, space_id in _owners(facts):
        retired = service.retired(retraction_scope(user_id, space_id))
        if told := [one for one in retired if one.text and one.memory_id in keys]:
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
            for text in [m.content, *(file.description for file in m.attachments.all())]
        )
    ]
    told = [
        one.pk
        for one in Summary.objects.filter(conversation__in=own)
        if any(withheld.cleaned(text) != text for text in _texts(one))
    ]
    Message.objects.filter(pk__in=stating).update(withheld=True)
    message_search.remove(stating, told)


def _texts(summary: Summary) -> Iterator[str]:
    yield summary.text
    for details in summary.data.values():
        if isinstance(details, list):
            yield from map(str, details)
