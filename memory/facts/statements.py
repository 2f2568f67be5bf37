"""Facts by the messages that stated them."""

import uuid
from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q

from memory.facts.lore import told_lore
from memory.models import Memory, MemoryStatement, ProfileFact
from people.scope import Scope


def stated_only_in(scope: Scope, message_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Keys of the user's facts, also superseded ones, that no other message stated."""
    stated = Q(source_message__in=message_ids)
    statements = MemoryStatement.objects.filter(memory=OuterRef("pk"))
    here = Exists(statements.filter(message_id__in=message_ids))
    elsewhere = Exists(statements.standing().exclude(message_id__in=message_ids))
    own = Memory.objects.owned_by(scope).filter(stated | here).exclude(elsewhere)
    memories = own.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    lore = told_lore(scope).active().filter(stated)
    profile = ProfileFact.objects.owned_by(scope).filter(message_id__in=message_ids)
    profile = profile.filter(Q(active=True) | Q(withdrawn=True))
    return [
        key
        for rows in (memories, lore, profile)
        for key in rows.values_list("pk", flat=True)
    ]
