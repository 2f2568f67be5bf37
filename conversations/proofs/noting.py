"""Note what is deleted, in the transaction that deletes it, so that a job looks for it."""

from collections import Counter
from datetime import timedelta
from typing import Any

from django.utils import timezone

from conversations.models import Attachment, Conversation, DeletionProof
from meddie.jobs.registry import announce

TOGETHER = timedelta(seconds=5)
"""Facts that are forgotten within it have one proof."""


def note_forgotten(fact: Any) -> None:
    """Its key and sentence, if it was forgotten. In the lock of its user's facts."""
    if not fact.is_retracted or fact.user_id is None:
        return
    owner = {"user_id": fact.user_id, "space_id": fact.space_id}
    facts = DeletionProof.objects.filter(kind=DeletionProof.FACTS, **owner)
    waiting = facts.filter(state=DeletionProof.State.WAITING, attempts=0)
    later = waiting.filter(available_at__gt=timezone.now())
    proof = later.select_for_update(skip_locked=True).first()
    if proof is None:
        proof = DeletionProof(kind=DeletionProof.FACTS, **owner)
        proof.available_at = timezone.now() + TOGETHER
    traces = proof.traces
    words = [text for text in fact.copied_texts if text]
    proof.traces = {
        "keys": sorted({*traces.get("keys", ()), str(fact.pk)}),
        "words": sorted({*traces.get("words", ()), *words}),
    }
    proof.save()


def note_conversation(conversation: Conversation) -> None:
    """Keys of its rows, names of its files, and how many there are. Before they go."""
    if conversation.user_id is None:
        return
    messages = list(conversation.messages.values_list("pk", flat=True))
    sent = Attachment.objects.filter(message__conversation=conversation)
    files = list(sent.values_list("pk", "file"))
    proof = DeletionProof(
        kind=DeletionProof.CONVERSATION,
        user_id=conversation.user_id,
        space_id=conversation.space_id,
    )
    counts = Counter(
        conversations=1,
        messages=len(messages),
        files=len(files),
        summaries=conversation.summaries.count(),
    )
    proof.traces = {
        "keys": [
            str(conversation.pk),
            *map(str, messages),
            *(str(k) for k, _ in files),
        ],
        "files": [name for _, name in files],
        "rows": +counts,
    }
    proof.save()
    announce(proof)
