"""What a conversation has before its recent messages: a summary, open loops and files."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from conversations.episodes.summaries import working_memory
from conversations.forgetting.withheld import Withheld
from conversations.models import Attachment, Message
from conversations.reply.prompt.found import FileLine
from conversations.reply.turn import Turn

FILES_LISTED = 10


@dataclass(frozen=True, slots=True)
class SoFar:
    summary: str = ""
    open_loops: Sequence[str] = ()
    files: Sequence[FileLine] = ()


def read_so_far(
    turn: Turn, recent: Sequence[Message], withheld: Withheld, zone: tzinfo | None
) -> SoFar:
    """Read nothing while all messages are recent ones."""
    first = recent[0].seq if recent else turn.message.seq
    if first == 1:
        return SoFar()
    working = working_memory(turn.reply.conversation)
    loops = (withheld.cleaned(loop) for loop in working.open_loops)
    return SoFar(
        withheld.cleaned(working.summary),
        tuple(filter(None, loops)),
        _files(turn, first, withheld, zone),
    )


def _files(
    turn: Turn, until: int, withheld: Withheld, zone: tzinfo | None
) -> list[FileLine]:
    """The last files of earlier messages, the newest first."""
    sent = Attachment.objects.filter(
        message__conversation=turn.conversation_id, message__seq__lt=until
    ).exclude(message__status=Message.Status.SUPERSEDED)
    newest = sent.select_related("message").order_by("-message__seq", "-number")[
        :FILES_LISTED
    ]
    return [
        FileLine(
            f"[{file.kind}#{file.code}]",
            withheld.description(file.description, file.message) or file.name,
            file.created_at.astimezone(zone).date(),
        )
        for file in newest
        if file.message is not None
    ]
