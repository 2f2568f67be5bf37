"""A conversation of a thousand turns: whether prompts and turns stay as they are.

Most turns are stored at once and then summed up by their jobs; some are played after
the hundredth and the thousandth. Summaries are made of the sentences with the rarest
words. A turn's time is without its jobs, as they run after the reply.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.evaluation.locomo import Exchange, Spoken, Transcript
from benchmarks.evaluation.replay import PlayedTurn, play
from benchmarks.scene import Scene
from benchmarks.sentences import facts
from benchmarks.timing import ratio, spread
from conversations import message_search
from conversations.episodes.summaries import after_turn
from conversations.models import Message, MessageIndex, Summary, SummaryJob, Thread
from meddie.ai.offline.summaries import summarise
from meddie.jobs import registry
from memory import service
from people.scope import scope_for
from tests.openai_answers import Answer, says

STORED = (99, 880)  # turns that are stored at once, each time before PLAYED
PLAYED = 20
FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


class Talk:
    """A conversation in which more turns are stored at its steps."""

    def __init__(self) -> None:
        self.sentences = iter(facts(4 * sum(STORED)))
        self.taken = 0

    def transcript(self) -> Transcript:
        """One turn, then two parts, an hour apart."""
        dates = [FIRST]
        for part in (1, 2):
            dates += [FIRST + part * HOUR + n * MINUTE for n in range(PLAYED)]
        return Transcript("long", tuple(map(self._exchange, dates)), ())

    def _exchange(self, at: datetime) -> Exchange:
        said, answered = f"{next(self.sentences)}.", f"{next(self.sentences)}, I see."
        nothing: frozenset[str] = frozenset()
        return Exchange(Spoken(said, nothing), Spoken(answered, nothing), 1, at)

    def step(self, turns: int) -> None:
        """After a turn was played."""
        steps = {1: STORED[0], 1 + PLAYED: STORED[1]}
        self.taken += turns
        if self.taken in steps:
            self._store(steps[self.taken])

    def _store(self, turns: int) -> None:
        thread = Thread.objects.select_related("user").latest("created_at")
        last = thread.messages.order_by("seq").last()
        assert last is not None  # noqa: S101 -- the first turn
        said: list[Message] = []
        for number in range(1, 2 * turns + 1):
            by_user = number % 2 == 1
            message = Message(
                thread=thread,
                conversation_id=last.conversation_id,
                episode_id=last.episode_id,
                seq=last.seq + number,
                role=Message.Role.USER if by_user else Message.Role.ASSISTANT,
                answers=None if by_user else said[-1],
                content=f"{next(self.sentences)}.",
                created_at=last.created_at + number * SECOND,
            )
            said.append(message)
        Message.objects.bulk_create(said)
        Thread.objects.filter(pk=thread.pk).update(next_seq=said[-1].seq + 1)
        scope = scope_for(thread.user, thread.space_id, channel=thread.channel)
        keys = message_search.index(scope, said)
        service.index(MessageIndex.objects.filter(pk__in=keys))
        after_turn(said[-1])
        for key in SummaryJob.objects.due().values_list("pk", flat=True):
            registry.run("summaries", key)


def run(scene: Scene) -> dict[str, Any]:
    """Tokens and milliseconds of turns after the hundredth and the thousandth."""
    scene.server.titles.default = _sum_up
    talk = Talk()
    chunks: list[int] = []

    def progress(turns: int) -> None:
        talk.step(turns)
        chunks.append(Summary.objects.filter(kind=Summary.Kind.CHUNK).count())

    turns = play(talk.transcript(), progress).turns
    early, late = turns[1 : 1 + PLAYED], turns[1 + PLAYED :]
    return {
        "turns": talk.taken + sum(STORED),
        "chunks": chunks[-1],
        "early": _figures(early),
        "late": _figures(late),
        "late_to_early": ratio(
            [turn.seconds for turn in late], [turn.seconds for turn in early]
        ),
    }


def _sum_up(body: dict[str, Any]) -> Answer:
    return says(json.dumps(summarise(body["messages"])))


def _figures(turns: list[PlayedTurn]) -> dict[str, Any]:
    return {
        "largest_prompt": max(turn.tokens for turn in turns),
        "prompt_tokens": spread([turn.tokens for turn in turns]),
        "context_tokens": spread([turn.context for turn in turns]),
        "ms": spread([1000 * turn.seconds for turn in turns]),
    }
