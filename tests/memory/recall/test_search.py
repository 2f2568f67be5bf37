"""Search of a space's facts: what it finds, in which order, and for whom."""

import pytest

from meddie.ai import embeddings
from memory import service
from memory.facts.retraction import owner_scope
from memory.models import Memory, MemoryPolicy
from memory.visibility import NEWEST_EACH
from people.models import Membership
from people.scope import scope_for
from tests.factories import MemoryFactory, ProfileFactFactory
from tests.memory import crowd

pytestmark = pytest.mark.django_db
FACT = "User is allergic to ibuprofen"


@pytest.fixture(autouse=True)
def _embedder(embedder, monkeypatch):
    monkeypatch.setattr(embeddings, "current_embedder", lambda: embedder)


def texts(found):
    return [item.text for item in found]


@pytest.mark.req("S3-50", "S3-59")
def test_a_search_finds_only_what_fits(tell, scope):
    tell(FACT, "User plays chess")
    assert texts(service.search(scope, "ibuprofen")) == [FACT]
    assert service.search(scope, "zeppelin") == []


@pytest.mark.req("S3-50")
def test_facts_of_the_profile_are_found(ann, bob, home, scope):
    for user, value in ((ann, "vim"), (bob, "nano")):
        ProfileFactFactory(user=user, space=home, key="editor", value=value)
    assert texts(service.search(scope, "Which editor?")) == ["editor: vim"]
    found = service.search(scope, "Which editor?", everyone=True)
    assert sorted(texts(found)) == ["editor: nano", "editor: vim"]
    assert {one.kind for one in found} == {"profile_fact"}


@pytest.mark.req("B-37")
@pytest.mark.parametrize("query", ["", "  \n", "\u200b"])
def test_a_search_without_a_query_is_empty(tell, scope, query):
    tell(FACT)
    assert service.search(scope, query) == []


@pytest.mark.req("S3-50", "B-35")
@pytest.mark.parametrize(
    ("limit", "count"), [(-3, 1), (0, 1), (7, 7), (24, 24), (99, 24)]
)
def test_a_search_gives_1_to_24_facts(ann, home, scope, limit, count):
    for number in range(30):
        MemoryFactory(user=ann, space=home, content=f"User planted tree {number}")
    assert len(service.search(scope, "tree", limit=limit)) == count


@pytest.mark.req("S3-50", "S3-03")
def test_facts_of_all_members_are_found_for_staff_alone(ann, bob, home, office, tell):
    scopes = {
        "Ann": scope_for(ann, home.pk, channel="web"),
        "Bob": scope_for(bob, home.pk, channel="web"),
        "Ann's office": scope_for(ann, office.pk, channel="web"),
    }
    for name, scope in scopes.items():
        tell(f"{name} grows ferns", scope=scope)
    for name, scope in scopes.items():
        assert texts(service.search(scope, "ferns")) == [f"{name} grows ferns"]
    staff = scope_for(None, home.pk, channel="admin")
    assert service.search(staff, "ferns") == []
    found = texts(service.search(staff, "ferns", everyone=True))
    assert sorted(found) == ["Ann grows ferns", "Bob grows ferns"]


def test_staff_search_the_newest_facts_of_each_member():
    (other,) = crowd.settle(NEWEST_EACH + 1, NEWEST_EACH + 1)
    Membership.objects.create(user_id=other.user_id, space_id=other.space_id)

    def found(query):
        return texts(service.search(other, query, everyone=True))

    assert found(f"{NEWEST_EACH - 1}") == [f"Note number {NEWEST_EACH - 1}"]
    assert found(f"{NEWEST_EACH}") == []
    assert texts(service.search(other, f"{NEWEST_EACH}")) != []


def test_staff_find_no_retired_fact(tell, scope):
    (stored,) = tell(FACT)
    assert service.search(scope, "ibuprofen", everyone=True)
    memory = Memory.objects.get(pk=stored.memory_id)
    service.erase(owner_scope(memory), [memory.pk])
    assert service.search(scope, "ibuprofen", everyone=True) == []


def test_a_question_for_everything_is_searched_by_its_words(tell, scope):
    tell("User wants to know about lupus")
    assert service.search(scope, "What do you know about me?")


@pytest.mark.req("S3-04", "S3-54", "S3-72")
def test_facts_of_the_channel_come_first_and_no_other_is_hidden(ann, home, scope):
    for channel in ("telegram", "web", ""):
        text = f"User fears wasps, they said in “{channel}”"
        MemoryFactory(user=ann, space=home, content=text, channel=channel)

    def order(channel):
        found = service.search(scope, "wasps", channel=channel)
        keys = [item.memory_id for item in found]
        rows = Memory.objects.in_bulk(keys)
        return [rows[key].channel for key in keys]

    assert order("telegram") == ["telegram", "", "web"]
    assert order("web") == order("") == ["web", "", "telegram"]


@pytest.mark.req("S3-50", "S3-05")
def test_a_search_finds_lore_of_the_space_where_it_is_kept(home, office, scope, tell):
    tell("User brews tea for the picnic")
    for space, line in ((home, "The picnic is in May"), (office, "No picnic")):
        MemoryFactory(
            user=None, space=space, audience="space", content=line, linked=False
        )
    assert texts(service.search(scope, "picnic")) == ["User brews tea for the picnic"]
    MemoryPolicy.objects.create(space=home, lore=True)
    found = texts(service.search(scope, "picnic"))
    assert sorted(found) == ["The picnic is in May", "User brews tea for the picnic"]
    assert len(service.search(scope, "picnic", limit=1)) == 1
    guest = scope_for(None, home.pk, channel="telegram")
    assert service.search(guest, "picnic") == []


@pytest.mark.req("S3-54")
@pytest.mark.parametrize("room", ["kitchen", "garden"])
def test_facts_of_the_room_come_before_those_of_others(ann, home, scope, room):
    same = {"user": ann, "space": home, "channel": "discord"}
    for other, text in (("kitchen", "Ann likes rye"), ("garden", "Ann likes elm")):
        MemoryFactory(content=text, room=other, **same)
    first = service.search(scope, "Ann", channel=room)[0].text
    assert first == ("Ann likes rye" if room == "kitchen" else "Ann likes elm")
    asking = scope_for(ann, home.pk, channel="discord", room=room)
    assert service.search(asking, "Ann")[0].text == first
