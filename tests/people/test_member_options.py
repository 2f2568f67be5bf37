"""How commands are told whom and which space they are about."""

import pytest
from django.core.management import CommandError, call_command

from people.models import ApiKey
from tests.factories import MembershipFactory, SpaceFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def member():
    return MembershipFactory(
        user__email="ann@example.com", user__name="Ann Lee", space__name="Home"
    )


def space_of_key(*arguments):
    """The space of the key that the command makes."""
    call_command("create_api_key", *map(str, arguments))
    return ApiKey.objects.latest("created_at").space


@pytest.mark.parametrize("named", ["email", "name", "pk"])
def test_user_is_named_by_address_name_or_key(member, named):
    told = getattr(member.user, named)
    assert space_of_key("--user", told) == member.space
    assert space_of_key("--user", str(told).upper()) == member.space


def test_space_is_named_by_name_or_key_where_there_are_several(member):
    other = MembershipFactory(user=member.user, space__name="Office").space
    for told in (other.pk, "Office", "office"):
        assert space_of_key("--user", "ann@example.com", "--space", told) == other


def test_user_of_several_spaces_is_told_them(member):
    other = MembershipFactory(user=member.user, space__name="Office").space
    SpaceFactory(name="Of others")
    for arguments in ([], ["--space", "Of others"]):
        with pytest.raises(CommandError) as refused:
            space_of_key("--user", "ann@example.com", *arguments)
        for space in (member.space, other):
            assert f"{space.pk} ({space.name})" in str(refused.value)


def test_name_that_several_have_is_refused_with_their_keys(member):
    other = UserFactory(name="Ann Lee", email="lee@example.com")
    with pytest.raises(CommandError, match="name one by address or key") as refused:
        space_of_key("--user", "Ann Lee")
    for user in (member.user, other):
        assert f"{user.pk} ({user.email})" in str(refused.value)


def test_mcp_ends_with_the_spaces_to_choose_from(member):
    MembershipFactory(user=member.user, space__name="Office")
    with pytest.raises(CommandError, match=r"name one: .*\(Home\); .*\(Office\)"):
        call_command("mcp", "--user", "ann@example.com")
