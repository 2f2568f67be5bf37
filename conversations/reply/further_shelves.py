"""What a turn searches besides facts: chapters, earlier messages and texts of files."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from conversations.models import Receipt
from memory.recall.shelves import Shelf, further_shelf
from people.scope import Scope

# As many short ones as fill the context; what does not fit is dropped.
MESSAGES_FOUND = 80
MESSAGES = further_shelf(
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
TURNS = """concat(r.turn_range, (
    SELECT ' of “' || c.title || '”' FROM conversations_episode e
      JOIN conversations_conversation c ON c.id = e.conversation_id AND c.title <> ''
     WHERE e.id = r.run_id))"""
EPISODES = further_shelf(
    Receipt.Kind.EPISODE,
    "episodic_memories",
    "episodes",
    3,
    session="uuid_hash_extended(r.thread_id, 0)",
    place="r.turn_start",
    last="r.turn_end",
    label=TURNS,
)
CODE = """(SELECT concat('[', a.kind, '#A', a.number, ']', ' ' || nullif(r.place, ''))
     FROM conversations_attachment a WHERE a.id = r.attachment_id)"""
FILE_TEXTS = further_shelf(
    Receipt.Kind.ATTACHMENT,
    "attachment_texts",
    "fused",
    6,
    # The user's own words are found while their message is. OFFSET: row by row.
    which="""r.searchable AND (r.kind NOT IN ('caption', 'transcript') OR EXISTS (
        SELECT FROM conversations_attachment a JOIN message_index i ON i.id = a.message_id
         WHERE a.id = r.attachment_id OFFSET 0))""",
    session="uuid_hash_extended(r.attachment_id, 0)",
    place="nullif(r.number, 0)",
    label=CODE,
    of_files=True,
)


def further_shelves(scope: Scope, shown: Collection[UUID] = ()) -> Sequence[Shelf]:
    """Chapters, messages but those that the prompt shows, and files, on every channel.

    None while the conversation is not remembered.
    """
    if not scope.writes:
        return ()
    return EPISODES, replace(MESSAGES, bound={"left_out": list(shown)}), FILE_TEXTS
