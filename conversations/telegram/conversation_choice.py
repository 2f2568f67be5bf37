"""Which conversation a message belongs to: the one that goes on, or a new one."""

from datetime import datetime, timedelta

from conversations.models import Conversation, Thread
from conversations.new_conversation import Start
from people.models import Person
from people.telegram_links import Speaker

IDLE = timedelta(hours=8)
"""After a longer silence a new conversation begins (S0-50)."""


def latest(thread: Thread, speaker: Speaker) -> Conversation | None:
    """The speaker's talk in this chat that began last, unless they ended it.

    Never another user's: a link can be given to somebody else.
    """
    talks = thread.conversations.filter(user=speaker.user).select_related("person")
    last = talks.order_by("-created_at").first()
    return last if last is not None and last.closed_at is None else None


def goes_on(talk: Conversation | None, speaker: Speaker, said_at: datetime) -> bool:
    """Whether a message of that time is still part of it: not after a long silence, and
    not when the link has come to mean somebody else since."""
    if talk is None or said_at - talk.last_message_at > IDLE:
        return False
    if speaker.person is None and speaker.user is not None:
        return True
    return talk.person == speaker.person


def opening(thread: Thread, speaker: Speaker, before: Conversation | None) -> Start:
    """A new conversation; after a pause the end of the one before goes along (S0-51),
    if it was about the same person."""
    person = speaker.person or _person(thread, speaker, before)
    carried = before is not None and before.remember and before.person == person
    return Start(
        person_id=person.pk if person else None,
        thread=thread,
        carries=before if carried else None,
    )


def _person(
    thread: Thread, speaker: Speaker, before: Conversation | None
) -> Person | None:
    """Whom a user talked about last, else themselves, else the only one there is.

    Nobody for a guest: their link says what they may know.
    """
    if speaker.user is None:
        return None
    if before is not None and before.person is not None:
        return before.person
    here = Person.objects.in_space(thread.space_id)
    own = here.filter(user=speaker.user).first()
    if own is not None:
        return own
    only = list(here[:2])
    return only[0] if len(only) == 1 else None
