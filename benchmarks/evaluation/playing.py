"""Play stories through capture, resolution and forgetting, in scratch spaces.

The memory of a scope after a story, and how it differs from what is expected.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal
from uuid import uuid4

from django.apps import apps
from django.db.models import CharField, Field, JSONField, TextField

from benchmarks.evaluation.scratch import scratch_scope
from benchmarks.evaluation.stories import ExpectedMemory, Story, StoryStep
from benchmarks.evaluation.story_provider import StoryProvider, story_provider
from conversations.api.channel import API
from conversations.models import Conversation, Message, Thread
from conversations.new_conversation import Start, begin_conversation
from conversations.reply.append_messages import append_messages, leave_to_memory
from meddie.jobs import registry
from meddie.text import one_line, storable
from memory import service
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from memory.values import Provenance
from memory.wording.same_fact import content_hash
from people.scope import Scope

Rows = dict[str, str]  # texts by their hash


@dataclass(frozen=True, slots=True)
class MemoryState:
    """Rows by state. `dump` is all text of the memory tables."""

    rows: dict[str, Rows]
    dump: str
    unfinished: tuple[str, ...] = ()  # jobs

    def as_data(self) -> dict[str, Any]:
        texts = {name: list(rows.values()) for name, rows in self.rows.items()}
        return texts | {"dump": self.dump}


@dataclass(frozen=True, slots=True)
class Difference:
    """`where` is a list of the story, or the jobs."""

    where: str
    problem: Literal["missing", "extra", "unfinished"]
    text: str


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
    with scratch_scope(API.name) as (user, scope):
        thread = Thread.objects.create(
            space_id=scope.space_id,
            user=user,
            channel=API.name,
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
    leave_to_memory(scope, MemoryPolicy.objects.of(scope.space_id), message, None)
    run_jobs(scope)
    stated = Provenance(
        Memory.Origin.INLINE, step.at, message_id=message.pk, user_text=text
    )
    service.forget_stated(scope, service.prepare_forgetting(step.forget), stated)
    run_jobs(scope)


def run_jobs(scope: Scope) -> None:
    """Run the due capture jobs of the scope in this process, in their order."""
    while (job := _jobs(scope).due().in_order().first()) is not None:
        registry.run(CaptureJob.QUEUE, job.pk)


def read_state(scope: Scope) -> MemoryState:
    retired = Memory.objects.owned_by(scope).filter(active=False)
    jobs = _jobs(scope).exclude(state=CaptureJob.State.DONE).order_by("pk")
    return MemoryState(
        {
            "active": _rows(Memory.objects.visible_to(scope).active()),
            "superseded": _rows(retired.filter(retired_reason="superseded")),
            "retracted": _rows(retired.filter(retired_reason="retracted")),
        },
        "\n".join(_texts(scope)),
        tuple(f"{job.kind} is {job.state}: {job.error}" for job in jobs),
    )


def find_differences(
    expected: ExpectedMemory, state: MemoryState
) -> Iterator[Difference]:
    """Only what is active without being expected is extra."""
    for where, rows in state.rows.items():
        wanted = {content_hash(text): text for text in getattr(expected, where)}
        for key in wanted.keys() - rows.keys():
            yield Difference(where, "missing", wanted[key])
        if where == "active":
            for key in rows.keys() - wanted.keys():
                yield Difference(where, "extra", rows[key])
    dump = state.dump.casefold()
    for text in expected.never:
        if text.casefold() in dump:
            yield Difference("never", "extra", text)
    for job in state.unfinished:
        yield Difference("jobs", "unfinished", job)


def _jobs(scope: Scope) -> Any:
    return CaptureJob.objects.filter(user=scope.user_id, space=scope.space_id)


def _rows(memories: Any) -> Rows:
    return dict(memories.order_by("pk").values_list("content_hash", "content"))


def _texts(scope: Scope) -> Iterator[str]:
    """The texts of the user's rows in all memory tables.

    Not those of events, which keep for staff what was refused.
    """
    for model in apps.get_app_config("memory").get_models():
        fields = {field.name: field for field in model._meta.concrete_fields}  # noqa: SLF001
        if "user" not in fields or model is MemoryEvent:
            continue
        names = [name for name, field in fields.items() if _is_text(field)]
        rows = model._base_manager.filter(user=scope.user_id).order_by("pk")  # noqa: SLF001
        for row in rows.values_list(*names):
            yield from _strings(list(row))


def _is_text(field: "Field[Any, Any]") -> bool:
    return isinstance(field, CharField | TextField | JSONField) and not field.generated


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield one_line(value)
    elif isinstance(value, dict):
        yield from _strings([*value, *value.values()])
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
