"""What the files hold that the prompt of a reply had."""

from collections.abc import Iterator

from conversations.models import Attachment, AttachmentText, Message, Receipt
from conversations.reply.known import Prompted
from conversations.reply.turn import Turn

MOST_TEXTS = 200  # of a conversation, the newest


def texts_in_prompt(turn: Turn, prompted: Prompted) -> Iterator[str]:
    """Texts of the conversation's files, and of those that a search or look-up found.

    Replies to an earlier message may have repeated what its files hold.
    """
    kind = Receipt.Kind.ATTACHMENT
    found = [*prompted.known.found.further.get(kind, ())]
    looked_up = prompted.lookup.found if prompted.lookup else ()
    found += [item for item in looked_up if item.kind == kind]
    yield from (item.text for item in found)
    files = Attachment.objects.filter(message__conversation=turn.conversation_id)
    files = files.filter(message__seq__lte=turn.message.seq).order_by("-message__seq")
    yield from files.values_list("description", flat=True)[:MOST_TEXTS]
    own = AttachmentText.Kind.CAPTION
    texts = AttachmentText.objects.filter(attachment__in=files).exclude(kind=own)
    newest = texts.order_by("-attachment__message__seq", "number")
    yield from newest.values_list("content", flat=True)[:MOST_TEXTS]


def has_unread(message: Message) -> bool:
    """Whether a picture of the message has no description yet."""
    pictures = message.attachments.filter(kind=Attachment.Kind.IMAGE, description="")
    return pictures.exists()
