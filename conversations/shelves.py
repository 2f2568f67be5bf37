"""Tables of conversations that recall searches beside the facts."""

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from conversations.models import Receipt
from memory import service

# As many short ones as fill the context; what does not fit is dropped.
MESSAGES_FOUND = 80
TEXTS_FOUND = 6
MESSAGES = service.further_shelf(
    Receipt.Kind.MESSAGE,
    "message_index",
    "fused",
    MESSAGES_FOUND,
    which="r.id <> ALL(%(left_out)s::uuid[])",
    session="uuid_hash_extended(r.session, 0)",
    place="r.place",
    speaker="r.speaker",
    label="r.speaker",
)


CODE = """(SELECT concat('[', a.kind, '#A', a.number, ']', ' ' || nullif(r.place, ''))
     FROM conversations_attachment a WHERE a.id = r.attachment_id)"""
TEXTS = service.further_shelf(
    Receipt.Kind.ATTACHMENT,
    "attachment_texts",
    "fused",
    TEXTS_FOUND,
    which="r.searchable",
    session="uuid_hash_extended(r.attachment_id, 0)",
    place="r.number",
    label=CODE,
    of_files=True,
)


def further_shelves(left_out: Collection[UUID]) -> list[service.Shelf]:
    """Summaries, texts of files, and the messages of the scope but these."""
    messages = replace(MESSAGES, bound={"left_out": list(left_out)})
    return [service.EPISODES, messages, TEXTS]
