"""Look for what was deleted in all rows of its user, in files, in journals and in Redis."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.apps import apps
from django.db import connection, models

from conversations import event_log
from conversations.forgetting.erasing import Traces, find_remains, in_journals
from conversations.models import DeletionProof
from conversations.models.attachment import attachment_storage
from memory.models import Fact
from people.models import User

APPS = ("memory", "conversations", "telegram", "api", "people")
TEXTS = (models.CharField, models.TextField, models.JSONField)
KEYS = (models.UUIDField, models.ForeignKey, *TEXTS)


@dataclass(slots=True)
class Found:
    """`rows` and `places` are what has something, by the names of their models."""

    tables: int = 0
    searched: int = 0  # rows
    rows: Counter[str] = field(default_factory=Counter)
    places: list[str] = field(default_factory=list)


def find_remnants(proof: DeletionProof) -> Found:
    """A fact is looked for by its sentence, a conversation by the keys of what was in it.

    An account is looked for by its key and address, in all tables.
    """
    traces = proof.traces
    keys = frozenset(map(UUID, traces["keys"]))
    files = frozenset(traces.get("files", ()))
    if proof.kind == DeletionProof.ACCOUNT:
        user = User(pk=traces["user"], email=traces["email"])
        tables = len(connection.introspection.table_names())
        return Found(tables, places=find_remains(Traces(user, None, files, keys, keys)))
    found = Found(places=[*_places_with(keys, files)])
    by_words = proof.kind == DeletionProof.FACTS
    wanted = {text.casefold() for text in traces["words" if by_words else "keys"]}
    wanted -= _told_again(proof) if by_words else set()
    for model, rows in _rows_of(proof, by_words=by_words):
        is_fact = by_words and issubclass(model, Fact)  # others may have the same words
        found.tables += 1
        for row in (rows.filter(pk__in=keys) if is_fact else rows).iterator():
            found.searched += 1
            texts = [_text(value) for value in row]
            if any(part in text for text in texts for part in wanted):
                found.rows[model._meta.label] += 1  # noqa: SLF001 -- Django documents it
    return found


def _places_with(keys: frozenset[UUID], files: frozenset[str]) -> Iterator[str]:
    if any(map(attachment_storage().exists, files)):
        yield "files"
    if in_journals(keys):
        yield "journals"
    if async_to_sync(event_log.logged_replies)() & keys:
        yield "Redis"


def _told_again(proof: DeletionProof) -> set[str]:
    """What the user has told since, in the same words: it is in more places."""
    owned = {"user": proof.user_id, "space": proof.space_id, "active": True}
    facts: Iterator[Any] = (
        models.QuerySet(kind).filter(**owned) for kind in Fact.__subclasses__()
    )
    return {fact.content.casefold() for rows in facts for fact in rows}


def _text(value: object) -> str:
    """Of JSON, its keys and values."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return str(value or "").casefold()


def _rows_of(
    proof: DeletionProof, *, by_words: bool
) -> Iterator[tuple[type[models.Model], Any]]:
    """The columns with texts, or with keys, of all rows of the proof's user in its space."""
    kinds = TEXTS if by_words else KEYS
    for model in apps.get_models():
        meta = model._meta  # noqa: SLF001 -- Django documents it
        path, holder = _owner(model) or ("", model)
        names = [f.attname for f in meta.concrete_fields if isinstance(f, kinds)]
        if model is DeletionProof or meta.app_label not in APPS or meta.proxy:
            continue
        if not path or not names:
            continue
        rows: Any = models.QuerySet(model).filter(**{path: proof.user_id})
        if "space" in {f.name for f in holder._meta.concrete_fields}:  # noqa: SLF001
            rows = rows.filter(**{path.removesuffix("user") + "space": proof.space_id})
        yield model, rows.values_list(*names)


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
