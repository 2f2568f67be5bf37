"""Facts and profile facts of a user in a space, as text."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from meddie.text import markdown_escaped
from memory.facts.kind import SUBJECT, Kind
from memory.facts.kinds import KINDS, kind_of
from memory.facts.lore import LORE
from memory.household import told_subject
from memory.models import Fact
from memory.subjects import UNSURE_TEXT, Subject
from people.scope import Scope


def exported_facts(scope: Scope) -> Iterator[Fact]:
    """Active facts of the user, kind by kind and the oldest first.

    An import in this order lets newer facts follow older ones.
    """
    for kind in _exported_kinds():
        facts = kind.seen(scope).filter(user_id=scope.user_id).active()
        yield from _oldest_first(kind, facts)


def count_exported(scope: Scope) -> int:
    return sum(
        kind.seen(scope).filter(user_id=scope.user_id).active().count()
        for kind in _exported_kinds()
    )


def former_facts(scope: Scope) -> Iterator[Fact]:
    """What was replaced or archived, the oldest first; not what was forgotten."""
    retracted = Fact.RetiredReason.RETRACTED
    for kind in _exported_kinds():
        former = kind.own(scope).filter(active=False)
        yield from _oldest_first(kind, former.exclude(retired_reason=retracted))


def exported_lore(scope: Scope) -> Iterator[Fact]:
    """Active lore of the space that the user was the last to tell."""
    return _oldest_first(LORE, LORE.own(scope).active())


def _exported_kinds() -> list[Kind]:
    return [kind for kind in KINDS.values() if kind.is_exported]


def _oldest_first(kind: Kind, facts: Any) -> Iterator[Fact]:
    order = (column.of_row for column in kind.columns)
    rows: Iterator[Fact] = (
        facts.select_related("person")
        .defer(*kind.model.VECTORS)
        .order_by("stated_at", *order)
        .iterator()
    )
    return rows


def fact_as_json(fact: Fact) -> str:
    """A line that `import_facts` reads."""
    return json.dumps(_data(fact), ensure_ascii=False) + "\n"


def _data(fact: Fact) -> dict[str, Any]:
    values = (
        (column.name, told_subject(fact) if column is SUBJECT else column.of(fact))
        for column in kind_of(fact).columns
    )
    return {
        "of_kind": fact.of_kind,
        **{name: value for name, value in values if value is not None},
        "stated_at": fact.stated_at.isoformat(),
        "origin": fact.origin,
    }


def facts_as_markdown(
    facts: Iterable[Fact], named: Callable[[Subject], str]
) -> Iterator[str]:
    """A list for each subject, the user's first, under what `named` calls it."""
    groups: dict[str, list[Fact]] = {"": []}
    for fact in facts:
        text = "" if fact.is_lore else told_subject(fact)
        groups.setdefault(UNSURE_TEXT if text is None else text, []).append(fact)
    for text in sorted(groups, key=lambda text: (text == UNSURE_TEXT, text)):
        if groups[text] and len(groups) > 1:
            yield f"\n## {markdown_escaped(named(Subject.read(text)))}\n\n"
        yield from map(_as_markdown, groups[text])


def _as_markdown(fact: Fact) -> str:
    day = date_format(timezone.localtime(fact.stated_at))
    sure = f"{_('confidence')} {floatformat(fact.confidence, 2)}"
    details = f"{day}, {fact.get_origin_display()}, {sure}"
    return f"- {markdown_escaped(fact.content)} ({details})\n"
