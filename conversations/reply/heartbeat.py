"""One heart for all replies of the process: as few statements for hundreds as for one.

Every second it keeps the text so far in each reply's row, which shows that somebody
writes it, and renews the lease of its thread. Four times a second it looks whether
somebody asked to stop.

Rows that anybody else has locked are left for the next beat: a statement that holds some
rows and waits for others could wait for somebody who waits for it.
"""

import logging
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import Error, connection
from django.utils import timezone

from conversations.models.thread import LEASE
from conversations.reply import event_log
from conversations.reply.active_replies import Running, replies
from meddie.periodic import Pulse
from meddie.threads import run_db

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.25
"""Seconds between two looks whether somebody asked to stop."""
SAVE_EVERY = 1.0
"""Seconds between two beats."""
BEAT = """
WITH told AS (
    SELECT * FROM unnest(%(replies)s::uuid[], %(leases)s::uuid[], %(texts)s::text[])
           AS told (reply, lease, content)
), ours AS MATERIALIZED (
    SELECT m.id, m.thread_id, told.lease, told.content
      FROM told
      JOIN conversations_message m ON m.id = told.reply AND m.status = 'streaming'
      JOIN conversations_thread t ON t.id = m.thread_id AND t.lease_holder = told.lease
), held AS MATERIALIZED (
    SELECT t.id FROM conversations_thread t JOIN ours ON t.id = ours.thread_id
     WHERE t.lease_holder = ours.lease FOR UPDATE OF t SKIP LOCKED
), renewed AS (
    UPDATE conversations_thread t SET leased_until = statement_timestamp() + %(lease)s
      FROM held WHERE t.id = held.id
), kept AS MATERIALIZED (
    SELECT m.id, ours.content FROM conversations_message m JOIN ours ON m.id = ours.id
      JOIN held ON held.id = ours.thread_id
     WHERE m.status = 'streaming' FOR UPDATE OF m SKIP LOCKED
), saved AS (
    UPDATE conversations_message m SET content = kept.content, heartbeat_at = %(now)s
      FROM kept WHERE m.id = kept.id
)
SELECT id FROM ours
"""


async def look() -> None:
    """Stop whichever reply somebody asked to stop."""
    for reply_id in await event_log.asked_to_stop(list(replies)):
        if reply_id in replies:
            replies[reply_id].stop()


async def beat() -> None:
    """Keep the text of each; whichever is no longer ours to write is left alone."""
    those = list(replies.values())
    try:
        ours = await run_db(save, those)
    except Error:
        logger.warning("No heartbeat of %d replies", len(those))
        return
    for running in those:
        if running.turn.reply_id not in ours:
            running.lose()


def save(those: Sequence[Running]) -> set[UUID]:
    """Keep the texts and the leases; return which replies are still ours to write."""
    values: dict[str, Any] = {
        "replies": [running.turn.reply_id for running in those],
        "leases": [running.turn.lease for running in those],
        "texts": [running.draft.text for running in those],
        "lease": LEASE,
        "now": timezone.now(),
    }
    with connection.cursor() as cursor:
        cursor.execute(BEAT, values)
        return {row[0] for row in cursor.fetchall()}


_looks = Pulse(look, wanted=lambda: replies, seconds=lambda: LOOK_EVERY)
_beats = Pulse(beat, wanted=lambda: replies, seconds=lambda: SAVE_EVERY)


def keep_beating() -> None:
    """There is a reply in the running loop."""
    _looks.keep()
    _beats.keep()


async def rest() -> None:
    """A reply has ended; if it was the last one, nothing is under way behind it."""
    await _looks.rest()
    await _beats.rest()
