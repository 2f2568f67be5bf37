"""What a search finds for a prompt, and how the prompt says it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import Any

from django.conf import settings

from conversations.forgetting.withheld import Withheld, read_withheld
from conversations.models import Message, Receipt
from conversations.reply.doses import Doses, read_doses
from conversations.reply.prompt import prompts
from conversations.reply.prompt.context import Brief
from conversations.reply.prompt.sections import (
    EpisodeLine,
    FactLine,
    FileLine,
    LoreLine,
    MessageLine,
    leading,
    most_facts,
)
from meddie.quoting import quoted
from memory import service
from memory.models import MemoryPolicy
from memory.recall.query import Query, excerpt
from memory.recall.shelves import PROFILE_IMPORTANCE, Shelf
from memory.values import PROFILE_KIND, ProfileLine, Recall, Recalled, told_line
from memory.wording.ahead import Ahead, with_days
from memory.wording.retelling import StatementIndex, without_known
from memory.wording.words import tokens
from people.scope import Scope

LONGEST_LINE = 600  # characters of a text; those of files may be longer
STEP = 8
NOTHING_RECALLED, NO_QUERY, NO_DOSES = Recall(), Query(), Doses()


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """`listed` are the facts of the system message; what else was `found` is `beyond`."""

    found: Recall = NOTHING_RECALLED
    listed: Sequence[Recalled] = ()
    profile: Sequence[ProfileLine] = ()
    query: Query = NO_QUERY
    doses: Doses = NO_DOSES

    @property
    def texts(self) -> list[str]:
        """Of memories and profile facts, each once."""
        items = {
            item.memory_id: item.text for item in (*self.found.items, *self.listed)
        }
        return [*items.values(), *(line.text for line in self.profile)]

    @property
    def beyond(self) -> list[Recalled]:
        listed = {item.memory_id for item in self.listed}
        return [item for item in self.found.items if item.memory_id not in listed]

    def in_prompt(
        self, used: Mapping[str, int]
    ) -> tuple[list[Recalled], list[Recalled]]:
        """The facts of a prompt that the search found, best first, and the others."""
        listed = self.listed[: used.get("facts", 0)]
        beyond = self.beyond[: used.get("found", 0)]
        shown = {item.memory_id for item in (*listed, *beyond)}
        found = [item for item in self.found.items if item.memory_id in shown]
        there = {item.memory_id for item in found}
        return found, [item for item in listed if item.memory_id not in there]


def recall_facts(
    scope: Scope,
    policy: MemoryPolicy,
    query: Query,
    ranking: str,
    shelves: Sequence[Shelf] = (),
) -> KnownFacts:
    """Search facts and `shelves`; add the newest facts and the profile. Database only.

    A profile fact of little importance is a fact like others.
    """
    if not scope.reads:
        return KnownFacts()
    most = most_facts(policy.facts_tokens) + 1 if policy.facts_tokens else 0
    found = service.recall(
        scope, query, policy=policy, ranking=ranking, shelves=shelves, listed=most
    )
    profile, minor = [], []
    for line in found.profile:
        important = line.importance >= PROFILE_IMPORTANCE
        profile.append(line) if important else minor.append(line.as_recalled())
    further = dict(found.further)
    sought = further.pop(PROFILE_KIND, ())
    found = replace(
        found,
        items=(*found.items, *(minor if found.overview else sought)),
        further=further,
        total=found.total + len(profile) + len(minor) if found.overview else 0,
    )
    known = KnownFacts(found, found.items, profile, query)
    if policy.facts_tokens:
        known = replace(known, listed=[*found.newest, *minor])
    known = replace(known, doses=read_doses(scope, [*known.listed, *known.found.items]))
    if found.detailed:
        known = _without_retired_evidence(scope, known)
    if policy.facts_tokens:
        tokens = min(policy.facts_tokens, settings.CONTEXT_TOKENS // 2)
        listed = _leading_that_fit(known, tokens)
        known = replace(known, listed=listed)
    return known


def _leading_that_fit(known: KnownFacts, tokens: int) -> list[Recalled]:
    """Safety facts, then the latest others, as far as they fit; each group latest stored first.

    The others are cut in steps of `STEP` facts on average, so that a new fact seldom
    changes the beginning of the next prompt (decision 46).
    """
    first, left = _newest_that_fit(known, known.found.safety, tokens)
    there = {item.memory_id for item in first}
    others = [item for item in known.listed if item.memory_id not in there]
    newest, _left = _newest_that_fit(known, others, left)
    if len(newest) < len(others):
        keys = [item.memory_id.int for item in newest]
        steps = (n for n, key in enumerate(keys, start=1) if key % STEP == 0)
        newest = newest[: max(steps, default=len(newest))]

    def stored(item: Recalled) -> tuple[Any, Any]:
        return item.stored_at, item.memory_id

    return [
        *sorted(first, key=stored, reverse=True),
        *sorted(newest, key=stored, reverse=True),
    ]


def _newest_that_fit(
    known: KnownFacts, facts: Sequence[Recalled], tokens: int
) -> tuple[list[Recalled], int]:
    """With the tokens that are left."""
    newest = sorted(facts, key=lambda item: item.stated_at, reverse=True)
    lines = [_fact_line(item, None, known).line for item in newest]
    kept, used = leading(lines, tokens)
    return newest[: len(kept)], tokens - used


def _without_retired_evidence(scope: Scope, known: KnownFacts) -> KnownFacts:
    """What the user said of one fact may also state another that they took back."""
    withheld = read_withheld(scope)

    def cleaned(items: Sequence[Recalled]) -> tuple[Recalled, ...]:
        return tuple(
            replace(item, evidence=withheld.cleaned(item.evidence, item.stated_at))
            for item in items
        )

    found = replace(known.found, items=cleaned(known.found.items))
    return replace(known, found=found, listed=cleaned(known.listed))


def _fact_line(
    item: Recalled, zone: tzinfo | None, known: KnownFacts, *, day: str = ""
) -> FactLine:
    stated_on = item.stated_at.astimezone(zone).date()
    about = prompts.ABOUT_ALL if item.shared else prompts.about(item.about)
    period = ", ".join(filter(None, (item.label, day)))
    before = known.doses.before(item, zone)
    line = FactLine(
        item.text, stated_on, item.shared, period=period, before=before, about=about
    )
    if not known.found.detailed:
        return line
    return replace(line, confidence=item.confidence, evidence=item.evidence)


def _day_of(ahead: Ahead[Recalled] | None) -> str:
    """Like "on 2026-12-03"."""
    if ahead is None:
        return ""
    last = f" to {ahead.last}" if ahead.last > ahead.day else ""
    return f"on {ahead.day}{last}"


def without_repetition(
    known: KnownFacts, withheld: Withheld, shown: Collection[str] = ()
) -> KnownFacts:
    """Leave out of old texts what is retired, and what a fact or the request says as well.

    Of replies also what a message of the user says as well, and repeated messages.
    """
    if not any(known.found.further.values()):
        return known
    stated = [item.text for item in (*known.found.items, *known.listed)]
    facts = StatementIndex(dict.fromkeys(stated))
    messages = known.found.further.get(Receipt.Kind.MESSAGE, ())
    said = (item.text for item in messages if item.label == Message.Role.USER)
    facts_and_said = StatementIndex(dict.fromkeys([*stated, *said]))

    def kept(items: Sequence[Recalled], kind: str) -> Iterator[Recalled]:
        # A summary has the date of its last message.
        summed_up = kind == Receipt.Kind.EPISODE
        told: set[Sequence[str]] = set()
        for item in items:
            is_reply = item.label == Message.Role.ASSISTANT
            if kind == Receipt.Kind.MESSAGE and item.text in shown:
                continue
            said_at = None if summed_up else item.stated_at
            text = withheld.cleaned(item.text, said_at)
            text = without_known(text, facts_and_said if is_reply else facts)
            words = tuple(tokens(text)) or text
            if text and words not in told:
                told.add(words)
                yield replace(item, text=text)

    found = known.found.further.items()
    further = {kind: tuple(kept(rows, kind)) for kind, rows in found}
    return replace(known, found=replace(known.found, further=further))


def without_texts_in(known: KnownFacts, shown: Sequence[str]) -> KnownFacts:
    """Leave out the texts of files that the messages of the prompt hold."""
    kind = Receipt.Kind.ATTACHMENT
    found = known.found.further.get(kind, ())
    kept = tuple(
        item
        for item in found
        if not any(
            form in text for text in shown for form in (item.text, quoted(item.text))
        )
    )
    further = {**known.found.further, kind: kept}
    return replace(known, found=replace(known.found, further=further))


def with_facts(brief: Brief, known: KnownFacts, policy: MemoryPolicy) -> Brief:
    """The brief with what is known, dated in the user's time zone."""

    def day(item: Recalled) -> date:
        return item.stated_at.astimezone(brief.now.tzinfo).date()

    def lines(items: Sequence[Recalled]) -> list[FactLine]:
        days = {found.fact.memory_id: found for found in with_days(items, brief.now)}
        return [
            _fact_line(
                item,
                brief.now.tzinfo,
                known,
                day=_day_of(days.get(item.memory_id)),
            )
            for item in items
        ]

    def around(item: Recalled) -> str:
        return excerpt(item.text, known.query, LONGEST_LINE)

    found_files = [
        FileLine(item.label, item.text, day(item), around(item))
        for item in known.found.further.get(Receipt.Kind.ATTACHMENT, ())
    ]
    told = {(line.name, line.text) for line in found_files}
    return replace(
        brief,
        profile=[line.text for line in known.profile],
        facts=lines(known.listed),
        by_date=policy.facts_tokens > 0,
        found=lines(known.beyond),
        says_empty=known.found.detailed,
        total=known.found.total,
        lore=[
            LoreLine(told_line(item.text), day(item))
            for item in known.found.further.get(Receipt.Kind.LORE, ())
        ],
        episodes=[
            EpisodeLine(item.label, around(item), day(item))
            for item in known.found.further.get(Receipt.Kind.EPISODE, ())
        ],
        earlier=[
            MessageLine(around(item), day(item), item.label == Message.Role.USER)
            for item in known.found.further.get(Receipt.Kind.MESSAGE, ())
        ],
        files=[
            *found_files,
            *(line for line in brief.files if (line.name, line.text) not in told),
        ],
        context_tokens=settings.CONTEXT_TOKENS,
    )
