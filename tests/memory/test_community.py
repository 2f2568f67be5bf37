"""Community memories: found by users with few memories, and touched by no one."""

import pytest
from django.urls import reverse

from memory import reembedding, service
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.models import CommunityMemory, Memory
from memory.recall.recall import newest, prepare_query, recall
from people.scope import scope_for
from tests.factories import MemoryFactory
from tests.memory.conftest import known, reasons, said

pytestmark = pytest.mark.django_db
SHARED = "The clinic closes at noon on Fridays"


@pytest.fixture
def shared(embedder):
    return MemoryFactory(
        user=None, space=None, audience="everyone", content=SHARED, linked=False
    )


def found(scope, embedder, text="When does the clinic close on Fridays?", **how):
    items = recall(scope, prepare_query(text, embedder=embedder), **how).items
    return [item.text for item in items]


@pytest.mark.req("S1-41", "S1-42")
@pytest.mark.parametrize("ranking", ["chat", "chat_literal", "fused"])
def test_community_memories_are_found_below_five_own_ones(
    shared, scope, tell, embedder, ranking
):
    for number in range(5):
        assert SHARED in found(scope, embedder, ranking=ranking)
        tell(f"User has a cousin number {number}")
    assert SHARED not in found(scope, embedder, ranking=ranking)
    row = Memory.objects.visible_to(scope).first()
    forget_stated(scope, prepare_forgetting([row.content], embedder=embedder), said())
    assert SHARED in found(scope, embedder, ranking=ranking)


@pytest.mark.req("S1-41", "S1-42")
@pytest.mark.parametrize("channel", ["web", "telegram", "api"])
def test_they_are_marked_and_never_count_as_own(shared, ann, home, embedder, channel):
    scope = scope_for(ann, home.pk, channel=channel)
    query = prepare_query("When does the clinic close on Fridays?", embedder=embedder)
    (item,) = recall(scope, query).items
    assert (item.text, item.shared) == (SHARED, True)
    assert (service.count(scope), newest(scope, 9), known(scope)) == (0, [], [])
    assert recall(scope, prepare_query("What do you know about me?")).items == ()


@pytest.mark.req("S1-42")
def test_a_user_can_neither_forget_nor_restate_them(shared, scope, tell, embedder):
    wish = prepare_forgetting([SHARED], embedder=embedder)
    (decision,) = forget_stated(scope, wish, said())
    assert (decision.reason, decision.nearest) == ("not_found", ())
    assert reasons(tell(SHARED)) == [("add", "new")]
    shared.refresh_from_db()
    assert (shared.active, shared.content) == (True, SHARED)
    assert known(scope) == [SHARED]


def test_without_a_user_no_community_memory_is_found(shared, others, embedder):
    assert found(others[-1], embedder) == []


@pytest.mark.req("S1-41")
def test_staff_write_one_that_is_embedded_by_the_task(admin_client, scope, embedder):
    page = admin_client.post(
        reverse("admin:memory_communitymemory_add"),
        {"content": f"  {SHARED}\n", "kind": "other"},
    )
    assert page.status_code == 302
    memory = CommunityMemory.objects.get()
    assert (memory.content, memory.audience, memory.user) == (SHARED, "everyone", None)
    reembedding.reembed_rows(Memory.to_embed().filter(pk=memory.pk), embedder=embedder)
    assert found(scope, embedder) == [SHARED]
    again = admin_client.post(
        reverse("admin:memory_communitymemory_add"),
        {"content": SHARED, "kind": "other"},
    )
    assert "This memory exists already." in again.content.decode()


def test_the_admin_lists_no_memory_of_a_user(admin_client, shared, tell):
    tell("User plays chess")
    page = admin_client.get(reverse("admin:memory_communitymemory_changelist"))
    text = page.content.decode()
    assert SHARED in text
    assert "plays chess" not in text
    own = Memory.objects.get(content="User plays chess")
    url = reverse("admin:memory_communitymemory_change", args=[own.pk])
    assert admin_client.get(url).status_code == 302
