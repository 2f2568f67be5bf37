"""Where a prompt is built: what it says without memory, and which messages it shows."""

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any
from uuid import UUID

from django.utils import timezone

from conversations.attachments.in_prompt import (
    Files,
    files_of,
    is_being_read,
    with_surrogates,
    with_texts,
)
from conversations.emergencies import emergency_sentences
from conversations.forgetting.withheld import Withheld, withhold_retired
from conversations.models import (
    Attachment,
    Message,
    Receipt,
)
from conversations.reply.history import (
    last_reply_of,
    read_so_far,
)
from conversations.reply.prompt import context
from conversations.reply.turn import Turn
from meddie.ai.configured import configured
from meddie.ai.provider import current_provider
from meddie.ai.slots import is_own
from memory.household import household
from memory.models import MemoryPolicy
from memory.recall.asked import AskedAbout, whom_asked
from memory.subjects import NO_HOUSEHOLD, Household
from memory.wording.own_words import after_quote, marked_words
from people import person_text
from people.models import Membership, Person
from people.scope import Scope, retraction_scope

PATIENCE, PATIENCE_WITHOUT_MODEL = 0.8, 8.0  # seconds for files that are being read
MOST_BEFORE = 3  # messages of the user to which a pronoun may point


@dataclass(frozen=True, slots=True)
class PromptPlace:
    """What a prompt says without memory, and which messages it shows."""

    brief: context.Brief
    withheld: Withheld
    ranking: str  # of facts
    shown: Collection[UUID] = ()  # messages in the prompt
    texts: Collection[str] = ()  # of a client's messages, which are in its request
    carried: frozenset[UUID] = frozenset()  # facts that the last reply used
    files: Sequence[Attachment] = ()  # of the message to answer
    household: Household = NO_HOUSEHOLD  # whom the message may name
    asked: AskedAbout = field(default_factory=AskedAbout)  # whom it is about


def place_of_call(
    scope: Scope,
    policy: MemoryPolicy,
    zone: tzinfo | None,
    texts: Collection[str],
    sent: Sequence[str],
) -> PromptPlace:
    """A client's own conversation, whose messages have these texts.

    `sent` are those of the user, the last one to be answered.
    """
    *earlier, question = sent or [""]
    people = household(scope)
    asked = whom_asked(question, people, earlier[::-1])
    now = timezone.localtime(timezone.now(), zone)
    brief = context.Brief([], now, named=_notes_on(scope, asked, people, now))
    return PromptPlace(
        brief,
        withhold_retired(scope),
        policy.api_ranking,
        texts=texts,
        household=people,
        asked=asked,
    )


def place_of_turn(turn: Turn, history: Sequence[Any]) -> PromptPlace:
    """The turn's conversation, whose messages before it are `history`."""
    message = turn.message
    with_files: list[Any] = [earlier for earlier in history if earlier.has_files]
    files = files_of([*with_files, message] if turn.may_have_files else with_files)
    own = files[message.pk]
    if is_being_read(own):
        own = _wait_for_files(turn)
    withheld = withhold_retired(_owner_of(turn))
    asked = context.HistoryLine("user", with_texts(message.content_to_tell, own))
    last = last_reply_of(history)
    receipt = Receipt.objects.filter(message=last).first() if last else None
    said = message.content_to_keep
    earlier = [m.content for m in reversed(history) if m.role == Message.Role.USER]
    person = turn.reply.conversation.person_id
    people = household(turn.scope, person)
    whom = whom_asked(said, people, earlier)
    brief = _brief(turn, history, [*_lines(history, withheld, files), asked], withheld)
    return PromptPlace(
        replace(brief, named=_notes_on(turn.scope, whom, people, brief.now, person)),
        withheld,
        turn.policy.ranking,
        shown=[said.pk for said in (*history, message)],
        carried=frozenset(receipt.found_facts() if receipt else ()),
        files=own,
        household=replace(
            people, said=said, before="\n".join(earlier[:MOST_BEFORE][::-1])
        ),
        asked=whom,
    )


def _owner_of(turn: Turn) -> Scope:
    """Also while memory is off: what was forgotten stays out of prompts."""
    owner = turn.reply.conversation.user_id
    if turn.scope.reads or owner is None:
        return turn.scope
    return retraction_scope(owner, turn.scope.space_id, channel=turn.scope.channel)


def _notes_on(
    scope: Scope,
    asked: AskedAbout,
    people: Household,
    now: datetime,
    shown: UUID | None = None,
) -> str:
    """On the people of the space whom it may ask about but the one `shown` already.

    External users are no members of the household and read no notes.
    """
    keys = [key for key in asked.person_ids(people) if key != shown]
    reading = Membership.objects.with_account().filter(user=scope.user_id)
    found = Person.objects.filter(pk__in=keys, deleted_at=None)
    rows = found.filter(space__in=reading.values("space")) if keys else ()
    return "\n\n".join(
        person_text.context(
            person.details(now.date()), person.pk in people.own_ids, only_named=True
        )
        for person in rows
    )


def _wait_for_files(turn: Turn) -> Sequence[Attachment]:
    """Files that are read soon are part of the first answer."""
    connected = current_provider().connected
    until = time.monotonic() + (PATIENCE if connected else PATIENCE_WITHOUT_MODEL)
    while True:
        files = files_of([turn.message])[turn.message.pk]
        if not is_being_read(files) or time.monotonic() > until:
            return files
        time.sleep(0.1)


def _brief(
    turn: Turn,
    history: Sequence[Message],
    lines: Sequence[context.HistoryLine],
    withheld: Withheld,
) -> context.Brief:
    user, person = turn.reply.conversation.user, turn.reply.conversation.person
    now = timezone.localtime(timezone.now(), turn.zone)
    so_far = read_so_far(turn, history, withheld, now.tzinfo)
    message = turn.message
    return context.Brief(
        history=lines,
        now=now,
        remember=turn.scope.writes,
        keeps_lore=turn.policy.lore,
        short=is_own(configured().base_url),
        summary=so_far.summary,
        open_loops=so_far.open_loops,
        files=so_far.files,
        emergency=emergency_sentences(message.content, message.emergency),
        instructions=user.instructions if user else "",
        person=person_text.context(
            person.details(now.date()),
            is_user=user is not None and person.user_id == user.pk,
        )
        if person
        else "",
    )


def _lines(
    messages: Sequence[Message], withheld: Withheld, files: Files
) -> Iterator[context.HistoryLine]:
    for message in messages:
        text = withheld.message_text(message) if message.content else ""
        is_users = message.role == Message.Role.USER
        if text and is_users:
            quote = withheld.cleaned(message.quote, message.created_at)
            text = marked_words(text, message.forwarded_from)
            text = after_quote(text, quote, message.quoted_from)
        for file in files[message.pk]:  # in memory only
            file.description = withheld.description(file.description, message)
        if text := with_surrogates(text, files[message.pk]):
            yield context.HistoryLine("user" if is_users else "assistant", text)
