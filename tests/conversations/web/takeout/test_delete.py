"""A user deletes their own account."""

import os

import pytest
from django.contrib.auth import get_user

from conversations.models import Conversation
from memory.models import Memory
from people.models import DeletedUser, Person, Space, User
from tests.conversations import transcripts
from tests.factories import (
    PASSWORD,
    AttachmentFactory,
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    TelegramBotFactory,
)
from tests.whole_database import places_of

pytestmark = pytest.mark.django_db(transaction=True)
DELETE = "/account/delete"
WORD = f"quinsy{os.getpid()}"  # the folder of files is shared by all workers


@pytest.fixture
def member(transactional_db, client, settings, tmp_path):
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    member = MembershipFactory(user__email="ann@example.com", space__name="Home")
    client.force_login(member.user)
    return member


@pytest.fixture
def told(member):
    talk = transcripts.start_conversation(member.user, member.space, title="A cold")
    message = transcripts.exchange(talk, f"I have a {WORD}.", "I see.").answers
    AttachmentFactory(message=message, content=WORD.encode())
    MemoryFactory(user=member.user, space=member.space, content=f"User has a {WORD}")
    return talk


def delete(client, password=PASSWORD):
    return client.post(DELETE, {"password": password})


@pytest.mark.req("S2-06")
def test_everything_goes_and_the_session_ends(client, member, told):
    answer = delete(client)
    assert answer.headers["Location"].startswith("/account/deleted?proof=")
    assert not get_user(client).is_authenticated
    assert "Your account is deleted" in client.get("/account/deleted").text
    assert places_of(WORD) == set()
    assert not User.objects.exists()
    assert not Space.objects.exists()
    assert DeletedUser.objects.get().pk == member.user_id


def test_page_counts_what_goes_and_names_what_stays(client, member, told):
    shared = MembershipFactory(user=member.user, role="member", space__name="Club")
    MembershipFactory(space=shared.space)
    PersonFactory(space=member.space)
    page = client.get(DELETE).text
    for sentence in (
        "1 conversation<",
        "2 messages<",
        "1 fact about you<",
        "1 file<",
        "1 person with their notes<",
        "The household “Home”",
        "People and their notes in “Club”",
        "Back-ups",
    ):
        assert sentence in page
    assert "The household “Club”" not in page


def test_page_counts_what_the_user_told_a_whole_space(client, member):
    MemoryFactory(
        user=None,
        told_by=member.user,
        linked=False,
        space=member.space,
        audience="space",
        kind="lore",
        content="The code is 4711",
    )
    assert "1 fact that you told a whole household<" in client.get(DELETE).text


def test_shared_people_stay_with_the_other_members(client, member):
    other = MembershipFactory(space=member.space)
    me = PersonFactory(space=member.space, user=member.user, health_notes="- Asthma")
    delete(client)
    assert Person.objects.get() == me
    assert Person.objects.get().user is None
    assert User.objects.get() == other.user


def test_wrong_password_deletes_nothing(client, member, told):
    page = delete(client, "wrong")
    assert page.status_code == 422
    assert "This is not your password." in page.text
    assert Conversation.objects.exists()


def test_guessing_is_throttled_like_signing_in(client, member, settings):
    settings.AXES_FAILURE_LIMIT = 2
    assert [delete(client, "wrong").status_code for _ in range(2)] == [422, 429]
    assert delete(client).status_code == 429
    assert User.objects.exists()


def test_last_admin_has_to_hand_over_first(client, member, told):
    MembershipFactory(space=member.space, role="member")
    page = client.get(DELETE).text
    assert "would be left without an admin" in page
    assert 'name="password"' not in page
    assert delete(client).status_code == 409
    assert Memory.objects.exists()


def test_bot_has_to_be_disconnected_first(client, member, told):
    TelegramBotFactory(space=member.space)
    assert "has a Telegram bot" in client.get(DELETE).text
    assert delete(client).status_code == 409
    assert Memory.objects.exists()


def test_looking_deletes_nothing_and_visitors_sign_in(client, member):
    assert client.get(DELETE).status_code == 200
    assert User.objects.exists()
    client.logout()
    assert delete(client).headers["Location"].startswith("/sign-in")
    assert User.objects.exists()
