"""Extraction for models that write no block into their replies (DESIGN 4.6).

A small model answers, and never writes the block in which it should note facts down. That
is noticed after ten replies, and from then on its users' messages are extracted in the
background, until it writes a block again.
"""

from functools import partial

from django.conf import settings
from django.db import transaction

from conversations.models import ChatModel, Message
from conversations.reply.active_replies import Draft
from conversations.reply.append_messages import leave_to_capture
from conversations.reply.turn import Turn
from meddie.ai.provider import current_provider
from memory.models import MemoryPolicy
from people.scope import Scope

Capture = MemoryPolicy.BackgroundCapture


def capture_unnoted(scope: Scope, turn: Turn, draft: Draft, status: str) -> None:
    """Count a whole reply, and leave its message to extraction if it has no block.

    In the transaction that ends the turn; the count is written after it, because all
    replies of a model share its row.
    """
    policy = turn.policy
    might_note = (
        scope.writes and policy.inline_capture and status == Message.Status.DONE
    )
    if not might_note or not current_provider().connected:
        return
    name, has_block = (
        draft.model or settings.CHAT_MODEL,
        bool(draft.reader.block.entries),
    )
    count = partial(ChatModel.objects.count_reply, name, has_block=has_block)
    transaction.on_commit(count, robust=True)
    automatic = policy.background_capture == Capture.AUTO
    if automatic and not has_block and ChatModel.objects.writes_no_block(name):
        leave_to_capture(scope, turn.message)
