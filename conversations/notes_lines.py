"""The lines under a reply: what changed in memory and in a person's notes.

A line about memories has their texts while they are there, so it is written when it is
read, and needs `with_changes`.
"""

from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations import user_texts
from conversations.episodes import summaries
from conversations.fact_texts import shown_fact
from conversations.models import Message, Thread
from memory import service
from memory.models import CaptureJob, Fact, Memory, ProfileFact
from memory.subjects import shown_text
from memory.values import told_line
from people import profile_updates
from people.models import User
from people.scope import Scope, retraction_scope

Kind = Message.LineKind
CHANGES = frozenset({Kind.REMEMBERED, Kind.FORGOTTEN})
NOTED = CHANGES | {Kind.DEFERRED, Kind.ALL_FORGOTTEN}
MEMORY_KINDS = CHANGES | {Kind.NOT_REMEMBERED}
SHOWN = 160  # characters of a memory


def sentence(line: Message) -> str:
    """The line in the active language."""
    if line.line_kind not in MEMORY_KINDS:
        if _is_of_deleted_person(line):
            return _("Changed the notes of a deleted person.")
        return line.content
    if line.line_kind == Kind.NOT_REMEMBERED:
        forgotten = _("Forgotten: %(facts)s")
        told = [forgotten % {"facts": text} for text in _forgotten_texts(line)]
        return " · ".join([line.content, *told])
    kept = [memory for memory in _named(line) if memory and not _is_forgotten(memory)]
    parts = (
        (
            _("Remembered: %(facts)s"),
            [shown(m) for m in kept if not (_replaced(m) or _is_lore(m))],
        ),
        (_("Updated: %(facts)s"), [_changed(m) for m in kept if _replaced(m)]),
        (
            _("Kept for the whole space: %(facts)s"),
            [shown(m) for m in kept if _is_lore(m)],
        ),
        (_("Forgotten: %(facts)s"), _forgotten_texts(line)),
    )
    told = [text % {"facts": "; ".join(facts)} for text, facts in parts if facts]
    return " · ".join(told)


def about_blank(reply: Message) -> str:
    """What to show for a reply without visible text; empty if its lines say enough."""
    lines = Message.objects.current().filter(
        answers__replies=reply, role=Message.Role.SYSTEM
    )
    if any(line.profile_update_id or line.line_kind in NOTED for line in lines):
        return _("Noted.")
    if lines:
        return ""
    # The space may not want a line about what was remembered.
    told, said = reply.conversation, {"message_id": reply.answers_id}
    waiting = {"origin": Memory.Origin.INLINE, "source_id": reply.answers_id}
    kept = (
        Memory.objects.filter(source_message=reply.answers_id),
        ProfileFact.objects.filter(user=told.user_id, space=told.space_id, **said),
        CaptureJob.objects.filter(kind="remember", **waiting),
    )
    if any(rows.exists() for rows in kept):
        return _("Noted.")
    return _("I have no answer to that. Try asking in other words.")


def with_nearest(line: Message) -> str:
    """The line with what it offers, for a channel of text."""
    texts = "; ".join(shown(memory) for memory in offered(line))
    if not texts:
        return sentence(line)
    return f"{sentence(line)}. {_('Nearest:')} {texts}"


def offered(line: Message) -> list[Memory]:
    """The memories that a line offers to forget."""
    if line.line_kind != Kind.NOT_REMEMBERED:
        return []
    return [one for one in _named(line) if isinstance(one, Memory) and one.active]


def shown(memory: Fact) -> str:
    return Truncator(shown_fact(memory)).chars(SHOWN)


def tells_of_change(line: Message) -> bool:
    return line.profile_update is not None or line.line_kind in CHANGES


def can_undo(line: Message) -> bool:
    if line.profile_update is not None:
        gone = line.profile_update.person.deleted_at is not None
        return line.profile_update.reverted_at is None and not gone
    if line.line_kind == Kind.REMEMBERED:
        # Beside a fact that is forgotten, Undo would seem to bring it back.
        named = _named(line)
        partly = any(memory is None or _is_forgotten(memory) for memory in named)
        return not partly and any(memory and memory.active for memory in named)
    return line.line_kind == Kind.FORGOTTEN and any(
        memory and _is_forgotten(memory) and memory.content for memory in _named(line)
    )


def is_undone(line: Message) -> bool:
    if line.profile_update is not None:
        return line.profile_update.reverted_at is not None
    gone = {memory is None or _is_forgotten(memory) for memory in _named(line)}
    return gone == {line.line_kind == Kind.REMEMBERED}


