"""What an import would do, or did, with each fact of a file, and what was not read."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.fact_texts import shown_proposal
from memory.reasons import TAKEN_ANYWAY, Reason
from memory.values import Decision

NEW, CHANGED, KNOWN_ALREADY, LEFT_OUT = range(4)
KNOWN_REASONS = frozenset(
    {Reason.DUPLICATE, Reason.NEAR_DUPLICATE, Reason.SAME_MESSAGE}
)


@dataclass(frozen=True, slots=True)
class ImportLine:
    """`why` it is left out; `key` is what the form sends to take it anyway."""

    text: str
    why: str = ""
    key: str = ""
    taken: bool = False


@dataclass(frozen=True, slots=True)
class ImportGroup:
    label: str
    lines: Sequence[ImportLine]


def outcomes(
    decisions: Sequence[Decision], taken: Set[str] = frozenset()
) -> list[ImportGroup]:
    """The texts of the decisions, by what became of them."""
    groups = (_("New"), _("Changed"), _("Known already"), _("Left out"))
    lines: defaultdict[str, list[ImportLine]] = defaultdict(list)
    for decision in decisions:
        outcome = outcome_of(decision)
        left_out, label = outcome == LEFT_OUT, groups[outcome]
        is_taken = decision.text in taken
        may_take = decision.reason in TAKEN_ANYWAY if left_out else is_taken
        line = ImportLine(
            shown_proposal(decision),
            str(decision.reason.label) if left_out else "",
            decision.text if may_take else "",
            is_taken,
        )
        lines[label].append(line)
    return [ImportGroup(label, lines[label]) for label in groups if label in lines]


def outcome_of(decision: Decision) -> int:
    """The number of its group. What is known is active: outdated facts are left out."""
    if decision.action in {"add", "defer"}:
        return NEW
    if decision.action == "replace":
        return CHANGED
    return KNOWN_ALREADY if decision.reason in KNOWN_REASONS else LEFT_OUT


def messages_account(total: int, unread: Mapping[str, int]) -> str:
    """How many of the user's messages were read, and what the others are."""
    if not unread:
        return ""
    texts = {
        "picture": ngettext(
            "%(count)d is a picture", "%(count)d are pictures", unread.get("picture", 0)
        ),
        "recording": ngettext(
            "%(count)d is a recording",
            "%(count)d are recordings",
            unread.get("recording", 0),
        ),
        "file": ngettext(
            "%(count)d is a file", "%(count)d are files", unread.get("file", 0)
        ),
        "other": ngettext(
            "%(count)d is of another kind",
            "%(count)d are of another kind",
            unread.get("other", 0),
        ),
        "undated": ngettext(
            "%(count)d has no date", "%(count)d have no date", unread.get("undated", 0)
        ),
    }
    parts = ", ".join(texts[kind] % {"count": count} for kind, count in unread.items())
    told = _("%(read)d of %(total)d messages of yours were read; %(parts)s.")
    read = total - sum(unread.values())
    return told % {"read": read, "total": total, "parts": parts}


def record_account(left: Mapping[str, int]) -> str:
    """What of a health record was not read."""
    texts = {
        "older": ngettext(
            "%(count)d older result was left out.",
            "%(count)d older results were left out.",
            left.get("older", 0),
        ),
        "other": ngettext(
            "%(count)d other entry was not read.",
            "%(count)d other entries were not read.",
            left.get("other", 0),
        ),
        "narrative": ngettext(
            "%(count)d section is written as text only and was not read.",
            "%(count)d sections are written as text only and were not read.",
            left.get("narrative", 0),
        ),
    }
    return " ".join(texts[kind] % {"count": n} for kind, n in left.items() if n)
