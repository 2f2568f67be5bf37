"""What a prompt knows, put together once: for replies, the API, the inspector and probes."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connections
from django.utils import timezone

from conversations.attachments.in_prompt import (
    Files,
    files_of,
    is_being_read,
    pictures_of,
    with_surrogates,
    with_texts,
)
from conversations.emergencies import emergency_sentences
from conversations.forgetting.withheld import Withheld, withhold_retired
from conversations.models import (
    Attachment,
    Conversation,
    Episode,
    Message,
    Receipt,
    Thread,
)
from conversations.new_conversation import chosen_model
from conversations.reply import confirmations
from conversations.reply.basis import basis_of_turn
from conversations.reply.further_shelves import further_shelves
from conversations.reply.history import (
    Spoken,
    history_of,
    last_reply_of,
    last_turn_of,
    read_so_far,
)
from conversations.reply.known_facts import (
    KnownFacts,
    recall_facts,
    with_facts,
    without_repetition,
    without_texts_in,
)
from conversations.reply.lookup import Lookup
from conversations.reply.prompt import context
from conversations.reply.turn import Turn, empty_reply, scope_of, user_message
from meddie.ai.events import Basis, ChatMessage
from meddie.ai.provider import current_provider
from meddie.ai.slots import is_own
from memory import service
from memory.household import household
from memory.models import MemoryPolicy
from memory.recall.asked import AskedAbout, whom_asked
from memory.recall.query import Query
from memory.recall.shelves import Shelf
from memory.subjects import NO_HOUSEHOLD, Household
from memory.wording.own_words import marked_words
from people import person_text
from people.models import Person, Space, User
from people.scope import Scope

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


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known for a message in a place; `shelves` were searched besides facts."""

    place: PromptPlace
    policy: MemoryPolicy
    facts: KnownFacts
    shelves: Sequence[Shelf]

    def brief(self) -> context.Brief:
        return with_facts(self.place.brief, self.facts, self.policy)

    def fitted(self, budget: int) -> tuple[context.Prompt, "Knowledge"]:
        """The prompt, and what it knows besides the messages that fit."""
        history = self.place.brief.history
        known = self._besides(history)
        prompt = context.build(known.brief(), budget)
        shown = max(prompt.used.get("messages", 0), 1)
        if shown < len(history):
            known = self._besides(history[-shown:])
            prompt = context.build(known.brief(), budget)
        return prompt, known

    def _besides(self, shown: Sequence[context.HistoryLine]) -> "Knowledge":
        texts = [line.text for line in shown]
        return replace(self, facts=without_texts_in(self.facts, texts))


def know(
    scope: Scope, policy: MemoryPolicy, query: Query | None, place: PromptPlace
) -> Knowledge:
    """Recall for a prompt; nothing without a query. Database only."""
    shelves = further_shelves(scope, place.shown)
    facts = KnownFacts()
    if query is not None:
        query = replace(query, carried=place.carried, asked=place.asked)
        facts = recall_facts(scope, policy, query, place.ranking, shelves)
    facts = without_repetition(facts, place.withheld, place.texts)
    return Knowledge(place, policy, facts, shelves)


@dataclass(frozen=True, slots=True)
class Prompted:
    """The prompt of a reply, and what its end needs to know of it."""

    messages: list[ChatMessage] = field(default_factory=list)
    known: KnownFacts = field(default_factory=KnownFacts)
    used: Mapping[str, int] = field(default_factory=dict)  # items of each section
    crowded: bool = False  # no room for recent messages
    last_reply: Message | None = None  # before the user's message
    withheld: bool = True  # the user's message may state a retired fact
    lookup: Lookup | None = None  # where the model may search memory
    model: str | None = None  # None for CHAT_MODEL
    basis: Basis = field(default_factory=Basis)  # for an answer without a model
    household: Household = NO_HOUSEHOLD  # whom the message and the reply may name


