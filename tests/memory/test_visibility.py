"""Which rows a scope sees: the QuerySet filter and the SQL conditions agree."""

import pytest
from django.db import connection

from memory.models import Memory, MemoryLink
from memory.visibility import (
    lent_sql,
    linked_sql,
    owned_sql,
    scope_values,
    visible_own_sql,
)
from tests.factories import MemoryFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(ann, bob, home, office):
    """One memory for each owner, space, audience and link, keyed by its content."""
    for user, space in ((ann, home), (ann, office), (bob, home)):
        text = f"{user.name} at {space.name}"
        MemoryFactory(user=user, space=space, content=text)
        MemoryFactory(user=user, space=space, content=f"{text}, unlinked", linked=False)
        other = MemoryFactory(
            user=user, space=space, content=f"{text}, linked elsewhere", linked=False
        )
        for link_user, link_space in ((ann, office), (bob, home), (ann, home)):
            if (link_user, link_space) != (user, space):
                MemoryLink.objects.create(
                    user=link_user, space=link_space, memory=other
                )
    MemoryFactory(user=None, space=home, audience="space", content="lore", linked=False)
    MemoryFactory(
        user=None, space=None, audience="everyone", content="common", linked=False
    )


def selected(condition, scope):
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT content FROM memories m WHERE {condition}",  # noqa: S608 -- constants
            scope_values(scope),
        )
        return sorted(content for (content,) in cursor.fetchall())


def contents(queryset):
    return sorted(queryset.values_list("content", flat=True))


@pytest.mark.req("S0-07", "S0-08", "S1-07", "S1-37")
def test_a_scope_sees_what_is_linked_to_its_user_in_its_space(rows, scope, others):
    assert contents(Memory.objects.visible_to(scope)) == [
        "Ann at Home",
        "Bob at Home, linked elsewhere",
    ]
    assert selected(visible_own_sql("m"), scope) == ["Ann at Home"]
    bob, office, external, _ = others
    assert contents(Memory.objects.visible_to(bob)) == [
        "Ann at Home, linked elsewhere",
        "Bob at Home",
    ]
    assert contents(Memory.objects.visible_to(office)) == ["Ann at Office"]
    assert contents(Memory.objects.visible_to(external)) == []


def test_a_scope_owns_its_memories_linked_or_not(rows, scope):
    assert contents(Memory.objects.owned_by(scope)) == [
        "Ann at Home",
        "Ann at Home, linked elsewhere",
        "Ann at Home, unlinked",
    ]


def test_without_a_user_nothing_is_owned_or_seen(rows, others):
    guest = others[-1]
    assert guest.user_id is None
    assert contents(Memory.objects.owned_by(guest)) == []
    assert contents(Memory.objects.visible_to(guest)) == []


def test_the_sql_selects_the_rows_of_the_filters(rows, scope, others):
    for whose in (scope, *others):
        owned = contents(Memory.objects.owned_by(whose))
        own = selected(visible_own_sql("m"), whose)
        assert selected(owned_sql("m"), whose) == owned
        assert selected(visible_own_sql("m", few=True), whose) == own
        assert selected(f"{owned_sql('m')} AND {linked_sql('m')}", whose) == own
        seen = contents(Memory.objects.visible_to(whose))
        assert sorted(own + selected(lent_sql("m"), whose)) == seen
