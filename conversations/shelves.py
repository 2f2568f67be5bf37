"""The shelf of messages, for recall."""

from memory.service import Shelf

MEDDIE = "Meddie"
# Speakers whom a question can name; all other messages are the user's own.
SPEAKERS = (MEDDIE,)

MESSAGES = Shelf(
    table="message_index",
    visible="r.user_id = %(user)s AND r.space_id = %(space)s",
    session="uuid_hash_extended(r.session, 0)",
    place="r.place",
    speaker=f"CASE r.speaker WHEN 'assistant' THEN '{MEDDIE}' END",
)
