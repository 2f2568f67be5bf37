"""What the deletion of an account removes, and what prevents it."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import ngettext

from conversations.models import Attachment, Conversation, Message
from memory.models import Memory, ProfileFact
from people.members import spaces_of_only, spaces_without_admin
from people.models import ApiKey, Person, Space, User


@dataclass(frozen=True, slots=True)
class Leaving:
    """`without_admin` and `with_bot` prevent the deletion."""

    removed: list[str]
    deleted_spaces: list[Space]
    kept_spaces: list[Space]
    without_admin: list[Space]
    with_bot: list[Space]

    @property
    def is_possible(self) -> bool:
        return not (self.without_admin or self.with_bot)


def read_leaving(user: User) -> Leaving:
    deleted = spaces_of_only([user.pk]).order_by("name", "pk")
    kept = Space.objects.of(user).exclude(pk__in=deleted.values("pk"))
    return Leaving(
        removed=_counts(user, deleted),
        deleted_spaces=list(deleted),
        kept_spaces=list(kept),
        without_admin=list(spaces_without_admin([user.pk])),
        with_bot=list(deleted.filter(telegram_bot__isnull=False)),
    )


def _counts(user: User, deleted: QuerySet[Space]) -> list[str]:
    facts = Memory.objects.filter(user=user).active().count()
    lore = Memory.objects.filter(told_by=user).active().count()
    facts += ProfileFact.objects.filter(user=user).active().count()
    conversations = Conversation.objects.filter(user=user).count()
    messages = Message.objects.filter(conversation__user=user).count()
    files = Attachment.objects.filter(user=user).count()
    keys = ApiKey.objects.filter(user=user, revoked_at=None).count()
    people = Person.objects.filter(space__in=deleted).count()
    told = (
        (ngettext("%d conversation", "%d conversations", conversations), conversations),
        (ngettext("%d message", "%d messages", messages), messages),
        (ngettext("%d fact about you", "%d facts about you", facts), facts),
        (
            ngettext(
                "%d fact that you told a whole space",
                "%d facts that you told a whole space",
                lore,
            ),
            lore,
        ),
        (ngettext("%d file", "%d files", files), files),
        (ngettext("%d API key", "%d API keys", keys), keys),
        (
            ngettext(
                "%d person with their notes", "%d people with their notes", people
            ),
            people,
        ),
    )
    return [sentence % count for sentence, count in told if count]
