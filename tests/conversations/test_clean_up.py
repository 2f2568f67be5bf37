"""`manage.py clean_up`: facts past their time to live are archived."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from meddie.jobs.tasks import daily
from memory.models import Memory, MemoryLink, MemoryPolicy
from memory.operators.repairs import RESTORE, repair_fact
from tests.conversations import transcripts
from tests.conversations.receipts import receive
from tests.factories import MemoryFactory, SpaceFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.req("B-31")]
LIFE = 90


@pytest.fixture
def home():
    space = SpaceFactory(members=[UserFactory()])
    MemoryPolicy.objects.create(space=space, time_to_live_days=LIFE)
    return space


@pytest.fixture
def tell(home):
    """Remember a fact of the member, so many days ago."""

    def tell(text, days, **how):
        at = now() - timedelta(days=days)
        user = home.memberships.get().user
        values = {"user": user, "space": home, "content": text} | how
        memory = MemoryFactory(stated_at=at, **values)
        MemoryLink.objects.filter(memory=memory).update(created_at=at)
        return memory

    return tell


@pytest.fixture
def clean_up(capsys):
    def clean_up(**options):
        call_command("clean_up", **options)
        return capsys.readouterr().out.strip()

    return clean_up


def active():
    return sorted(Memory.objects.active().values_list("content", flat=True))


def use(memory, times):
    conversation = transcripts.start_conversation(memory.user, memory.space)
    for _ in range(times):
        reply = transcripts.exchange(conversation, "Hello", "Hello")
        receive(reply, memory.pk)


def test_only_counts_unless_it_is_applied(tell, clean_up):
    tell("User likes tea", 136, kind="preference")
    tell("User lives in Gdynia", 181)
    tell("User sails", 181)
    for nothing_chosen in ({}, {"dry_run": True}):
        counted = clean_up(**nothing_chosen)
        assert counted == "Dry run, would archive: 2 other, 1 preference"
    assert len(active()) == 3
    assert clean_up(apply=True) == "Archived: 2 other, 1 preference"
    assert active() == []
    assert set(Memory.objects.values_list("retired_reason", flat=True)) == {"archived"}
    assert clean_up(apply=True) == "Archived: nothing"


@pytest.mark.parametrize(
    ("kind", "life"),
    [("preference", 135), ("other", 180), ("project", 225), ("relationship", 270)],
)
def test_kinds_live_for_different_times(tell, clean_up, kind, life):
    tell("User writes a novel", life - 1, kind=kind)
    tell("User builds a boat", life + 1, kind=kind)
    clean_up(apply=True)
    assert active() == ["User writes a novel"]


def test_profile_does_not_expire(tell, clean_up):
    tell("User is a nurse", 9999, kind="profile")
    clean_up(apply=True)
    assert active() == ["User is a nurse"]


def test_facts_about_health_do_not_expire(tell, clean_up):
    tell("User is allergic: allergy to nuts", 9999)
    clean_up(apply=True)
    assert len(active()) == 1


def test_a_sure_fact_lives_longer_than_an_unsure_one(home, tell, clean_up):
    MemoryPolicy.objects.update(time_to_live_days=30)
    tell("User likes tea", 100)
    tell("User likes milk", 100, confidence=0.5)
    clean_up(apply=True)
    assert active() == ["User likes tea"]


def test_facts_that_replies_use_do_not_expire(tell, clean_up):
    use(tell("User likes tea", 999), 5)
    use(tell("User likes milk", 999), 4)
    clean_up(apply=True)
    assert active() == ["User likes tea"]


def test_a_restored_fact_lives_once_more(tell, clean_up):
    memory = tell("User likes tea", 999)
    clean_up(apply=True)
    memory.refresh_from_db()
    repair_fact(memory, RESTORE, UserFactory(is_staff=True))
    clean_up(apply=True)
    assert active() == ["User likes tea"]


def test_a_fact_that_is_lent_stays_with_its_borrower(tell, clean_up, home):
    memory = tell("User likes tea", 999)
    borrower = UserFactory()
    MemoryLink.objects.create(user=borrower, space=home, memory=memory)
    clean_up(apply=True)
    assert active() == ["User likes tea"]
    assert memory.links.get().user == borrower


def test_other_spaces_and_shared_lines_are_left(home, tell, clean_up):
    tell("User likes tea", 999)
    tell("User sails", 999, space=SpaceFactory())
    shared = {"user": None, "audience": "space", "linked": False}
    tell("Memory line: We sail.", 999, **shared)
    clean_up(apply=True)
    assert active() == ["Memory line: We sail.", "User sails"]


def test_expired_facts_are_archived_every_day(home, tell):
    tell("User likes tea", 999)
    tell("User plays chess", 30)
    tell("User sails", 999, space=SpaceFactory())
    daily()
    assert active() == ["User plays chess", "User sails"]
    assert Memory.objects.get(active=False).retired_reason == "archived"


def test_a_named_space_is_the_only_one(home, tell, clean_up):
    other = SpaceFactory()
    MemoryPolicy.objects.create(space=other, time_to_live_days=LIFE)
    tell("User likes tea", 999)
    tell("User sails", 999, space=other)
    clean_up(space=other.pk, apply=True)
    assert active() == ["User likes tea"]


def test_a_space_without_a_time_to_live_is_refused(clean_up):
    space = SpaceFactory()
    MemoryPolicy.objects.create(space=space)
    with pytest.raises(CommandError, match="No space has a time to live"):
        clean_up(space=space.pk, apply=True)
