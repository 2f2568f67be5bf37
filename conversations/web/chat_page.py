"""What the chat page shows, and the questions that it proposes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, Q, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.channels import channel_of
from conversations.examples import household_of
from conversations.fact_texts import shown_fact
from conversations.models import Attachment, Conversation, Message, Receipt
from conversations.outdated.telling import marked_sentences
from meddie.ai import offline
from meddie.ai.provider import current_provider
from meddie.text import markdown_escaped
from memory.models import Fact, Memory, ProfileFact
from memory.wording.words import grounded
from people.models import Person, Space, User
from people.scope import retraction_scope

FIRST_STEPS = (
    (
        gettext_lazy("I take 20 mg of atorvastatin"),
        gettext_lazy("Which medicines do I take?"),
        gettext_lazy("I take 40 mg of atorvastatin now"),
    ),
    (
        gettext_lazy("My mother has type 2 diabetes"),
        gettext_lazy("Which illnesses run in my family?"),
    ),
)
"""What newcomers may tell, the question that this answers in a new conversation, and what
corrects it."""

WITHOUT_ANSWER = frozenset({Message.Status.FAILED, Message.Status.INTERRUPTED})
NEWCOMER = 15  # conversations
PAGE_SIZE = 50  # messages; earlier ones are loaded on request


@dataclass(frozen=True, slots=True)
class LogPart:
    """Consecutive messages, replies with their lines; more are before `earlier`."""

    messages: list[Message]
    earlier: int | None
    last: Message | None = None


def log_part(conversation: Conversation, before: int | None = None) -> LogPart:
    """The last messages, or the last before a sequence number."""
    current = conversation.messages.current()
    found = current.with_changes().with_versions()
    found = found.prefetch_related("attachments", "feedback")
    if before is not None:
        found = found.filter(seq__lt=before)
    newest = list(found.order_by("-seq")[: PAGE_SIZE + 1])
    shown = newest[:PAGE_SIZE][::-1]
    for message, reply in pairwise(shown):
        reply.conversation = conversation
        if reply.answers_id == message.pk:
            reply.answers = message
    rows = _with_lines(shown)
    add_used_facts(conversation, rows)
    add_changes(rows)
    earlier = shown[0].seq if len(newest) > PAGE_SIZE else None
    return LogPart(rows, earlier, shown[-1] if shown else None)


def _with_lines(messages: Sequence[Message]) -> list[Message]:
    """The messages; lines that follow their reply become its `lines`."""
    rows: list[Message] = []
    for message in messages:
        last = rows[-1] if rows else message
        follows = last.role == Message.Role.ASSISTANT and last.answers_id is not None
        is_line = message.role == Message.Role.SYSTEM
        if is_line and follows and last.answers_id == message.answers_id:
            last.lines = [*last.lines, message]
        else:
            rows.append(message)
    return rows


def lines_under(reply: Message) -> list[Message]:
    """The lines that tell what a reply changed."""
    lines = Message.objects.current().filter(
        role=Message.Role.SYSTEM,
        conversation_id=reply.conversation_id,
        answers_id=reply.answers_id,
        seq__gt=reply.seq,
    )
    return list(lines.with_changes().select_related("conversation").in_order())


def conversation_context(conversation: Conversation) -> dict[str, Any]:
    return {
        "conversation": conversation,
        "space": conversation.space,
        "part": log_part(conversation),
        "read_only": not channel_of(conversation.thread).writable,
    }


def empty_context(user: User, space: Space, person_id: str | None) -> dict[str, Any]:
    """`person_id`: None for the user's own person, empty for no person (B-17)."""
    people = list(Person.objects.in_space(space.pk))
    if person_id is None:
        chosen = (person for person in people if person.user_id == user.pk)
    else:
        chosen = (person for person in people if str(person.pk) == person_id)
    person = next(chosen, None)
    about_self = person is None or person.user_id == user.pk
    connected = current_provider().connected
    questions = quick_questions(person, user, connected=connected)
    if (
        about_self
        and user.memory_on
        and space.memory_on
        and (steps := _first_steps(user, space))
    ):
        questions = [*steps, questions[-1]]
    return {
        "conversation": None,
        "space": space,
        "people": people,
        "person": person,
        "questions": questions,
        "statements": statements(),
        "offline": not connected,
        "examples": household_of(user) if settings.BUNDLED_DATABASE else None,
    }


def _first_steps(user: User, space: Space) -> list[str]:
    """Not for users with many conversations, or who told something else."""
    own = Conversation.objects.of(user.pk, space.pk)
    begins = Q(seq=1) | Q(first_version__seq=1)
    first = Message.objects.current().filter(begins, conversation__in=own)
    said = list(first.values_list("content", flat=True)[:NEWCOMER])
    scope = retraction_scope(user.pk, space.pk)
    knows = Memory.objects.visible_to(scope).active().exists()
    if len(said) == NEWCOMER or (knows and {*statements()}.isdisjoint(said)):
        return []
    return first_steps(said)


def day_context(message: Message) -> dict[str, Any]:
    """The message before one, and whether this one is the first of its day."""
    earlier = Message.objects.current().filter(
        conversation=message.conversation_id, seq__lt=message.seq
    )
    before = earlier.in_order().last() if message.seq > 1 else None
    day = timezone.localdate(message.created_at)
    begins = before is None or timezone.localdate(before.created_at) != day
    return {"before": before, "begins_day": begins}


