"""What the block of a reply asks for: changes to memory and to a person's notes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from conversations.emergencies import Emergency, find_emergency, may_be_kept
from conversations.fact_texts import shown_proposal
from conversations.models import MemoryReference, Message
from conversations.reply import (
    about_whom,
    asked_facts,
    confirmations,
    refused_changes,
)
from conversations.reply.active_replies import Draft
from conversations.reply.append_messages import append_line
from conversations.reply.block.json import Block
from conversations.reply.block.keys import (
    KEYS,
    MEMORY_FORGETS,
    MEMORY_LINE,
    MEMORY_SAVES,
    PROFILE_FACTS,
    PROFILE_UPDATES,
)
from conversations.reply.prompted_files import has_unread, texts_in_prompt
from conversations.reply.turn import Turn
from memory import service
from memory.reasons import ASKED, Reason
from memory.subjects import Household
from memory.values import (
    LORE_KIND,
    MEMORY_KIND,
    PROFILE_KIND,
    STORED,
    Candidate,
    Decision,
    LoreCandidate,
    Prepared,
    ProfileCandidate,
    Provenance,
)
from memory.wording.answers import agrees, declines
from memory.wording.dialogue import asks, stating, with_confirmed
from memory.wording.subjects import said_subject
from memory.wording.wishes import names_something, unwanted
from people.models import ProfileUpdate, User
from people.profile_updates import Proposed, apply_updates
from people.scope import Scope

WITHHELD = Candidate("", withheld=Reason.EMERGENCY)
OFF_RECORD = Decision("", "reject", Reason.OFF_RECORD)
Kind = Message.LineKind
MOST_CHANGES = 20  # of the notes, by a reply


IN_MEMORIES = frozenset({MEMORY_KIND, LORE_KIND})


@dataclass(frozen=True, slots=True)
class PreparedChanges:
    saves: Prepared
    forgets: Prepared
    emergency: Emergency  # what the reply says of one
    stating: str  # the sentences of the message that state something
    confirmed: str  # the message, after what it says yes to
    is_yes: bool
    forgets_all: bool = False
    is_no: bool = False
    asked_by_model: bool = False  # by the reply before
    of_notes: Sequence[tuple[Proposed, Reason | None]] = ()
    tells_remembered: bool = True
    in_files: str = ""  # what the files in the prompt hold
    unread: bool = False  # whether a picture of the message has no description yet


def prepare_changes(turn: Turn, draft: Draft) -> PreparedChanges:
    """Take out of the block what must not be kept, embed the rest. Network; raises nothing."""
    scope, block, prompted = turn.scope, draft.reader.block, draft.prompted
    household = prompted.household
    saves = [_candidate(entry, household) for entry in block[MEMORY_SAVES]]
    if turn.message.emergency:
        _remove_emergency(block, turn.message)
        kept = set(map(MEMORY_SAVES.text_of, block[MEMORY_SAVES]))
        saves = [c if c.text in kept else WITHHELD for c in saves]
    if turn.message.off_record:
        _keep_nothing(block)
        saves = []
    last, confirmable = prompted.last_reply, ""
    if last is not None and not last.emergency_note:
        confirmable = last.content_to_keep
    said = turn.message.content_to_keep
    forgets_all = block.asks_for_everything(MEMORY_FORGETS)
    is_no = declines(turn.message.content)
    if forgets_all and (is_no or names_something(said)):
        # Not all is meant, as the model has it.
        block.entries[MEMORY_FORGETS.name] = unwanted(said, prompted.known.texts)
        forgets_all = False
    forgets = block[MEMORY_FORGETS] if scope.reads and not forgets_all else []
    facts = [profile_candidate(entry) for entry in block[PROFILE_FACTS]]
    lines = [LoreCandidate(line) for line in block[MEMORY_LINE]]
    confirmed = with_confirmed(said, confirmable)
    stated = confirmed.removesuffix(said).replace("?", ".") + said
    of_notes = _proposed(block[PROFILE_UPDATES]) if scope.writes else []
    return PreparedChanges(
        service.prepare_facts([*saves, *facts, *lines], household)
        if scope.writes
        else Prepared(),
        service.prepare_forgetting(forgets, stated, turn.message.quote or confirmable),
        emergency=find_emergency(draft.text),
        stating=stating(said),
        confirmed=confirmed,
        forgets_all=forgets_all,
        is_yes=agrees(turn.message.content),
        is_no=is_no,
        asked_by_model=asks(confirmable),
        of_notes=_judged(
            of_notes, stated, turn.message.created_at.astimezone(scope.zone)
        ),
        tells_remembered=turn.policy.tells_remembered,
        in_files="\n".join(texts_in_prompt(turn, prompted)) if block.entries else "",
        unread=bool(block.entries) and turn.may_have_files and has_unread(turn.message),
    )


def _candidate(entry: str | Mapping[str, object], household: Household) -> Candidate:
    """A sentence, with whom the model says it is about."""
    text = MEMORY_SAVES.text_of(entry)
    about = "" if isinstance(entry, str) else str(entry.get("about") or "")
    return Candidate(text, subject=said_subject(about, text, household))


def _keep_nothing(block: Block) -> None:
    """Leave only wishes to forget."""
    block.unreadable.clear()
    kept = block[MEMORY_FORGETS]
    block.entries.clear()
    if kept:
        block.entries[MEMORY_FORGETS.name] = kept


def _judged(
    changes: Sequence[Proposed], said: str, at: datetime
) -> list[tuple[Proposed, Reason | None]]:
    reasons = service.judge_changes([(c.text, c.removes) for c in changes], said, at)
    return list(zip(changes, reasons, strict=True))


def _remove_emergency(block: Block, message: Message) -> None:
    """Remove the entries whose text is about the emergency of the message."""
    rest = message.content_to_keep
    block.unreadable.clear()
    for key in KEYS:
        if key.text is not None:
            block.entries[key.name] = [
                entry
                for entry in block[key]
                if may_be_kept(key.text_of(entry), message.content, rest)
            ]


def apply_changes(
    scope: Scope, reply: Message, block: Block, changes: PreparedChanges
) -> None:
    """Store what each key asks for, and lines that tell what was done.

    In the transaction that stores the reply.
    """
    for raw in block.unreadable:
        service.record_unreadable_block(scope, raw)
    user = reply.conversation.user
    _tell_off_record(scope, reply, changes)
    if user is None:
        return
    with translation.override(user.locale), timezone.override(user.zone):
        confirmations.settle_subject(reply, user)
        if changes.is_no:
            confirmations.decline(reply, user)
        elif changes.is_yes and not changes.asked_by_model:
            confirmations.forget_confirmed(reply, user)
        if scope.reads and confirmations.forget_replied(scope, reply):
            block.entries.pop(MEMORY_FORGETS.name, None)
        if scope.writes and changes.of_notes:
            _change_notes(scope, reply, user, changes.of_notes)
        if block.entries:
            _change_memory(scope, reply, block, changes)


def _change_memory(
    scope: Scope, reply: Message, block: Block, changes: PreparedChanges
) -> None:
    if changes.forgets_all:
        confirmations.forget_everything(scope, reply, is_yes=changes.is_yes)
    elif block[MEMORY_FORGETS]:
        provenance = _provenance(reply, changes)
        forgotten = service.forget_stated(scope, changes.forgets, provenance)
        _tell_forgotten(reply, forgotten, provenance.user_text or "")
    if changes.saves.proposals:
        provenance = _provenance(reply, changes)
        decisions = service.remember(scope, changes.saves, provenance)
        if changes.tells_remembered:
            _tell_remembered(scope, reply, decisions)


def _tell_off_record(scope: Scope, reply: Message, changes: PreparedChanges) -> None:
    user, message = reply.conversation.user, reply.answers
    if message is None or (changes.is_no and confirmations.forgot_before(message)):
        return  # "No, leave it" is about what was forgotten
    if user and scope.writes and message.off_record:
        with translation.override(user.locale):
            text = refused_changes.not_kept([OFF_RECORD])
            append_line(reply, text, line_kind=Kind.NOT_KEPT)


def profile_candidate(entry: Mapping[str, object]) -> ProfileCandidate:
    """An entry of the block, whose values memory checks."""
    value = entry.get("value")
    shares = (entry.get("confidence", 1.0), entry.get("importance", 0.8))
    confidence, importance = (s if isinstance(s, (int, float)) else 0.0 for s in shares)
    return ProfileCandidate(
        entry.get("category"),
        entry.get("key"),
        str(value) if isinstance(value, (int, float)) else value,
        confidence,
        importance,
        correction=entry.get("correction") is True,
    )


def _tell_change(
    reply: Message, rows: Sequence[tuple[Decision, UUID | None]], kind: Kind
) -> None:
    """Name the rows of memories and profile facts in a line."""
    memories = [key for decision, key in rows if key and decision.kind in IN_MEMORIES]
    facts = [key for decision, key in rows if key and decision.kind == PROFILE_KIND]
    if memories or facts:
        append_line(reply, "", memories, facts, line_kind=kind)


def _tell_remembered(
    scope: Scope, reply: Message, decisions: Sequence[Decision]
) -> None:
    stored = [(d, d.memory_id) for d in decisions if d.action in STORED]
    _tell_change(reply, stored, Kind.REMEMBERED)
    about_whom.ask_about(scope, reply, decisions)
    _tell_deferred(reply, decisions, _("Will be remembered shortly."))
    refusals = service.refusals_to_tell(decisions)
    unread = [
        refusal for refusal in refusals if refusal.reason == Reason.UNREAD_PICTURE
    ]
    if unread:
        text = confirmations.keep_question(list(map(shown_proposal, unread)))
        proposed = asked_facts.proposed_facts(unread)
        append_line(reply, text, line_kind=Kind.ASKS_KEEP, proposed=proposed)
    if refusals := [refusal for refusal in refusals if refusal not in unread]:
        text = refused_changes.not_kept(refusals)
        append_line(reply, text, line_kind=Kind.NOT_KEPT)


def _tell_deferred(reply: Message, decisions: Sequence[Decision], text: str) -> None:
    if any(decision.action == "defer" for decision in decisions):
        append_line(reply, text, line_kind=Kind.DEFERRED)


def _tell_forgotten(reply: Message, decisions: Sequence[Decision], said: str) -> None:
    gone = [(d, d.target_id) for d in decisions if d.action == "retract"]
    _tell_change(reply, gone, Kind.FORGOTTEN)
    _tell_deferred(reply, decisions, _("Will be forgotten shortly."))
    asked = [(d, d.target_id) for d in decisions if d.action == "ask"]
    _tell_change(reply, asked, Kind.ASKS_FORGET)
    for decision in decisions:
        if text := _unmet(reply, decision, said):
            append_line(reply, text, decision.nearest, line_kind=Kind.NOT_REMEMBERED)


def _unmet(reply: Message, decision: Decision, said: str) -> str:
    """Why a wish to forget is not carried out; empty if it is, or was before."""
    if decision.action == "reject":
        return refused_changes.not_forgotten(decision.reason)
    if decision.action != "ignore" or _was_forgotten_by(reply, decision):
        return ""
    if decision.reason == Reason.OF_SPACE:
        return refused_changes.of_space(decision.text)
    wish = bool(decision.nearest) and decision.text in said
    return refused_changes.not_remembered(decision.text, wish=wish)


def _was_forgotten_by(reply: Message, decision: Decision) -> bool:
    """Whether an earlier reply to the same message forgot it."""
    lines = MemoryReference.objects.filter(message__answers=reply.answers)
    target = decision.target_id
    named = (
        Q(profile_fact=target) if decision.kind == PROFILE_KIND else Q(memory=target)
    )
    return target is not None and lines.filter(named).exists()


def _provenance(reply: Message, changes: PreparedChanges) -> Provenance:
    message = reply.answers
    assert message is not None  # noqa: S101 -- a reply of a turn answers
    return Provenance(
        origin="inline",
        message_id=message.pk,
        stated_at=message.created_at,
        run_id=reply.episode_id,
        user_text=message.content_to_keep,
        stating=changes.stating,
        in_context=changes.confirmed,
        in_files=changes.in_files,
        unread=changes.unread,
    )


def _change_notes(
    scope: Scope,
    reply: Message,
    user: User,
    changes: Sequence[tuple[Proposed, Reason | None]],
) -> None:
    """Write what the message says, ask about the rest, and tell what is refused."""
    # Once per turn: a regenerated reply does not apply an update again.
    conversation = reply.conversation
    if conversation.person_id is None:
        return
    applied = apply_updates(
        user.pk,
        conversation.person_id,
        conversation.space_id,
        [change for change, reason in changes if reason is None],
        already=list(ProfileUpdate.objects.filter(message__answers=reply.answers)),
    )
    for update in applied.updates:
        append_line(reply, update.sentence(), profile_update=update)
    for refused in applied.not_removed:
        text = refused_changes.not_removed(refused.text, refused.reason)
        append_line(reply, text, line_kind=Kind.NOT_REMOVED)
    doubted = [(change, reason) for change, reason in changes if reason is not None]
    for change, reason in doubted:
        if reason in ASKED:
            proposed = {"person": str(conversation.person_id), **asdict(change)}
            text, kind = confirmations.notes_question(change), Kind.ASKS_NOTES
            append_line(reply, text, line_kind=kind, proposed=proposed)
        else:
            text = refused_changes.not_changed(reason)
            append_line(reply, text, line_kind=Kind.NOT_REMOVED)
    service.record_doubts(scope, [(change.text, reason) for change, reason in doubted])


def _proposed(items: Sequence[dict[str, object]]) -> list[Proposed]:
    """Those of the right shape, each once."""
    shaped = ([item.get(key) for key in ("field", "action", "text")] for item in items)
    found = [
        Proposed(field, action, text)
        for field, action, text in shaped
        if isinstance(field, str) and isinstance(action, str) and isinstance(text, str)
    ]
    valid = [change for change in dict.fromkeys(found) if change.is_valid]
    return valid[:MOST_CHANGES]
