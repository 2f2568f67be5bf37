"""What a user told, and the proof after it is gone."""

import os
from datetime import timedelta

from django.utils import timezone

from conversations.models import DeletionProof
from meddie.jobs.registry import QUEUES
from people.scope import scope_for
from tests.conversations.turns import ask, noting, write

WORD = "canaryril" + str(os.getpid()).translate(
    str.maketrans("0123456789", "abcdefghij")
)
FACT = f"User takes {WORD}"


def scope_of(member):
    return scope_for(member.user, member.space_id, channel="web")


def tell(openai_server, member, sentence=FACT, text=f"I take {WORD}"):
    openai_server.chat.queue(noting("All right.", memory_saves=[sentence]))
    return write(ask(member, text))


def sealed():
    """The only proof, after its job."""
    DeletionProof.objects.update(available_at=timezone.now() - timedelta(minutes=1))
    proof = DeletionProof.objects.get()
    QUEUES[DeletionProof.QUEUE].run(proof.pk)
    proof.refresh_from_db()
    return proof
