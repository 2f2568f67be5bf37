"""Files of facts, Meddie's own and exports of other assistants: read and store them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.facts.imports import import_facts
from memory.facts.kinds import KINDS
from memory.models import Memory
from memory.values import (
    MEMORY_KIND,
    PROFILE_KIND,
    Candidate,
    Decision,
    ImportedFact,
)
from people.scope import Scope

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
"""Times near the year 1 do not exist in every time zone."""
OWN_KEYS = {"text", "key", "stated_at", "of_kind"}  # of a line of Meddie's own
DATES = ("updated_at", "created_at", "create_time")
UNKNOWN_SHAPE = gettext_lazy(
    "This is none of the files that Meddie knows: exports of ChatGPT, Claude, Gemini (as"
    " JSON), Open WebUI, mem0, Telegram (as JSON), WhatsApp and Meddie, and health"
    " records as FHIR (JSON), C-CDA or Apple Health’s."
)
CONVERSATIONS = (
    "This is a list of conversations. Import it with `import_conversations`."
)


class InvalidImport(Exception):
    """Its text is one sentence in the active language."""


def import_all(
    scope: Scope,
    facts: Sequence[ImportedFact],
    *,
    dry_run: bool = False,
    taken: Set[str] = frozenset(),
) -> list[Decision]:
    """Store facts by the rules of a conversation; a dry run only decides.

    `taken` as in `import_facts`. Network, then database.
    """
    return list(import_facts(scope, facts, dry_run=dry_run, taken=taken))


def read_import(
    text: str, name: str | None, written_at: datetime, most: int | None = None
) -> list[ImportedFact]:
    """The first facts of a file in the format of that name, else found from the content.

    `written_at` is the date of saved memories without one. Raises InvalidImport.
    """
    found = FORMATS[name or detect_format(text)](text, written_at)
    return list(islice(found, most))


def detect_format(text: str) -> str:
    """Raises InvalidImport for what is in none of the formats."""
    document = _parsed(text)
    if document is None:
        document = _parsed(text.lstrip().partition("\n")[0])
    if isinstance(document, dict):
        lists = {"results": "mem0", "memories": "chatgpt"}
        named = [
            name for key, name in lists.items() if isinstance(document.get(key), list)
        ]
        if named or OWN_KEYS & document.keys():
            return named[0] if named else "jsonl"
    if document == []:
        return "openwebui"
    first = document[0] if isinstance(document, list) else None
    first = first if isinstance(first, dict) else {}
    if "memory" in first:
        return "mem0"
    if "content" in first and "role" not in first:  # no message of a chat
        return "openwebui" if "user_id" in first else "chatgpt"
    if "mapping" in first:
        return "chatgpt"
    raise InvalidImport(str(UNKNOWN_SHAPE))


def _jsonl(text: str, _written_at: datetime) -> Iterator[ImportedFact]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = _("Line %(number)d") % {"number": number}
            yield _own_fact(_parsed(line), where)


def _own_fact(data: Any, where: str) -> ImportedFact:
    """A fact, or a profile fact if it has a key."""
    told = _("%(where)s is no fact with a date.") % {"where": where}
    malformed = InvalidImport(told)
    if not isinstance(data, dict):
        raise malformed
    of_kind = data.get("of_kind", PROFILE_KIND if "key" in data else MEMORY_KIND)
    kind = KINDS.get(of_kind) if isinstance(of_kind, str) else None
    if kind is None:
        raise malformed
    values = {
        column: data[column.name] for column in kind.columns if column.name in data
    }
    origin = data.get("origin", Memory.Origin.IMPORT)
    sound = isinstance(data.get("stated_at"), str) and all(
        _is_share(value) if column.is_share else isinstance(value, str)
        for column, value in values.items()
    )
    if not sound or origin not in Memory.Origin.values:
        raise malformed
    stated_at = _date(data["stated_at"], where, malformed)
    try:
        named = {column.name: column.read(v) for column, v in values.items()}
        candidate = kind.candidate(**named)
    except TypeError as error:
        raise malformed from error
    return ImportedFact(candidate, stated_at, origin)


def _open_webui(text: str, _written_at: datetime) -> Iterator[ImportedFact]:
    return _entries(_list(_parsed(text)), "content")


def _mem0(text: str, _written_at: datetime) -> Iterator[ImportedFact]:
    document = _parsed(text)
    if isinstance(document, dict):
        document = document.get("results")
    return _entries(_list(document), "memory")


def _chatgpt(text: str, written_at: datetime) -> Iterator[ImportedFact]:
    """Saved memories, as JSON or as lines that a user copied."""
    document = _parsed(text)
    if document is None:
        lines = [line.strip(" \t\r-*•") for line in text.split("\n")]
        document = [line for line in lines if line]
    if isinstance(document, dict):
        document = document.get("memories")
    entries = [
        {"content": entry} if isinstance(entry, str) else entry
        for entry in _list(document)
    ]
    if any(isinstance(entry, dict) and "mapping" in entry for entry in entries):
        raise InvalidImport(CONVERSATIONS)
    return _entries(entries, "content", written_at)


FORMATS: Mapping[str, Callable[[str, datetime], Iterator[ImportedFact]]] = {
    "jsonl": _jsonl,
    "openwebui": _open_webui,
    "mem0": _mem0,
    "chatgpt": _chatgpt,
}


def _entries(
    entries: list[Any], name: str, default: datetime | None = None
) -> Iterator[ImportedFact]:
    owners = {str(entry.get("user_id")) for entry in entries if isinstance(entry, dict)}
    if len(owners) > 1:
        raise InvalidImport(_("The file has memories of several users."))
    for number, entry in enumerate(entries, 1):
        where = _("Entry %(number)d") % {"number": number}
        told = _("%(where)s is no memory with a date.") % {"where": where}
        malformed = InvalidImport(told)
        if not isinstance(entry, dict) or not isinstance(entry.get(name), str):
            raise malformed
        if entry.get("enabled") is False:
            continue
        date = next(
            (entry[name_of_date] for name_of_date in DATES if entry.get(name_of_date)),
            default,
        )
        yield ImportedFact(Candidate(entry[name]), _date(date, where, malformed))


def _list(document: Any) -> list[Any]:
    if not isinstance(document, list):
        raise InvalidImport(_("The file has no list of memories."))
    return document


def _parsed(text: str) -> Any:
    """None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_share(value: Any) -> bool:
    return type(value) in {int, float} and 0 <= value <= 1


def _date(value: Any, where: str, malformed: InvalidImport) -> datetime:
    """Of ISO 8601, or of seconds since 1970; the future becomes now."""
    try:
        if type(value) in {int, float}:
            value = datetime.fromtimestamp(value, UTC)
        when = value if isinstance(value, datetime) else parse_datetime(value)
    except (ValueError, TypeError, OverflowError, OSError) as error:
        raise malformed from error
    if when is None:
        raise malformed
    if timezone.is_naive(when):
        when = timezone.make_aware(when)
    if when < EARLIEST:
        told = _("%(where)s is dated before 1900.") % {"where": where}
        raise InvalidImport(told)
    return min(when, timezone.now())
