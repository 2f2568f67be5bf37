"""What a prompt says besides recent messages: known facts, and the conversation so far."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from uuid import UUID

from django.conf import settings

from conversations.episodes.summaries import working_memory
from conversations.forgetting.withheld import Withheld, read_withheld
from conversations.models import Attachment, Message, Receipt
from conversations.reply.prompt.context import Brief
from conversations.reply.prompt.sections import (
    EpisodeLine,
    FactLine,
    FileLine,
    LoreLine,
    MessageLine,
    most_facts,
)
from conversations.reply.turn import Turn
from meddie.quoting import quoted
from memory import service
from memory.models import MemoryPolicy
from memory.recall.query import Query, excerpt
from memory.recall.shelves import (
    PROFILE_IMPORTANCE,
    Shelf,
    further_shelf,
)
from memory.retelling import StatementIndex, without_known
from memory.values import PROFILE_KIND, ProfileLine, Recall, Recalled, told_line
from people.scope import Scope

LONGEST_LINE = 600  # characters of a text; those of files may be longer
# As many short ones as fill the context; what does not fit is dropped.
MESSAGES_FOUND = 80
MESSAGES = further_shelf(
    Receipt.Kind.MESSAGE,
    "message_index",
    "fused",
    MESSAGES_FOUND,
    which="r.id <> ALL(%(left_out)s::uuid[])",
    session="uuid_hash_extended(r.session, 0)",
    place="r.place",
    speaker="r.speaker",
    label="r.speaker",
)
TURNS = """concat(r.turn_range, (
    SELECT ' of “' || c.title || '”' FROM conversations_episode e
      JOIN conversations_conversation c ON c.id = e.conversation_id AND c.title <> ''
     WHERE e.id = r.run_id))"""
EPISODES = further_shelf(
    Receipt.Kind.EPISODE,
    "episodic_memories",
    "episodes",
    3,
    session="uuid_hash_extended(r.thread_id, 0)",
    place="r.turn_start",
    last="r.turn_end",
    label=TURNS,
)
CODE = """(SELECT concat('[', a.kind, '#A', a.number, ']', ' ' || nullif(r.place, ''))
     FROM conversations_attachment a WHERE a.id = r.attachment_id)"""
TEXTS = further_shelf(
    Receipt.Kind.ATTACHMENT,
    "attachment_texts",
    "fused",
    6,
    # The user's own words are found while their message is. OFFSET: row by row.
    which="""r.searchable AND (r.kind NOT IN ('caption', 'transcript') OR EXISTS (
        SELECT FROM conversations_attachment a JOIN message_index i ON i.id = a.message_id
         WHERE a.id = r.attachment_id OFFSET 0))""",
    session="uuid_hash_extended(r.attachment_id, 0)",
    place="nullif(r.number, 0)",
    label=CODE,
    of_files=True,
)

NOTHING_RECALLED, NO_QUERY = Recall(), Query()


@dataclass(frozen=True, slots=True)
class SoFar:
    summary: str = ""
    open_loops: Sequence[str] = ()
    files: Sequence[FileLine] = ()


def read_so_far(
    turn: Turn, recent: Sequence[Message], withheld: Withheld, zone: tzinfo | None
) -> SoFar:
    """Read nothing while all messages are recent ones."""
    first = recent[0].seq if recent else turn.message.seq
    if first == 1:
        return SoFar()
    working = working_memory(turn.reply.conversation)
    loops = (withheld.cleaned(loop) for loop in working.open_loops)
    return SoFar(
        withheld.cleaned(working.summary),
        tuple(filter(None, loops)),
        _files(turn, first, withheld, zone),
    )


def _files(
    turn: Turn, until: int, withheld: Withheld, zone: tzinfo | None
) -> list[FileLine]:
    """The last files of earlier messages, the newest first."""
    sent = Attachment.objects.filter(
        message__conversation=turn.conversation_id, message__seq__lt=until
    ).exclude(message__status=Message.Status.SUPERSEDED)
    newest = sent.select_related("message").order_by("-message__seq", "-number")[:10]
    return [
        FileLine(
            f"[{file.kind}#{file.code}]",
            withheld.description(file.description, file.message) or file.name,
            file.created_at.astimezone(zone).date(),
        )
        for file in newest
        if file.message is not None
    ]


@dataclass(frozen=True, slots=True)
class KnownFacts:
    found: Recall = NOTHING_RECALLED
    others: Sequence[Recalled] = ()
    profile: Sequence[ProfileLine] = ()
    query: Query = NO_QUERY


def further_shelves(scope: Scope, shown: Collection[UUID] = ()) -> Sequence[Shelf]:
    """Chapters, messages but those that the prompt shows, and files, on every channel.

    None while the conversation is not remembered.
    """
    if not scope.writes:
        return ()
    return EPISODES, replace(MESSAGES, bound={"left_out": list(shown)}), TEXTS


def recall_facts(
    scope: Scope,
    policy: MemoryPolicy,
    query: Query,
    *,
    ranking: str | None = None,
    shelves: Sequence[Shelf] = (),
) -> KnownFacts:
    """Search facts and `shelves`; add the newest facts and the profile. Database only.

    The profile has its important facts and those that the search found, an overview all.
    Without `ranking` that of the chat is used.
    """
    if not scope.reads:
        return KnownFacts()
    found = service.recall(
        scope, query, policy=policy, ranking=ranking, shelves=shelves
    )
    if found.detailed:
        found = _without_retired_evidence(scope, found)
    if found.overview:
        return KnownFacts(found, profile=service.profile(scope, least=0.0), query=query)
    further = dict(found.further)
    sought = {item.memory_id for item in further.pop(PROFILE_KIND, ())}
    there = {item.memory_id for item in found.items}
    most = most_facts(policy.also_known_tokens)
    newest = service.newest(scope, most)
    others = [item for item in newest if item.memory_id not in there]
    profile = []
    for line in service.profile(scope, least=0.0):
        if line.importance >= PROFILE_IMPORTANCE or line.fact_id in sought:
            profile.append(line)
        else:
            others.append(line.as_recalled())
    others.sort(key=lambda item: item.stated_at, reverse=True)
    return KnownFacts(replace(found, further=further), others[:most], profile, query)


def _without_retired_evidence(scope: Scope, found: Recall) -> Recall:
    """What the user said of one fact may also state another that they took back."""
    withheld = read_withheld(scope)
    items = (
        replace(item, evidence=withheld.cleaned(item.evidence, item.stated_at))
        for item in found.items
    )
    return replace(found, items=tuple(items))


def without_repetition(
    known: KnownFacts, withheld: Withheld, shown: Collection[str] = ()
) -> KnownFacts:
    """Leave out of old texts what is retired, and what a fact or the request says as well."""
    if not any(known.found.further.values()):
        return known
    stated = [item.text for item in (*known.found.items, *known.others)]
    facts = StatementIndex(dict.fromkeys(stated))

    def kept(items: Sequence[Recalled], kind: str) -> Iterator[Recalled]:
        # A summary has the date of its last message.
        summed_up = kind == Receipt.Kind.EPISODE
        told: set[str] = set()
        for item in items:
            if kind == Receipt.Kind.MESSAGE and item.text in shown:
                continue
            said_at = None if summed_up else item.stated_at
            text = withheld.cleaned(item.text, said_at)
            text = without_known(text, facts)
            if text and text not in told:
                told.add(text)
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
            one in text for text in shown for one in (item.text, quoted(item.text))
        )
    )
    further = {**known.found.further, kind: kept}
    return replace(known, found=replace(known.found, further=further))


def with_facts(brief: Brief, known: KnownFacts, policy: MemoryPolicy) -> Brief:
    """The brief with what is known, dated in the user's time zone."""

    def day(item: Recalled) -> date:
        return item.stated_at.astimezone(brief.now.tzinfo).date()

    def dated(items: Sequence[Recalled]) -> list[FactLine]:
        return [FactLine(item.text, day(item), item.shared) for item in items]

    def detailed(items: Sequence[Recalled]) -> list[FactLine]:
        return [
            replace(line, confidence=item.confidence, evidence=item.evidence)
            for line, item in zip(dated(items), items, strict=True)
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
        facts=(detailed if known.found.detailed else dated)(known.found.items),
        says_empty=known.found.detailed,
        also_known=dated(known.others),
        also_known_tokens=policy.also_known_tokens,
        total=known.found.total + len(known.profile) if known.found.overview else 0,
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
