"""However much is said, memory holds each thing once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import service
from memory.facts.archiving import archive_surplus
from memory.models import EpisodicMemory, Memory, MemoryPolicy, ProfileFact
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, Provenance

pytestmark = pytest.mark.django_db
FACTS = ["User has asthma", "User takes ramipril 5 mg", "User lives in Gdynia"]
DAY = timedelta(days=1)


@pytest.mark.req("S2-55", "S2-37", "S4-10")
def test_a_hundred_repetitions_add_no_fact(tell, scope):
    first = timezone.now() - 100 * DAY
    for number in range(100):
        tell(*FACTS, scope=scope, at=first + number * DAY)
    assert Memory.objects.count() == len(FACTS)
    assert not EpisodicMemory.objects.exists()
    assert not ProfileFact.objects.exists()


@pytest.mark.req("S2-55")
def test_a_hundred_corrections_leave_one_active_fact(tell, scope):
    first = timezone.now() - 100 * DAY
    for number in range(100):
        weight, at = f"User weighs {60 + number} kg", first + number * DAY
        older = Memory.objects.filter(active=True).values_list("pk", flat=True).first()
        provenance = Provenance("inline", at)
        candidate = Candidate(weight, supersedes=older)
        service.remember(
            scope, service.prepare_facts([candidate], NO_HOUSEHOLD), provenance
        )
    assert Memory.objects.get(active=True).content == "User weighs 159 kg"


@pytest.mark.req("S2-55")
def test_a_space_bounds_what_is_kept_of_each_user(tell, scope, home):
    MemoryPolicy.objects.create(space=home, keep_per_user=2)
    told = ["User plays chess", "User has a dog", "User lives in Gdynia"]
    for number, fact in enumerate(told):
        tell(fact, scope=scope, at=timezone.now() + number * DAY)
    archive_surplus()
    assert service.count(scope) == 2


@pytest.mark.req("S2-35", "S1-02")
@pytest.mark.parametrize("origin", Memory.Origin.values)
def test_facts_of_every_origin_take_one_path(scope, embedder, origin):
    now = timezone.now()
    for by in ("inline", origin):
        prepared = service.prepare_facts([Candidate("User has asthma")], NO_HOUSEHOLD)
        (decision,) = service.remember(scope, prepared, Provenance(by, now))
    assert (decision.action, decision.reason) == ("ignore", "duplicate")
    found = service.recall(scope, service.prepare_query("Do I have asthma?"))
    assert [item.text for item in found.items] == ["User has asthma"]
