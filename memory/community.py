"""Community memories: facts for users who have few of their own (S1-41)."""

from functools import partial

import numpy as np
from django.db import transaction
from django.utils import timezone

from meddie import dispatch
from meddie.text import one_line
from memory.capture.normalise import content_hash
from memory.models import CommunityMemory, Memory
from memory.models.embedded import DIMENSIONS, NO_MODEL
from memory.visibility import COMMUNITY_AUDIENCE


def exists(memory: CommunityMemory, text: str) -> bool:
    """Whether another community memory has this text."""
    rows = Memory.objects.community().exclude(pk=memory.pk)
    return rows.filter(content_hash=content_hash(text)).exists()


def publish(memory: CommunityMemory) -> None:
    """Store the text without a vector, which a task adds after the commit."""
    memory.audience, memory.origin = COMMUNITY_AUDIENCE, Memory.Origin.OPERATOR
    memory.source = Memory.Source.MANUAL
    memory.content, memory.stated_at = one_line(memory.content), timezone.now()
    memory.content_hash = content_hash(memory.content)
    memory.embedding = np.zeros(DIMENSIONS, np.float32)
    memory.embedding_model = NO_MODEL
    memory.save()
    task = partial(dispatch.enqueue, "memory.reembed", [str(memory.pk)])
    transaction.on_commit(task)
