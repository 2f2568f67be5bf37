"""How much of a prompt its provider knows from the last call.

Turns of a user with so many facts, in one conversation and in new ones. Messages and
replies are searched from the turn after them on, as in the product.
"""

from collections.abc import Iterator
from itertools import pairwise, takewhile
from statistics import fmean
from typing import Any

from asgiref.sync import async_to_sync
from django.utils import timezone

from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from conversations.models import MessageIndex
from conversations.reply import runner
from conversations.reply.turn import begin
from meddie.ai.events import text_of
from meddie.ai.tokens import estimate
from memory import service
from memory.facts.imports import import_facts
from memory.values import Candidate, ImportedFact
from people.models import Membership, Space, User
from people.scope import scope_for
from tests.openai_answers import says

FACTS = (10, 50, 100, 400)
TURNS = 20


def run(scene: Scene) -> dict[str, Any]:
    said = iter(facts(2000, seed=3))
    scene.server.chat.default = lambda _body: says(f"{next(said)}, and {next(said)}.")
    return {
        f"{count}_facts": {
            "one_conversation": _figures(scene, _member(count), stays=True),
            "new_conversations": _figures(scene, _member(count), stays=False),
        }
        for count in FACTS
    }


def _member(count: int) -> Membership:
    user = User.objects.create_user(f"{timezone.now():%f}{count}@benchmark.invalid")
    space = Space.objects.create(name="Benchmark")
    member = Membership.objects.create(user=user, space=space)
    scope = scope_for(user, space.pk, channel="web")
    known = [ImportedFact(Candidate(text), timezone.now()) for text in facts(count)]
    list(import_facts(scope, known))
    return member


def _figures(scene: Scene, member: Membership, *, stays: bool) -> dict[str, Any]:
    """Tokens of prompts, and the share of them in the prefix common with the last."""
    prompts = list(_prompts(scene, member, stays=stays))
    sizes = [estimate(prompt) for prompt in prompts]
    shared = [estimate(_common(*pair)) for pair in pairwise(prompts)]
    shares = [one / size for one, size in zip(shared, sizes[1:], strict=True)]
    return {
        "prompt_tokens": round(fmean(sizes)),
        "shared": round(fmean(shares), 3),
        "least_shared_tokens": min(shared),
    }


def _common(one: str, other: str) -> str:
    pairs = zip(one, other, strict=False)
    return "".join(
        letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)
    )


def _prompts(scene: Scene, member: Membership, *, stays: bool) -> Iterator[str]:
    where: dict[str, Any] = {}
    for question in questions(TURNS):
        turn = begin(member.user, member.space_id, question, **where)
        async_to_sync(runner.write_reply)(turn)
        service.index(MessageIndex.to_embed())
        if stays:
            where = {"conversation_id": turn.conversation_id}
        sent = scene.server.chat.requests[-1].body["messages"]
        yield "\n".join(f"<{one['role']}>\n{text_of(one)}" for one in sent)
