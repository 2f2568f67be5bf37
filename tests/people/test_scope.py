"""Who gets a Scope, and what it allows."""

import pytest

from people.models import Space
from people.scope import NotAMember, retraction_scope, scope_for
from tests.factories import MembershipFactory, SpaceFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_a_member_reads_and_writes():
    member = MembershipFactory(role="member")
    scope = scope_for(member.user, member.space_id, channel="web")
    assert (scope.user_id, scope.space_id) == (member.user_id, member.space_id)
    assert (scope.reads, scope.writes, scope.channel) == (True, True, "web")


@pytest.mark.req("B-23")
def test_a_conversation_not_to_be_remembered_reads_and_does_not_write():
    member = MembershipFactory()
    scope = scope_for(member.user, member.space_id, channel="web", remember=False)
    assert (scope.reads, scope.writes) == (True, False)


@pytest.mark.req("S0-10", "S0-52")
def test_without_a_user_there_is_no_memory():
    space = SpaceFactory()
    scope = scope_for(None, space.pk, channel="telegram")
    assert (scope.user_id, scope.reads, scope.writes) == (None, False, False)


@pytest.mark.req("B-23")
def test_memory_switched_off_neither_reads_nor_writes():
    member = MembershipFactory(user__memory_on=False)
    scope = scope_for(member.user, member.space_id, channel="web")
    assert (scope.user_id, scope.reads, scope.writes) == (None, False, False)


@pytest.mark.req("S3-14")
def test_memory_that_a_space_switched_off_is_off_for_its_members_there():
    member = MembershipFactory(space__memory_on=False)
    elsewhere = MembershipFactory(user=member.user)
    scope = scope_for(member.user, member.space_id, channel="web")
    assert (scope.user_id, scope.reads, scope.writes) == (None, False, False)
    assert scope_for(member.user, elsewhere.space_id, channel="web").reads


@pytest.mark.req("S3-63")
def test_memory_is_on_for_a_new_space():
    assert Space(name="Home").memory_on


@pytest.mark.req("B-19")
def test_a_removed_member_gets_no_scope_from_that_moment():
    member = MembershipFactory()
    scope_for(member.user, member.space_id, channel="web")
    member.delete()
    with pytest.raises(NotAMember):
        scope_for(member.user, member.space_id, channel="web")


@pytest.mark.req("B-19")
def test_an_inactive_user_gets_no_scope_even_from_an_object_fetched_before():
    member = MembershipFactory()
    stale = member.user
    type(stale).objects.filter(pk=stale.pk).update(is_active=False)
    with pytest.raises(NotAMember):
        scope_for(stale, member.space_id, channel="web")


@pytest.mark.req("S0-08")
def test_a_member_of_another_space_gets_no_scope_here():
    elsewhere = MembershipFactory()
    here = SpaceFactory()
    with pytest.raises(NotAMember):
        scope_for(elsewhere.user, here.pk, channel="web")


def test_a_stranger_without_memory_gets_no_scope_either():
    stranger = UserFactory(memory_on=False)
    space = SpaceFactory()
    with pytest.raises(NotAMember):
        scope_for(stranger, space.pk, channel="web")


def test_a_retraction_scope_never_writes_and_needs_no_membership():
    stranger = UserFactory(memory_on=False)
    space = SpaceFactory()
    scope = retraction_scope(stranger.pk, space.pk)
    assert (scope.user_id, scope.space_id) == (stranger.pk, space.pk)
    assert not scope.writes


@pytest.mark.req("S3-63")
def test_memory_is_on_for_a_new_user():
    member = MembershipFactory()
    assert scope_for(member.user, member.space_id, channel="web").reads
