"""What a prompt knows, put together once: for replies, the API, the inspector and probes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from uuid import uuid4

from django.db import connections
from django.utils import timezone

from conversations.attachments.in_prompt import (
    files_of,
    pictures_of,
    with_surrogates,
)
from conversations.models import (
    Conversation,
    Episode,
    Message,
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
from conversations.reply.prompt_place import PromptPlace, place_of_turn
from conversations.reply.turn import Turn, empty_reply, scope_of, user_message
from meddie.ai.events import Basis, ChatMessage
from meddie.ai.provider import current_provider
from memory import service
from memory.models import MemoryPolicy
from memory.recall.query import Query
from memory.recall.shelves import Shelf
from memory.subjects import NO_HOUSEHOLD, Household
from people.models import Person, Space, User
from people.scope import Scope


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
    last_turn = last_turn_of(history)
    if quote := turn.message.quote:
        last_turn = last_turn._replace(reply=quote)
    return query_of(text, last_turn, turn.zone)


def query_of(text: str, last_turn: Spoken, zone: tzinfo | None) -> Query:
    """Embed a message; a short one after the last turn. Network."""
    now = timezone.localtime(timezone.now(), zone)
    connections.close_all()  # others may have it while the embedding model is asked
    return service.prepare_query(text, *last_turn, now)


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
