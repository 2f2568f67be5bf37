"""Look for what was deleted in all rows of its user, in files, in journals and in Redis."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.db.models import Q

from conversations import event_log
from conversations.forgetting.erasing import Traces, find_remains, in_journals
from conversations.models import Attachment, DeletionProof
from conversations.models.attachment import attachment_storage
from meddie.jobs.job import Outage
from memory.models import Fact
from people.models import User

APPS = ("memory", "conversations", "telegram", "api", "people")
NESTED = (models.JSONField, ArrayField)
TEXTS = (models.CharField, models.TextField, *NESTED)
QUOTING = {"evidence", "metadata"}  # columns of a fact that other facts may be in
KEY = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(slots=True)
class Found:
    """`rows` and `places` have something: rows by the labels of their models.

    `again` is how many sentences the user has told since, which are looked for in the
    forgotten rows alone.
    """

    tables: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    places: list[str] = field(default_factory=list)
    again: int = 0


def find_remnants(proof: DeletionProof) -> Found:
    """A fact is looked for by its sentence, a conversation by the keys of what was in it.

    An account is looked for by its key, in all tables. Raises Outage without Redis.
    """
    traces = proof.traces
    keys = frozenset(map(UUID, traces["keys"]))
    files = frozenset(traces.get("files", ()))
    if proof.kind == DeletionProof.ACCOUNT:
        _logged_replies()
        user = User(pk=traces["user"], email=traces["user"])
        tables = len(connection.introspection.table_names())
        return Found(tables, places=find_remains(Traces(user, None, files, keys, keys)))
    found = Found(places=[*_places_with(keys, files)])
    (_find_words if proof.kind == DeletionProof.FACTS else _find_keys)(proof, found)
    found.rows = +found.rows
    return found


def _find_words(proof: DeletionProof, found: Found) -> None:
    keys = proof.traces["keys"]
    wanted = {text.casefold() for text in proof.traces["words"]}
    elsewhere = wanted - _told_since(proof)
    found.again = len(wanted) - len(elsewhere)
    for model, rows in _rows_of(proof):
        found.tables += 1
        label, names = model._meta.label, _columns(model, TEXTS)  # noqa: SLF001
        if issubclass(model, Fact):
            forgotten = rows.filter(pk__in=keys)
            found.rows[label] += _count(forgotten.values_list(*names), wanted)
            names = [name for name in names if name in QUOTING]
        if names:
            others = rows.exclude(pk__in=keys) if issubclass(model, Fact) else rows
            found.rows[label] += _count(others.values_list(*names), elsewhere)


def _count(rows: Any, wanted: set[str]) -> int:
    texts = ("\n".join(map(_text, row)) for row in rows.iterator())
    return sum(any(part in text for part in wanted) for text in texts)


def _find_keys(proof: DeletionProof, found: Found) -> None:
    keys = set(proof.traces["keys"])
    for model, rows in _rows_of(proof):
        found.tables += 1
        label = model._meta.label  # noqa: SLF001
        if columns := _key_columns(model):
            named = Q(*((f"{name}__in", keys) for name in columns), _connector=Q.OR)
            found.rows[label] += rows.filter(named).count()
        if nested := _columns(model, NESTED):
            values = rows.values_list(*nested).iterator()
            texts = ("\n".join(map(_text, row)) for row in values)
            found.rows[label] += sum(bool(keys & {*KEY.findall(t)}) for t in texts)


def _places_with(keys: frozenset[UUID], files: frozenset[str]) -> Iterator[str]:
    # Equal files of a user are kept once.
    shared = Attachment.objects.filter(file__in=files).values_list("file", flat=True)
    if any(map(attachment_storage().exists, files.difference(shared))):
        yield "files"
    if in_journals(keys):
        yield "journals"
    if _logged_replies() & keys:
        yield "Redis"


def _logged_replies() -> set[UUID]:
    """Raises Outage: what could not be searched is not said to be."""
    logged = async_to_sync(event_log.logged_replies)()
    if logged is None:
        raise Outage("redis")
    return logged


def _told_since(proof: DeletionProof) -> set[str]:
    owned = {"user": proof.user_id, "space": proof.space_id, "active": True}
    facts: Iterator[Any] = (
        models.QuerySet(kind).filter(**owned).defer(*kind.VECTORS)
        for kind in Fact.__subclasses__()
    )
    return {fact.content.casefold() for rows in facts for fact in rows}


def _text(value: object) -> str:
    """Of JSON and arrays, their keys and values."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return str(value or "").casefold()


def _columns(model: type[models.Model], kinds: tuple[type[Any], ...]) -> list[str]:
    fields = model._meta.concrete_fields  # noqa: SLF001 -- Django documents it
    return [f.attname for f in fields if isinstance(f, kinds)]


def _key_columns(model: type[models.Model]) -> list[str]:
    return [
        f.attname
        for f in model._meta.concrete_fields  # noqa: SLF001
        if isinstance(getattr(f, "target_field", f), models.UUIDField)
    ]


def _rows_of(proof: DeletionProof) -> Iterator[tuple[type[models.Model], Any]]:
    """All rows of the proof's user in its space."""
    for model in apps.get_models():
        meta = model._meta  # noqa: SLF001
        path, holder = _owner(model) or ("", model)
        if not path or model is DeletionProof or meta.app_label not in APPS:
            continue
        rows: Any = models.QuerySet(model).filter(**{path: proof.user_id})
        if "space" in {f.name for f in holder._meta.concrete_fields}:  # noqa: SLF001
            rows = rows.filter(**{path.removesuffix("user") + "space": proof.space_id})
        if not meta.proxy:
            yield model, rows


@cache
def _owner(
    model: type[models.Model],
) -> tuple[str, type[models.Model]] | None:
    """The path to the column `user`, through others that are never empty, and its model."""
    keys = {
        f.name: f.related_model
        for f in model._meta.concrete_fields  # noqa: SLF001
        if isinstance(f, models.ForeignKey) and (f.name == "user" or not f.null)
    }
    if keys.get("user") is User:
        return "user", model
    further = (
        (f"{name}__{found[0]}", found[1])
        for name, other in sorted(keys.items())
        if other is not model and (found := _owner(other))
    )
    return min(further, key=lambda found: found[0].count("__"), default=None)
