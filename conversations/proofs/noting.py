"""Note what is deleted, in the transaction that deletes it, so that a job looks for it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_noop

from conversations.models import Attachment, Conversation, DeletionProof
from meddie.jobs.registry import announce
from people.models import User
from people.scope import Scope

TOGETHER = timedelta(seconds=5)
"""What is forgotten or deleted within it has one proof."""
AFTER_ACCOUNT = timedelta(seconds=30)  # in which its files and events go
Sought = dict[str, Collection[str]]


def note_forgotten(_scope: Scope, facts: Sequence[Any]) -> None:
    """Keys and sentences of users' facts. In the lock of their users' facts."""
    owners = {(fact.user_id, fact.space_id) for fact in facts}
    for user_id, space_id in owners:
        if user_id is None or space_id is None:
            continue
        own = [f for f in facts if (f.user_id, f.space_id) == (user_id, space_id)]
        words = [text for fact in own for text in fact.copied_texts if text]
        traces: Sought = {"keys": [str(fact.pk) for fact in own], "words": words}
        _add(DeletionProof.FACTS, user_id, space_id, traces, {})


def note_conversation(conversation: Conversation) -> None:
    """Keys of its rows, names of its files, and how many there are. Before they go."""
    if conversation.user_id is None:
        return
    messages = list(conversation.messages.values_list("pk", flat=True))
    sent = Attachment.objects.filter(message__conversation=conversation)
    files = list(sent.values_list("pk", "file"))
    episodes = conversation.episodes.values_list("pk", flat=True)
    texts = sent.values_list("texts__pk", flat=True)
    keys = [conversation.pk, *messages, *(key for key, _ in files), *episodes]
    traces: Sought = {
        "keys": [str(key) for key in (*keys, *filter(None, texts))],
        "messages": [str(key) for key in messages],
        "files": [name for _, name in files],
    }
    rows = {
        gettext_noop("conversations"): 1,
        gettext_noop("messages"): len(messages),
        gettext_noop("files"): len(files),
        gettext_noop("summaries"): conversation.summaries.count(),
    }
    owner = conversation.user_id, conversation.space_id
    _add(DeletionProof.CONVERSATION, *owner, traces, rows)


def note_account(
    user: User, keys: Collection[UUID], files: Collection[str], rows: Mapping[str, int]
) -> DeletionProof:
    """Before it is deleted. The proof has no user, so its link is told on one page."""
    proof = DeletionProof(kind=DeletionProof.ACCOUNT)
    proof.available_at = timezone.now() + AFTER_ACCOUNT
    proof.traces = {
        "user": str(user.pk),
        "keys": sorted(map(str, keys)),
        "files": sorted(files),
        "rows": dict(rows),
    }
    proof.save()
    return proof


def _add(
    kind: str, user_id: UUID, space_id: UUID, traces: Sought, rows: Mapping[str, int]
) -> None:
    """To what was deleted just before, if its search has not begun."""
    waiting = DeletionProof.objects.filter(
        kind=kind,
        user_id=user_id,
        space_id=space_id,
        state=DeletionProof.State.WAITING,
        attempts=0,
        available_at__gt=timezone.now(),
    )
    proof = waiting.select_for_update(skip_locked=True).first()
    if proof is None:
        proof = DeletionProof(kind=kind, user_id=user_id, space_id=space_id)
        proof.available_at = timezone.now() + TOGETHER
    known = proof.traces
    names = known.keys() | traces.keys() - {"rows"}
    proof.traces = {
        name: sorted({*known.get(name, ()), *traces.get(name, ())})
        for name in names - {"rows"}
    } | {"rows": +(Counter(known.get("rows", {})) + Counter(rows))}
    proof.save()
    announce(proof)
