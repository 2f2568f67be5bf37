"""What conversations lend to recall: the messages that a user and Meddie exchanged."""

from memory.recall.shelves import Shelf

MEDDIE = "Meddie"
SPEAKERS = (MEDDIE,)
"""Whom a question can name: the rest was said by whoever asks."""

MESSAGES = Shelf(
    table="message_index",
    visible="r.user_id = %(user)s AND r.space_id = %(space)s",
    session="uuid_hash_extended(r.session, 0)",
    place="r.place",
    speaker=f"CASE r.speaker WHEN 'assistant' THEN '{MEDDIE}' END",
)
"""For `recall(scope, prepare(text, names=SPEAKERS), shelves=[MESSAGES], profile="fused")`."""
