"""Extraction for models that write no block, and for replies that failed (DESIGN 4.6).

A small model answers, and never writes the block in which it should note facts down. That
is noticed after ten replies, and from then on its users' messages are extracted in the
background, until it writes a block again.
"""

from functools import partial
from typing import Any

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


def asked_model(draft: Draft) -> str:
    """Of the model, as the settings or the conversation name it."""
    return draft.model or settings.CHAT_MODEL


def capture_unnoted(scope: Scope, turn: Turn, draft: Draft, reply: Any) -> None:
    """Count a whole reply, and leave its message to extraction if it has no block.

    Also that of a failed reply, which its user may not try again. `reply.is_silent` says
    whether its model is taken to write none. In the transaction that ends the turn; the
    count is written after it, because all replies of a model share its row.
    """
    policy = turn.policy
    might_note = scope.writes and policy.inline_capture
    if not might_note or not current_provider().connected:
        return
    has_block = bool(draft.reader.block.entries)
    if reply.status == Message.Status.DONE:
        count = partial(
            ChatModel.objects.count_reply, asked_model(draft), has_block=has_block
        )
        transaction.on_commit(count, robust=True)
    automatic = policy.background_capture == Capture.AUTO
    unnoted = reply.is_silent or reply.status == Message.Status.FAILED
    if automatic and unnoted and not has_block:
        leave_to_capture(scope, turn.message)
