"""Attacks by staff with view rights: reading text through filters, unrecorded looks."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.contrib import admin
from django.db import models
from django.urls import reverse

from memory.models import MemoryEvent
from tests.fuzz.attack import Attack
from tests.fuzz.checks import comparable
from tests.fuzz.crawl import Crawl

TEXTS = (models.CharField, models.TextField, models.JSONField)
LOOKUPS = ("contains", "startswith", "regex", "gte")
HIT, MISS = b"qx", b"zz"
"""The beginning of all canaries, and of none."""


def attack_filters(attack: Attack) -> None:
    """No filter that a page does not offer tells whether a row has a text."""
    for model, page in admin.site._registry.items():
        meta = model._meta
        path = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
        offered = {str(entry) for entry in page.get_list_filter(None)}  # type: ignore[arg-type] # no page looks at it
        for name in attack.some(
            sorted(set(_texts(model)) - offered), attack.scale.fields
        ):
            for lookup in attack.some(LOOKUPS, attack.scale.keys):
                _compare(attack, path, f"{name}__{lookup}".encode())


def _texts(model: type[models.Model]) -> Iterator[str]:
    """Text columns of the model, and of those that it refers to."""
    for field in model._meta.concrete_fields:
        if isinstance(field, TEXTS):
            yield field.name
        elif field.related_model:
            others = field.related_model._meta.concrete_fields
            yield from (
                f"{field.name}__{o.name}" for o in others if isinstance(o, TEXTS)
            )


def _compare(attack: Attack, path: str, name: bytes) -> None:
    hit, miss = (
        comparable(
            attack.actor.ask("GET", path, query=name + b"=" + text), text.decode()
        )
        for text in (HIT, MISS)
    )
    if hit != miss:
        attack.actor.report(
            f"{path}?{name.decode()}=", f"tells of texts: {hit}, {miss}"
        )


def attack_looks(attack: Attack, crawl: Crawl) -> None:
    """Each page that shows a text is recorded for the user whose text it is."""
    actor, texts = attack.actor, attack.actor.world.texts
    for page in attack.some(crawl.pages, attack.scale.pages // 2):
        query = urlencode(page.fields).encode()
        answer = actor.ask("GET", page.path, query=query)
        shown = set(actor.checks.canary.findall(answer.text)) & texts.keys()
        looks = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.INSPECTION)
        recorded = {look.user for look in looks}
        for word in sorted(shown):
            if texts[word] not in recorded:
                actor.report(page, f"shows {word}, and no look is recorded")
        actor.settle(page)
