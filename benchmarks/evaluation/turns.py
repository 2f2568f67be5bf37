"""Turns in a household of its own, as a page would take them."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from benchmarks.evaluation.replay import PATIENCE
from conversations.models import DailyUse, Message, MessageIndex
from conversations.new_conversation import Start
from conversations.reply.active_replies import Draft
from conversations.reply.block_changes import prepare_changes
from conversations.reply.finish import Outcome, finish_turn
from conversations.reply.known import prompt_of
from conversations.reply.turn import Turn, begin
from meddie.threads import run_coroutine, run_repeatable_work
from memory import service
from people.models import Space, User


@dataclass(frozen=True, slots=True)
class Turns:
    user: User
    space: Space

    def prompted(
        self,
        text: str,
        *,
        person_id: UUID | None = None,
        conversation_id: UUID | None = None,
    ) -> tuple[Turn, Draft]:
        """A begun turn and its prompt; nothing is limited."""
        DailyUse.objects.filter(user=self.user).delete()
        turn = begin(
            self.user,
            self.space.pk,
            text,
            conversation_id=conversation_id,
            start=Start(person_id=person_id),
        )
        draft = Draft()
        preparing = run_repeatable_work(prompt_of, turn, settings.PROMPT_TOKENS)
        draft.prompted = run_coroutine(preparing, PATIENCE)
        return turn, draft

    def finish(self, turn: Turn, draft: Draft, answer: str) -> str:
        """Store an answer with its block, and return its text without."""
        draft.text = draft.reader.feed(answer) + draft.reader.close()
        outcome = Outcome(Message.Status.DONE)
        followups = finish_turn(turn, draft, outcome, prepare_changes(turn, draft))
        if followups is not None:
            service.index(MessageIndex.objects.filter(pk__in=followups.indexed))
        return draft.text
