"""Play stories through capture, resolution and forgetting, in scratch spaces."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import uuid4

from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import Start, begin_conversation
from conversations.reply.append_messages import append_messages
from conversations.reply.background import capture_message
from meddie.text import storable
from memory import service
from memory.evaluation.scratch import scratch_scope
from memory.evaluation.stories import Story, StoryStep
from memory.evaluation.story_provider import StoryProvider, story_provider
from memory.evaluation.story_state import (
    Difference,
    MemoryState,
    find_differences,
    read_state,
    run_jobs,
)
from memory.models import Memory
from memory.values import Provenance
from people.scope import Scope


@dataclass(frozen=True, slots=True)
class PlayedStory:
    story: Story
    state: MemoryState
    differences: tuple[Difference, ...]


def play_stories(stories: Iterable[Story]) -> Iterator[PlayedStory]:
    """Each story has a user and a space of its own, which are rolled back."""
    with story_provider() as provider:
        for story in stories:
            state = _play(story, provider)
            differences = find_differences(story.expect, state)
            yield PlayedStory(story, state, tuple(differences))


def _play(story: Story, provider: StoryProvider) -> MemoryState:
    provider.begin_story()
    with scratch_scope(Thread.Channel.API) as (user, scope):
        thread = Thread.objects.create(
            space_id=scope.space_id,
            user=user,
            channel=Thread.Channel.API,
            external_id=uuid4().hex,
        )
        title, start = story.steps[0].said, Start(thread=thread)
        conversation = begin_conversation(user, scope.space_id, title, start)
        for step in story.steps:
            provider.begin_step(step)
            _take(scope, conversation, step)
        return read_state(scope)


def _take(scope: Scope, conversation: Conversation, step: StoryStep) -> None:
    """Store the message, run its jobs, and then forget."""
    text = storable(step.said)
    message = Message(role=Message.Role.USER, content=text, created_at=step.at)
    append_messages(conversation.thread, conversation, message)
    capture_message(scope, service.policy_of(scope), message)
    run_jobs(scope)
    stated = Provenance(
        Memory.Origin.INLINE, step.at, message_id=message.pk, user_text=text
    )
    service.forget(scope, service.prepare_forgetting(step.forget), stated)
    run_jobs(scope)