def started_exchange(reply: Message, *, files: bool = True) -> list[Message]:
    """A user message, which may have `files`, and its empty reply."""
    exchange = [message for message in (reply.answers, reply) if message]
    attached = Attachment.objects.all() if files else Attachment.objects.none()
    prefetch_related_objects(exchange, Prefetch("attachments", attached))
    return exchange


def add_used_facts(conversation: Conversation, messages: Sequence[Message]) -> None:
    """Set `used_facts` of replies where the space shows them.

    Without forgotten facts, and without those of others; first what no answer may
    overlook, then what its words touch. None where a search found no fact; the stand-in
    used those that it quotes.
    """
    replies = {
        m.pk: m
        for m in messages
        if m.role == Message.Role.ASSISTANT and m.status not in WITHOUT_ANSWER
    }
    if not (replies and conversation.user_id and conversation.space.memory_page):
        return
    read = [r for r in Receipt.objects.filter(message__in=replies) if r.found_facts()]
    unsought = {receipt.pk: receipt.also_known() for receipt in read}
    used = {r.pk: [*r.found_facts(), *r.profile_facts(), *unsought[r.pk]] for r in read}
    scope = retraction_scope(conversation.user_id, conversation.space_id)
    keys = {key for told in used.values() for key in told}
    facts = {
        fact.pk: fact
        for kind in (Memory, ProfileFact)
        for fact in kind.objects.owned_by(scope)
        .filter(pk__in=keys)
        .exclude(retired_reason=Fact.RetiredReason.RETRACTED)
        .defer(*kind.VECTORS)
    }
    for reply_id, prompted in used.items():
        reply = replies[reply_id]
        told = [facts[key] for key in dict.fromkeys(prompted) if key in facts]
        reply.used_facts = _told_first(reply, told, unsought[reply_id])


def _told_first(
    reply: Message, facts: Sequence[Fact], unsought: Collection[UUID]
) -> list[str]:
    """Of `unsought` ones, which no search found, those that the answer's words touch."""
    texts = {fact.pk: shown_fact(fact) for fact in facts}
    if reply.model == offline.MODEL:
        quoted = reply.content
        return [text for text in texts.values() if markdown_escaped(text) in quoted]
    touched = {key for key, text in texts.items() if grounded(text, reply.content)}
    shown = [fact for fact in facts if fact.pk in touched or fact.pk not in unsought]
    shown.sort(
        key=lambda fact: (not getattr(fact, "safety", False), fact.pk not in touched)
    )
    return [texts[fact.pk] for fact in shown]


def add_changes(messages: Sequence[Message]) -> None:
    """Set `changed_since` of replies that used what has changed since."""
    replies = [m for m in messages if m.role == Message.Role.ASSISTANT]
    told = marked_sentences(replies)
    for reply in replies:
        reply.changed_since = told.get(reply.pk, ())


def first_steps(said: Collection[str]) -> list[str]:
    """The step after the last one that was said, of each; empty if all were."""
    return [
        steps[done]
        for steps in (list(map(str, texts)) for texts in FIRST_STEPS)
        if (done := sum(step in said for step in steps)) < len(steps)
    ]


def statements() -> list[str]:
    """First steps that are to be changed, and not sent: a tap is no fact."""
    return [str(told) for texts in FIRST_STEPS for told in texts[::2]]


def step_after(told: str) -> str:
    """The next first step; empty for other messages."""
    pairs = (pair for texts in FIRST_STEPS for pair in pairwise(map(str, texts)))
    return dict(pairs).get(told, "")


def quick_questions(
    person: Person | None, user: User, *, connected: bool = True
) -> list[str]:
    """Three questions in the language of the page; others than the user are named."""
    if not connected:
        return _questions_to_memory(person, user)
    if person is None:
        return [
            _("What can you help me with?"),
            _("What do you know about me?"),
            _("What should I tell you about my health?"),
        ]
    if person.medications and person.supplements:
        third = _("Any interactions between my supplements and medications?")
        third_about = _(
            "Any interactions between %(name)s's supplements and medications?"
        )
    elif person.health_notes:
        third = _("What should I monitor given my health history?")
        third_about = _("What should %(name)s monitor, given their health history?")
    else:
        third = _("What should I pay attention to?")
        third_about = _("What should %(name)s pay attention to?")
    if person.user_id == user.pk:
        return [
            _("How am I doing overall?"),
            _("What should I watch out for?"),
            third,
        ]
    named = (
        _("How is %(name)s doing overall?"),
        _("What should %(name)s watch out for?"),
        third_about,
    )
    return [question % {"name": person.name} for question in named]


def _questions_to_memory(person: Person | None, user: User) -> list[str]:
    """What is answered without a model."""
    if person is None or person.user_id == user.pk:
        return [
            _("Which medicines do I take?"),
            _("When is my next appointment?"),
            _("What do you know about me?"),
        ]
    named = (
        _("Which medicines does %(name)s take?"),
        _("What is %(name)s allergic to?"),
        _("When is %(name)s's next appointment?"),
    )
    return [question % {"name": person.name} for question in named]
