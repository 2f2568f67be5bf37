"""Which conversation a message belongs to: the one that goes on, or a new one."""

from datetime import datetime, timedelta

from conversations.beginning import Opening
from conversations.models import Conversation, Thread
from people.models import Person
from people.telegram_links import Speaker

IDLE = timedelta(hours=8)
"""After a longer silence a new conversation begins (S0-50)."""


def open_conversation(thread: Thread, speaker: Speaker) -> Conversation | None:
    """The speaker's latest talk in this chat, unless they asked for a new one since.

    Never another user's: a link can be given to somebody else.
    """
    talks = thread.conversations.filter(user=speaker.user)
    latest = talks.newest().first()
    return latest if latest is not None and latest.closed_at is None else None


def goes_on(conversation: Conversation, said_at: datetime) -> bool:
    """Whether a message of that time is still part of it."""
    return said_at - conversation.last_message_at <= IDLE


def opening(thread: Thread, speaker: Speaker, before: Conversation | None) -> Opening:
    """A new conversation; after a pause the end of the one before goes along (S0-51)."""
    person = speaker.person or _person(thread, speaker, before)
    carries = before if before is not None and before.remember else None
    return Opening(
        person_id=person.pk if person else None, thread=thread, carries=carries
    )


def _person(
    thread: Thread, speaker: Speaker, before: Conversation | None
) -> Person | None:
    """Whom they talked about last, else themselves, else the only one there is."""
    if before is not None and before.person is not None:
        return before.person
    here = Person.objects.in_space(thread.space_id)
    if speaker.user is not None:
        own = here.filter(user=speaker.user).first()
        if own is not None:
            return own
    only = list(here[:2])
    return only[0] if len(only) == 1 else None