def prompt_of(turn: Turn, budget: int) -> Prompted:
    """Search, read, and build what the model is asked. Network and database.

    `budget` is in estimated tokens; the message to answer may need more.
    """
    history = history_of(turn)
    query = query_of_turn(turn, history)
    place = place_of_turn(turn, history)
    prompt, known = know(turn.scope, turn.policy, query, place).fitted(budget)
    messages, facts, files = prompt.messages, known.facts, place.files
    if files:
        connections.close_all()  # others may have it while pictures are loaded
        messages = context.with_pictures(messages, pictures_of(files))
    connected = current_provider().connected
    return Prompted(
        messages,
        facts,
        prompt.used,
        crowded=prompt.used.get("messages", 0) < len(place.brief.history),
        last_reply=last_reply_of(history),
        withheld=turn.message.pk in place.withheld.messages,
        lookup=Lookup.of(turn.scope, turn.policy),
        model=chosen_model(turn.reply.conversation.chat_model),
        basis=Basis()
        if connected
        else basis_of_turn(turn, history, facts, files, place.household),
        household=place.household,
    )


def query_of_turn(turn: Turn, history: Sequence[Message]) -> Query | None:
    """None with memory off, and for a mere no to what a stand-in's lines ask."""
    declined = not current_provider().connected and confirmations.is_declined(
        turn.message
    )
    if not turn.scope.reads or declined:
        return None
    text = turn.message.content
    if not text:
        text = with_surrogates("", files_of([turn.message])[turn.message.pk])
    return query_of(text, last_turn_of(history), turn.zone)


def query_of(text: str, last_turn: Spoken, zone: tzinfo | None) -> Query:
    """Embed a message; a short one after the last turn. Network."""
    now = timezone.localtime(timezone.now(), zone)
    connections.close_all()  # others may have it while the embedding model is asked
    return service.prepare_query(text, *last_turn, now)


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
    brief = context.Brief([], now, named=_notes_on(asked, people, now))
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
    withheld = withhold_retired(turn.scope)
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
        replace(brief, named=_notes_on(whom, people, brief.now, person)),
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


def _notes_on(
    asked: AskedAbout, people: Household, now: datetime, shown: UUID | None = None
) -> str:
    """On the people of the space whom it may ask about but the one `shown` already."""
    keys = [key for key in asked.person_ids(people) if key != shown]
    rows = Person.objects.filter(pk__in=keys, deleted_at=None) if keys else ()
    return "\n\n".join(
        person_text.context(
            person.details(now.date()), person.pk in people.own_ids, only_named=True
        )
        for person in rows
    )


def _wait_for_files(turn: Turn) -> Sequence[Attachment]:
    """Files that are read within a second are part of the first answer."""
    until = time.monotonic() + 0.8
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
        short=is_own(settings.OPENAI_BASE_URL),
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
            text = marked_words(text, message.forwarded_from)
        for file in files[message.pk]:  # in memory only
            file.description = withheld.description(file.description, message)
        if text := with_surrogates(text, files[message.pk]):
            yield context.HistoryLine("user" if is_users else "assistant", text)


@dataclass(frozen=True, slots=True)
class Setting:
    """Who writes a message, and where. Without a conversation it begins one."""

    user: User
    space: Space
    channel: str
    conversation: Conversation | None = None
    person: Person | None = None  # of a conversation that begins


def unsaved_turn(setting: Setting, text: str) -> Turn:
    """A turn that is not stored, to look at the prompt that its message would have.

    Raises NotFound if the user left the space.
    """
    conversation = setting.conversation
    if conversation is None:
        user, space = setting.user, setting.space
        thread = Thread(user=user, space=space, channel=setting.channel)
        conversation = Conversation(
            user=user, space=space, thread=thread, person=setting.person
        )
    thread = conversation.thread
    message = user_message(text)
    message.episode = Episode(thread=thread, conversation=conversation)
    reply = empty_reply(message, uuid4(), setting.user)
    for seq, unsaved in enumerate((message, reply), thread.next_seq):
        unsaved.thread, unsaved.conversation, unsaved.seq = thread, conversation, seq
    scope = scope_of(conversation, thread)
    return Turn(reply, reply.pk, scope, MemoryPolicy.objects.of(scope.space_id))
