"""Choose the conversation that a message belongs to."""

from datetime import datetime

from conversations.episodes.switching import TIME_GAP
from conversations.models import Conversation, Thread
from conversations.new_conversation import Start
from conversations.telegram.links import Speaker
from people.models import Person


def choose_conversation(
    thread: Thread, speaker: Speaker, sent_at: datetime
) -> Conversation | Start:
    current = latest(thread, speaker)
    if current is not None and _continues(current, speaker, sent_at):
        return current
    return _start(thread, speaker, current)


def latest(thread: Thread, speaker: Speaker) -> Conversation | None:
    """The speaker's newest conversation in this chat, unless they ended it.

    Never another user's: a link can be given to another user.
    """
    theirs = thread.conversations.filter(user=speaker.user).select_related("person")
    last = theirs.order_by("-created_at").first()
    return last if last is not None and last.closed_at is None else None


def _continues(current: Conversation, speaker: Speaker, sent_at: datetime) -> bool:
    if sent_at - current.last_message_at > TIME_GAP:
        return False
    if speaker.person is None and speaker.user is not None:
        return True
    return current.person == speaker.person


def _start(thread: Thread, speaker: Speaker, before: Conversation | None) -> Start:
    person = speaker.person or _person(thread, speaker, before)
    # Only a conversation about the same person goes along (S0-51).
    carried = before is not None and before.remember and before.person == person
    return Start(
        person_id=person.pk if person else None,
        thread=thread,
        carries=before if carried else None,
    )


def _person(
    thread: Thread, speaker: Speaker, before: Conversation | None
) -> Person | None:
    """The last conversation's person, else the user's own, else the only one."""
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
