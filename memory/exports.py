"""Facts and profile facts of a user in a space, as text."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from meddie.text import markdown_escaped
from memory.models import Fact, Memory, ProfileFact
from people.scope import Scope


def exported_facts(scope: Scope) -> Iterator[Fact]:
    """Active profile facts, then active facts, the oldest first.

    An import in this order lets newer facts follow older ones.
    """
    profile = ProfileFact.objects.owned_by(scope).active()
    facts = Memory.objects.owned_by(scope).visible_to(scope).active()
    return chain(
        profile.order_by("stated_at", "category", "key"),
        facts.defer("embedding", "near").order_by("stated_at", "content").iterator(),
    )


def count_exported(scope: Scope) -> int:
    facts = Memory.objects.owned_by(scope).visible_to(scope).active()
    return facts.count() + ProfileFact.objects.owned_by(scope).active().count()


def former_facts(scope: Scope) -> Iterator[Fact]:
    """What was replaced or archived, the oldest first; not what was forgotten."""
    retracted = Fact.RetiredReason.RETRACTED
    profile = ProfileFact.objects.owned_by(scope).filter(active=False)
    facts = Memory.objects.owned_by(scope).filter(active=False)
    return chain(
        profile.exclude(retired_reason=retracted).order_by("stated_at", "pk"),
        facts.exclude(retired_reason=retracted)
        .defer("embedding", "near")
        .order_by("stated_at", "pk")
        .iterator(),
    )


def exported_lore(scope: Scope) -> Iterator[Fact]:
    """Active lore of the space that the user was the last to tell."""
    facts = Memory.objects.told_by(scope).active().defer("embedding", "near")
    return facts.order_by("stated_at", "pk").iterator()


def fact_as_json(fact: Fact) -> str:
    """A line that `import_facts` reads."""
    return json.dumps(_data(fact), ensure_ascii=False) + "\n"


def _data(fact: Fact) -> dict[str, Any]:
    common = {
        "stated_at": fact.stated_at.isoformat(),
        "confidence": fact.confidence,
        "origin": fact.origin,
    }
    if isinstance(fact, ProfileFact):
        profile = {"category": fact.category, "key": fact.key, "value": fact.value}
        return profile | {"importance": fact.importance} | common
    assert isinstance(fact, Memory)  # noqa: S101 -- there are two kinds
    own = {"text": fact.content, "kind": fact.kind, "evidence": fact.evidence}
    times = {"valid_from": fact.valid_from, "valid_until": fact.valid_until}
    own |= {name: at.isoformat() for name, at in times.items() if at}
    return own | common


def fact_as_markdown(fact: Fact) -> str:
    day = date_format(timezone.localtime(fact.stated_at))
    sure = f"{_('confidence')} {floatformat(fact.confidence, 2)}"
    details = f"{day}, {fact.get_origin_display()}, {sure}"
    return f"- {markdown_escaped(fact.content)} ({details})\n"