def undo_line(line: Message, user: User) -> bool:
    """Undo what the line tells of; False if it has changed since."""
    if line.profile_update is not None:
        return profile_updates.undo_update(line.profile_update, user)
    ids = [memory.pk for memory in _named(line) if memory]
    scope = _scope(line, user)
    if not can_undo(line):
        return False
    if line.line_kind == Kind.REMEMBERED:
        return bool(service.forget(scope, ids, undo=True))
    assert line.answers is not None  # noqa: S101 -- a line of a reply answers
    restored = service.restore(scope, ids, at=line.answers.created_at)
    return any(decision.action == "restore" for decision in restored)


def forget_offered(line: Message, user: User, memory_id: str) -> bool:
    """Forget a memory that the line offers; False if it does not offer it."""
    if line.line_kind != Kind.NOT_REMEMBERED:
        return False
    keys = {str(memory.pk): memory.pk for memory in _named(line) if memory}
    if memory_id not in keys:
        return False
    service.forget(_scope(line, user), [keys[memory_id]])
    return True


@transaction.atomic
def forget_all(line: Message, user: User) -> None:
    """Forget all memories, unless the line that asks was answered meanwhile."""
    Thread.objects.lock_for(line.conversation_id)
    if not Message.objects.filter(pk=line.pk, line_kind=Kind.FORGET_ALL).exists():
        return
    forgotten = forget_scope(_scope(line, user))
    line.line_kind, line.content = Kind.ALL_FORGOTTEN, forgotten
    line.save(update_fields=["line_kind", "content"])


def changed_since(line: Message) -> str:
    """Why the line cannot be undone."""
    if line.profile_update is not None:
        return str(user_texts.CHANGED_SINCE)
    return _("This memory has changed since, so this cannot be undone here.")


def forget_scope(scope: Scope) -> str:
    """Forget all facts and summaries, and find no message so far; the line that says so."""
    count = len(service.forget(scope, None))
    summaries.erase_summaries(scope)
    return _("Forgotten: %(facts)s") % {"facts": _number(count)}


def forget_all_question(count: int) -> str:
    if not count:
        return _("Nothing is remembered, so there is nothing to forget.")
    text = ngettext(
        "Forget the only memory? Say yes to confirm.",
        "Forget all %(count)d memories? Say yes to confirm.",
        count,
    )
    return text % {"count": count}


def not_remembered(text: str) -> str:
    return _("Not remembered: %(text)s") % {"text": shown_text(text)}


def of_space(text: str) -> str:
    told = _(
        "Kept for the whole space, so only an admin of it can forget this: %(text)s"
    )
    return told % {"text": told_line(text)}


def not_removed(text: str, reason: str) -> str:
    """`reason` is that of `people.profile_updates.NotRemoved`."""
    texts = {
        "missing": _("Not in the notes: %(text)s"),
        "several": _("Several lines of the notes mention %(text)s"),
        "allergy": _("The notes mention %(text)s with an allergy"),
    }
    return texts[reason] % {"text": text}


def _scope(line: Message, user: User) -> Scope:
    conversation = line.conversation
    return retraction_scope(user.pk, conversation.space_id, channel=line.thread.channel)


def _named(line: Message) -> list[Fact | None]:
    named: list[Fact | None] = []
    for one in line.references.all():
        fact = one.profile_fact
        if fact is not None:
            fact.former = one.former or ""  # type: ignore[attr-defined] # with_changes
        named.append(one.memory or fact)
    return named


def _is_forgotten(memory: Fact) -> bool:
    return memory.retired_reason == Memory.RetiredReason.RETRACTED


def _is_lore(memory: Fact) -> bool:
    return isinstance(memory, Memory) and memory.audience == Memory.Audience.SPACE


def _is_of_deleted_person(line: Message) -> bool:
    """Whether the person can be restored, or was erased and the text with them."""
    if line.profile_update is not None:
        return line.profile_update.person.deleted_at is not None
    return line.role == Message.Role.SYSTEM and not line.content


def _replaced(memory: Fact) -> list[str]:
    if isinstance(memory, ProfileFact):
        return [memory.former] if memory.former else []
    return [update.old.content for update in memory.replaced]  # type: ignore[attr-defined] # with_changes


def _changed(memory: Fact) -> str:
    replaced = map(shown_text, _replaced(memory))
    old = Truncator("; ".join(replaced)).chars(SHOWN)
    return _("%(new)s (before: %(old)s)") % {"new": shown(memory), "old": old}


def _forgotten_texts(line: Message) -> list[str]:
    """The texts of forgotten memories in the line that tells so; else their number."""
    gone = [m for m in _named(line) if m is None or _is_forgotten(m)]
    told = line.line_kind == Kind.FORGOTTEN
    texts = [shown(memory) for memory in gone if memory and memory.content and told]
    count = len(gone) - len(texts)
    return [*texts, _number(count)] if count else texts


def _number(count: int) -> str:
    return ngettext("%(count)d memory", "%(count)d memories", count) % {"count": count}
