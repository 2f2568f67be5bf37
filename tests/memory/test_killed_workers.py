"""A worker that is killed at any statement of an extraction leaves no half of it."""

import json
import uuid
from contextlib import suppress
from datetime import timedelta
from itertools import count

import pytest
from django.db import connection
from django.utils import timezone

from memory import service
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryUpdate, ProfileFact
from memory.recall import recall as reading
from memory.values import Candidate, ProfileCandidate
from people.scope import scope_for
from tests.factories import MembershipFactory
from tests.memory.conftest import known, remember, remember_profile, said
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()
EARLIER = NOW - timedelta(days=1)
OLD = (["User lives in Oslo"], ["name: Alex"])
NEW = (["User lives in Bergen"], ["name: Sasha"])
EXTRACTION = {
    "facts": [{"text": "User lives in Bergen"}],
    "profile_facts": [
        {"category": "identity", "key": "name", "value": "Sasha", "correction": True}
    ],
}
RESOLUTION = {"decisions": [ruling()]}


class Killed(BaseException):
    """No code handles it, as none handles the end of its process."""


class Killer:
    """Ends the worker before the statement with this number."""

    def __init__(self, number):
        self.left = number

    def __call__(self, execute, *statement):
        self.left -= 1
        if self.left == 0:
            raise Killed
        return execute(*statement)


@pytest.fixture(autouse=True)
def _provider(openai_server):
    def answer(body):
        extracts = "memory_extraction" in json.dumps(body)
        return says(json.dumps(EXTRACTION if extracts else RESOLUTION))

    openai_server.titles.default = answer


def in_oslo():
    """The scope of a new user, who has just told of a move and of another name."""
    member = MembershipFactory()
    scope = scope_for(member.user, member.space_id, channel="api")
    before, told = said(EARLIER), said(NOW, message_id=uuid.uuid4())
    remember(scope, [Candidate(OLD[0][0])], before, embedder=WordEmbedder())
    name = ProfileCandidate("identity", "name", "Alex")
    remember_profile(scope, [name], before)
    message = "Call me Sasha, I live in Bergen now"
    service.capture_later(scope, message, told, [])
    return scope


def state(scope):
    return known(scope), [line.text for line in reading.profile(scope)]


def rows(scope):
    """How many rows there are of the user, by table, and the states of the jobs."""
    tables = (Memory, MemoryUpdate, ProfileFact, MemoryEvent)
    counts = [table.objects.filter(user_id=scope.user_id).count() for table in tables]
    jobs = CaptureJob.objects.filter(user_id=scope.user_id)
    return counts, list(jobs.values_list("kind", "state").order_by("kind"))


@pytest.mark.slow
@pytest.mark.req("S1-29", "S1-30", "S1-36")
def test_killed_worker_leaves_the_old_state_or_the_new_and_the_job_runs_again():
    undisturbed = in_oslo()
    run_due(WordEmbedder())
    assert state(undisturbed) == NEW
    left = []
    for number in count(1):
        scope, killer = in_oslo(), Killer(number)
        with suppress(Killed), connection.execute_wrapper(killer):
            run_due(WordEmbedder())
        left.append(state(scope))
        CaptureJob.objects.update(leased_until=NOW)
        run_due(WordEmbedder())
        assert state(scope) == NEW
        assert rows(scope) == rows(undisturbed)
        if killer.left > 0:
            break
    changed = left.index(NEW)
    assert left == [OLD] * changed + [NEW] * (len(left) - changed)
    assert changed > 0
