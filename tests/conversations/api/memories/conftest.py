import pytest
from django.contrib.auth.models import Permission

from tests.conversations.api.memories.client import Memories
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory


@pytest.fixture
def member(transactional_db):
    return MembershipFactory(user__name="Ann")


@pytest.fixture
def ann(member, openai_server):
    return Memories(api_for(member))


@pytest.fixture
def bob(member, openai_server):
    """Another member of the same space."""
    other = MembershipFactory(space=member.space, role="member", user__name="Bob")
    return Memories(api_for(other))


@pytest.fixture
def proxy(member, openai_server):
    return api_for(member, trusted_proxy=True)


@pytest.fixture
def staff(member, openai_server):
    """The key of staff who may view and change all that is known."""
    other = MembershipFactory(
        space=member.space, role="member", user__is_staff=True, user__name="Sue"
    )
    names = ("view_memory", "view_profilefact", "view_conversation", "change_memory")
    other.user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return Memories(api_for(other))
