"""Admin page of memory events: what was learnt and forgotten, and why."""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from meddie.admin import EMPTY, link_to_page
from memory.admin_facts import with_words
from memory.models import Fact, Memory, MemoryEvent, facts_for
from memory.reasons import Reason
from memory.wording.words import tokens
from people.admin.owned import OwnedList, UserFilter, chosen_user
from people.models import User

NEW_LINE = mark_safe("<br>")
MOST_FOUND = 50  # memories whose events a search by words finds
FURTHER = (  # shown of an event's data
    *("origin", "model", "input_length", "error", "raw"),
    *("file", "update"),
)
Rows = Mapping[uuid.UUID, Fact]
COUNTED = {
    "add": _("added %(count)d"),
    "replace": _("replaced %(count)d"),
    "retract": _("forgot %(count)d"),
    "restore": _("restored %(count)d"),
    "assign": _("moved %(count)d to another subject"),
    "ignore": _("left %(count)d as it was"),
    "reject": _("refused %(count)d"),
    "defer": _("deferred %(count)d"),
}
TOLD = {
    "add": _("Added"),
    "replace": _("Replaced"),
    "retract": _("Forgotten"),
    "restore": _("Restored"),
    "assign": _("Moved to another subject"),
    "ignore": _("Left as it was"),
    "reject": _("Refused"),
    "defer": _("Deferred"),
}
LOOKS = (
    *("memories", "profile_facts", "events", "conversations", "feedback", "found"),
    *("snapshot", "inspected"),
)


@dataclass(frozen=True, slots=True)
class EventLine:
    """`old` is what the row took the place of. What was refused has a text, no row."""

    text: Any
    row: uuid.UUID | None = None
    old: uuid.UUID | None = None
    reason: str = ""
    proposal: str = ""
    evidence: str = ""


