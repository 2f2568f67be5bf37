"""Sign what the search has found, or try again while something is left (decision 64)."""

import json
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop, override

from conversations.models import DeletionProof, Message
from conversations.proofs.remnants import Found, find_remnants
from conversations.proofs.signature import public_key, sign
from meddie.jobs.job import LeaseLost
from meddie.jobs.registry import Handlers
from meddie.version import VERSION
from memory import service
from memory.models import Fact

logger = logging.getLogger(__name__)

FORMAT = "meddie-deletion-proof/1"
WITH_ITS_CONVERSATION = gettext_noop("until the conversation is deleted")
WITH_THE_PERSON = gettext_noop("until an admin of the household deletes the person")
KEY_OF_MESSAGE = gettext_noop("the key of its message, until you forget the fact")
WITH_THE_ACCOUNT = gettext_noop("until the account is deleted")
# What is not deleted with a fact, by model: docs/deletion.md.
WITH_A_FACT = {
    "conversations.Message": WITH_ITS_CONVERSATION,
    "conversations.MessageIndex": gettext_noop("until your next message"),
    "conversations.Conversation": WITH_ITS_CONVERSATION,
    "conversations.Episode": WITH_ITS_CONVERSATION,
    "conversations.Summary": WITH_ITS_CONVERSATION,
    "memory.EpisodicMemory": WITH_ITS_CONVERSATION,
    "conversations.Attachment": WITH_ITS_CONVERSATION,
    "conversations.AttachmentText": WITH_ITS_CONVERSATION,
    "people.Person": WITH_THE_PERSON,
    "people.ProfileUpdate": WITH_THE_PERSON,
}
# What keeps the key of a message or a conversation, and no word of it.
WITH_A_CONVERSATION = {
    "memory.Memory": KEY_OF_MESSAGE,
    "memory.ProfileFact": KEY_OF_MESSAGE,
    "memory.MemoryStatement": KEY_OF_MESSAGE,
    "memory.MemoryEvent": gettext_noop(
        "the key, in the record of changes, until the account is deleted"
    ),
    "api.IngestedMessage": gettext_noop("its own key, until the channel is deleted"),
    "conversations.Receipt": gettext_noop(
        "the key, in what another answer used, until that is deleted"
    ),
}
Told = tuple[dict[str, int], list[dict[str, Any]], Mapping[str, str]]
"""What was deleted, what remains of it, and where the search may find something."""


def seal(proof: DeletionProof) -> None:
    """Search, then sign; what is left is looked for again, at last for staff to see."""
    found = find_remnants(proof)
    rows, remains, expected = READERS[proof.kind](proof)
    if found.again:
        again = gettext_noop("sentences that were told again since")
        remains.append(_kept(again, found.again, "until you forget them"))
    if not rows:  # all of it is remembered again
        with transaction.atomic():
            proof.hold()
            proof.delete()
        raise LeaseLost
    with override("en"):
        for label, count in sorted(found.rows.items()):
            if label in expected:
                name = str(apps.get_model(label)._meta.verbose_name_plural)  # noqa: SLF001
                remains.append(_kept(name, count, expected[label]))
    left = [label for label in sorted(found.rows) if label not in expected]
    left += found.places
    if left:
        logger.error("Of what proof %s is about, something is left: %s", proof.pk, left)
        proof.left = left
        proof.fail("left")
        return
    with transaction.atomic():
        proof.hold()
        _write(proof, rows, remains, found)
        proof.left, proof.traces = [], {}
        proof.succeed()


def _read_facts(proof: DeletionProof) -> Told:
    facts = [service.fact_of(UUID(key)) for key in proof.traces["keys"]]
    gone = [fact for fact in facts if fact is None or fact.is_retracted]
    made = [said for fact in gone if fact for said in fact.statements_made()]
    told = {said.message_id for said in made if said.message_id}
    messages = Message.objects.filter(pk__in=told).count()
    remains = [
        _kept(
            gettext_noop("hashes, against the same sentences"),
            len(gone),
            WITH_THE_ACCOUNT,
        ),
        _kept(gettext_noop("messages that told it"), messages, WITH_ITS_CONVERSATION),
    ]
    kept = [fact for fact in gone if fact and fact.content]
    ends = [end for fact in kept if (end := fact.text_kept_until)]
    expected = dict(WITH_A_FACT)
    if ends:
        until = f"for Undo, until {timezone.localdate(max(ends)).isoformat()}"
        expected |= {kind._meta.label: until for kind in Fact.__subclasses__()}  # noqa: SLF001
    return {gettext_noop("facts"): len(gone)} if gone else {}, remains, expected


def _read_conversation(proof: DeletionProof) -> Told:
    kept = gettext_noop("facts that it stated, if they were not forgotten, too")
    remains = [{"what": kept, "until": gettext_noop("until you forget them")}]
    return proof.traces["rows"], remains, WITH_A_CONVERSATION


def _read_account(proof: DeletionProof) -> Told:
    remains = [
        _kept(
            gettext_noop("key of the account, for restored back-ups"),
            1,
            gettext_noop("without end"),
        ),
        {
            "what": gettext_noop("what others wrote of you"),
            "until": gettext_noop("until they delete it"),
        },
    ]
    return proof.traces["rows"], remains, {}


READERS = {
    DeletionProof.FACTS: _read_facts,
    DeletionProof.CONVERSATION: _read_conversation,
    DeletionProof.ACCOUNT: _read_account,
}


def _kept(what: str, count: int, until: str) -> dict[str, Any]:
    return {"what": what, "count": count, "until": until}


def _write(
    proof: DeletionProof,
    rows: Mapping[str, int],
    remains: list[dict[str, Any]],
    found: Found,
) -> None:
    """In English: others will read what is signed."""
    told = {
        "format": FORMAT,
        "id": str(proof.pk),
        "address": settings.PUBLIC_URL,
        "version": VERSION,
        "deleted": {"what": proof.kind, "rows": dict(rows)},
        "deleted_at": _moment(proof.created_at),
        "searched_at": _moment(timezone.now()),
        "searched": {
            "tables": found.tables,
            "and": ["files", "journals", "Redis"],
        },
        "found": "nothing but what remains",
        "remains": [
            *(kept for kept in remains if kept.get("count") != 0),
            {
                "what": gettext_noop("back-ups that were made before"),
                "until": gettext_noop("until the operator deletes them"),
            },
        ],
    }
    proof.document = json.dumps(told, indent=2, ensure_ascii=False) + "\n"
    proof.signature, proof.public_key = sign(proof.document), public_key()


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


HANDLERS: Handlers = dict.fromkeys(READERS, seal)
