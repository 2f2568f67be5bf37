"""When a space or an account goes, everything that was in it goes, and nothing else."""

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from conversations.models import Message
from memory.capture.remember import remember
from memory.models import Memory
from memory.values import Candidate, Said
from people.models import Space, User
from people.scope import scope_for
from tests.conversations import talks
from tests.factories import (
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def live_in(member):
    """Leave something in every table."""
    user, space = member.user, member.space
    person = PersonFactory(space=space, user=user)
    update = ProfileUpdateFactory(person=person, author=user)
    InvitationFactory(space=space, invited_by=user)
    talk = talks.conversation(user, space, person=person)
    talks.exchange(talk, "I am vegetarian.", "Noted.")
    talks.say(talk, Message.Role.SYSTEM, "Saved", profile_update=update)
    scope = scope_for(user, space.pk, channel="web")
    said = Said(origin="inline", stated_at=timezone.now())
    remember(scope, [Candidate("User is vegetarian")], said)


def counts():
    return {
        model.__name__: model.objects.count()
        for app in ("people", "memory", "conversations")
        for model in apps.get_app_config(app).get_models()
    }


@pytest.fixture
def two_households(client):
    kept, gone = MembershipFactory(), MembershipFactory()
    live_in(kept)
    before = counts()
    live_in(gone)
    client.force_login(gone.user)
    return before, gone


def test_deleting_a_space_takes_everything_in_it(client, two_households):
    before, gone = two_households
    url = reverse("people:delete_space", args=[gone.space_id])
    client.post(url, {"name": gone.space.name})
    assert counts() == before | {"User": 2, "Space": 1, "Membership": 1}
    assert Memory.objects.count() == 1


@pytest.mark.req("B-19")
def test_deleting_an_account_takes_what_was_the_users_own(client, two_households):
    before, gone = two_households
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    client.post(
        reverse("admin:people_user_delete", args=[gone.user_id]), {"post": "yes"}
    )
    assert not User.objects.filter(pk=gone.user_id).exists()
    after = counts()
    for name in ("Memory", "Conversation", "Message"):
        assert after[name] == before[name], name
    assert Space.objects.filter(pk=gone.space_id).exists()
    assert after["Person"] == before["Person"] + 1