class EventList(ChangeList):
    """Reads the rows that the listed events name at once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        if chosen_user(request):
            rows = _named_rows(self.result_list, request.user)
            for event in self.result_list:
                event.rows = rows
                _hide_proposals(event, request.user)


@admin.register(MemoryEvent)
class MemoryEventAdmin(OwnedList):
    looks = MemoryEvent.objects
    recorded_as = "events"
    texts = ("told",)
    same = ("summary", "user")
    searches_texts = True
    list_display = ("created_at", "kind", "summary", "told", "user", "space")
    list_select_related = ("user", "space", "by")
    list_filter = ("kind", "created_at", UserFilter)
    date_hierarchy = "created_at"
    search_fields = ("user__email", "space__name")
    search_help_text = _(
        "Words of a memory or its key, the user's address or the space's name."
    )
    ordering = ("-created_at", "-pk")
    fields = ("created_at", "kind", "told", "user", "space", "staff", "further")
    readonly_fields = fields

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return EventList

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        event: Any = super().get_object(request, object_id, from_field)
        if event is not None:
            event.rows = _named_rows([event], request.user)
            _hide_proposals(event, request.user)
        return event

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        """Record also the facts of others whose texts the events show."""
        super().record_look(request, rows)
        others = {
            fact.pk: fact
            for event in rows
            for fact in _shown_facts(event)
            if fact.content and fact.user_id != event.user_id
        }
        if others:
            by = cast("User", request.user)
            MemoryEvent.objects.record_look(by, others.values(), "memories")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[MemoryEvent], search_term: str
    ) -> tuple[QuerySet[MemoryEvent], bool]:
        memories = _searched(search_term, request)
        named = queryset.filter(
            pk__in=MemoryEvent.objects.about(*memories).values("pk")
        )
        if memories and named.exists():
            return named, False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=_("summary"))
    def summary(self, event: MemoryEvent) -> str:
        return summary_of(event)

    @admin.display(description=_("what happened"))
    def told(self, event: Any) -> SafeString | str:
        """The texts that the named rows have now."""
        lines = [(_sentence(line, event.rows),) for line in lines_of(event)]
        return format_html_join(NEW_LINE, "{}", lines) or summary_of(event)

    @admin.display(description=_("staff"))
    def staff(self, event: MemoryEvent) -> SafeString | str:
        return link_to_page(event.by)

    @admin.display(description=_("details"))
    def further(self, event: MemoryEvent) -> SafeString | str:
        found = event.data | event.texts
        data = [(name, found[name]) for name in FURTHER if name in found]
        return format_html_join(NEW_LINE, "{}: {}", data) or EMPTY


def _sentence(line: EventLine, rows: Rows) -> SafeString:
    told = [line.text]
    if line.row:
        told = [format_html("{}: {}", line.text, _page(line.row, rows))]
    if line.old:
        told.append(format_html(str(_("in place of {}")), _page(line.old, rows)))
    if line.proposal:
        told.append(format_html("“{}”", line.proposal))
    if line.reason:
        told.append(format_html("— {}", _reason(line.reason)))
    if line.evidence:
        told.append(format_html(str(_("Quoted: “{}”")), line.evidence))
    return format_html_join(" ", "{}", [(part,) for part in told])


def _reason(slug: str) -> str:
    return str(Reason(slug).label) if slug in Reason.values else slug


def _page(key: uuid.UUID, rows: Rows) -> SafeString | str:
    return link_to_page(rows[key]) if key in rows else str(_("a deleted one"))


def _named_rows(events: Iterable[MemoryEvent], viewer: Any) -> Rows:
    lines = [line for event in events for line in lines_of(event)]
    keys = {key for line in lines for key in (line.row, line.old) if key}
    return facts_for(viewer, keys)


def _hide_proposals(event: MemoryEvent, viewer: Any) -> None:
    """What was refused is shown to those who may read facts."""
    if not viewer.has_perm("memory.view_memory"):
        event.texts = {}


def _shown_facts(event: Any) -> list[Fact]:
    rows: Rows = getattr(event, "rows", {})  # set where texts are shown
    keys = {key for line in lines_of(event) for key in (line.row, line.old)}
    return [rows[key] for key in keys if key and key in rows]


def _searched(term: str, request: HttpRequest) -> list[Memory]:
    """The memory with this key, or the newest with these words."""
    try:
        return [Memory(pk=uuid.UUID(term.strip()))]
    except ValueError:
        if not (tokens(term) and request.user.has_perm("memory.view_memory")):
            return []
        user = chosen_user(request)
        owned = Memory.objects.filter(user=user) if user else Memory.objects.all()
        found = with_words(owned, term).order_by("-updated_at")
        return list(found.only("pk")[:MOST_FOUND])


def lines_of(event: MemoryEvent) -> Iterator[EventLine]:
    """What happened to each fact; nothing for a look."""
    refused = event.texts.get("refused", {})
    for place, decision in enumerate(event.data.get("decisions", [])):
        target = _key(decision["target"])
        row = _key(decision["fact"]) or target
        plain = decision["action"] in {"add", "retract", "restore", "assign"}
        proposal = refused.get(str(place), {})
        yield EventLine(
            TOLD[decision["action"]],
            row,
            None if row == target else target,
            "" if plain else decision["reason"],
            proposal.get("text", ""),
            proposal.get("evidence", ""),
        )


def _key(value: str | None) -> uuid.UUID | None:
    return uuid.UUID(value) if value else None


def summary_of(event: MemoryEvent) -> str:
    """Such as "added 2, forgot 1"; empty if it did nothing."""
    data = event.data
    if error := data.get("error"):
        return gettext("failed: %(error)s") % {"error": error}
    if event.kind == MemoryEvent.Kind.INSPECTION:
        seen = sum(len(data[name]) for name in LOOKS if name in data)
        return gettext("saw %(count)d") % {"count": seen}
    if model := data.get("model"):
        return gettext("asked %(model)s") % {"model": model}
    counts = Counter(decision["action"] for decision in data.get("decisions", []))
    told = [
        str(words) % {"count": counts[action]}
        for action, words in COUNTED.items()
        if counts[action]
    ]
    return ", ".join(told)
