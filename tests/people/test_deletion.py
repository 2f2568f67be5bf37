"""When a space or an account goes, everything that was in it goes, and nothing else."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from conversations.models import Conversation, Message
from conversations.new_conversation import NotFound, Start
from conversations.reply.turn import begin
from memory.models import Memory
from memory.values import Candidate, Provenance
from people.deletion import delete_spaces, retry_on_conflict
from people.members import delete_accounts
from people.models import Person, Space, User
from people.person_list import delete_person
from people.scope import scope_for
from people.tasks import finish_deletions
from tests.conversations import transcripts
from tests.factories import (
    ApiKeyFactory,
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    UserFactory,
)
from tests.memory.conftest import remember
from tests.waiting import lock_is_awaited, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def live_in(member):
    """Leave something in every table."""
    user, space = member.user, member.space
    person = PersonFactory(space=space, user=user)
    update = ProfileUpdateFactory(person=person, author=user)
    InvitationFactory(space=space, invited_by=user)
    talk = transcripts.start_conversation(user, space, person=person)
    transcripts.exchange(talk, "I am vegetarian.", "Noted.")
    transcripts.say(talk, Message.Role.SYSTEM, "Saved", profile_update=update)
    scope = scope_for(user, space.pk, channel="web")
    provenance = Provenance(origin="inline", stated_at=timezone.now())
    remember(scope, [Candidate("User is vegetarian")], provenance)


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
    left = {"User": 2, "Space": 1, "Membership": 1, "Erasure": 1}
    assert counts() == before | left
    assert Memory.objects.count() == 1


@pytest.mark.req("B-19", "S2-06")
def test_deleting_an_account_takes_the_space_that_only_the_user_was_in(
    client, two_households
):
    before, gone = two_households
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    client.post(
        reverse("admin:people_user_delete", args=[gone.user_id]), {"post": "yes"}
    )
    assert not User.objects.filter(pk=gone.user_id).exists()
    after = counts()
    left = {"User": 2, "DeletedUser": 1, "Space": 1, "Membership": 1, "Erasure": 1}
    assert after == before | left


@pytest.mark.req("B-19")
def test_a_space_with_other_members_stays_without_the_deleted_user(
    client, two_households
):
    before, gone = two_households
    MembershipFactory(space=gone.space)
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    client.post(
        reverse("admin:people_user_delete", args=[gone.user_id]), {"post": "yes"}
    )
    after = counts()
    for name in ("Memory", "Conversation", "Message", "Invitation"):
        assert after[name] == before[name], name
    assert Space.objects.filter(pk=gone.space_id).exists()
    assert after["Person"] == before["Person"] + 1


def posted(client, url, sent):
    """The status; for a thread of its own, whose connection is closed."""
    try:
        return client.post(url, sent).status_code
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["page", "staff", "staff_list"])
def test_deleting_a_person_waits_for_a_reply_that_changes_the_notes(client, way):
    member = MembershipFactory(user__is_staff=True, user__is_superuser=True)
    person = PersonFactory(space=member.space)
    talk = transcripts.start_conversation(member.user, member.space, person=person)
    client.force_login(member.user)
    url, sent = {
        "page": (reverse("people:delete", args=[person.pk]), {}),
        "staff": (
            reverse("admin:people_person_delete", args=[person.pk]),
            {"post": "yes"},
        ),
        "staff_list": (
            reverse("admin:people_person_changelist"),
            {"action": "delete_selected", "_selected_action": person.pk, "post": "yes"},
        ),
    }[way]

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Person.objects.select_for_update().get(pk=person.pk)
            answer = pool.submit(posted, client, url, sent)
            wait_until(lock_is_awaited)
            Conversation.objects.filter(pk=talk.pk).update(title="Notes changed")
        assert answer.result() == 302
    talk.refresh_from_db()
    assert (talk.title, talk.person, talk.person_removed) == (
        "Notes changed",
        None,
        True,
    )


@pytest.mark.django_db(transaction=True)
def test_a_conversation_that_begins_during_the_deletion_loses_the_person(client):
    member = MembershipFactory()
    person = PersonFactory(space=member.space)
    client.force_login(member.user)
    url = reverse("people:delete", args=[person.pk])
    start = Start(person_id=person.pk)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            talk = begin(member.user, member.space_id, "Hello", start=start).message
            answer = pool.submit(posted, client, url, {})
            wait_until(lock_is_awaited)
        assert answer.result() == 302
    talk = Conversation.objects.get(pk=talk.conversation_id)
    assert (talk.person, talk.person_removed) == (None, True)
    assert talk.removed_person == person


@pytest.mark.django_db(transaction=True)
def test_no_conversation_begins_with_a_person_who_is_being_deleted():
    member = MembershipFactory()
    person = PersonFactory(space=member.space)

    def start():
        try:
            begin(member.user, member.space_id, "Hello", start=Start(person.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            delete_person(person)
            began = pool.submit(start)
            wait_until(lock_is_awaited)
        with pytest.raises(NotFound):
            began.result()
    assert not Conversation.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["space", "account"])
def test_messages_sent_during_the_deletion_are_deleted_too(client, what):
    member = MembershipFactory()
    talk = transcripts.start_conversation(member.user, member.space)
    transcripts.say(talk, Message.Role.USER, "Hello")
    staff = UserFactory(is_staff=True, is_superuser=True)
    client.force_login(member.user if what == "space" else staff)
    url, sent = {
        "space": (
            reverse("people:delete_space", args=[member.space_id]),
            {"name": member.space.name},
        ),
        "account": (
            reverse("admin:people_user_delete", args=[member.user_id]),
            {"post": "yes"},
        ),
    }[what]

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            # PostgreSQL ends the transaction that looks for the deadlock first. On a
            # busy machine that would be this one, which nothing repeats.
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL deadlock_timeout = '1min'")
            Conversation.objects.filter(pk=talk.pk).update(title="Going on")
            transcripts.say(talk, Message.Role.USER, "And another thing")
            answer = pool.submit(posted, client, url, sent)
            wait_until(lock_is_awaited)
        assert answer.result() == 302
    assert not Message.objects.exists()
    assert not Space.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_deleting_takes_as_long_as_it_takes():
    member = MembershipFactory()
    shown = []

    @retry_on_conflict
    def deleting():
        with connection.cursor() as cursor:
            cursor.execute("SHOW statement_timeout")
            shown.append(cursor.fetchone()[0])
        member.space.delete()

    deleting()
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert [*shown, cursor.fetchone()[0]] == ["0", "15s"]


@pytest.mark.req("S2-06")
@pytest.mark.parametrize("what", ["space", "account"])
def test_closed_rows_refuse_writers_and_a_task_finishes_a_killed_deletion(
    client, what, monkeypatch
):
    gone = MembershipFactory()
    live_in(gone)
    ApiKeyFactory(secret="own", user=gone.user, space=gone.space)
    client.force_login(gone.user)

    def killed(*_):
        raise SystemExit

    monkeypatch.setattr("people.deletion.finish_deletion", killed)
    monkeypatch.setattr("people.members.finish_deletion", killed)
    delete = {
        "space": partial(delete_spaces, [gone.space_id]),
        "account": partial(delete_accounts, [gone.user]),
    }
    with pytest.raises(SystemExit):
        delete[what]()
    monkeypatch.undo()
    assert Memory.objects.count() == 1
    for path in ("/v1/models", "/api/memory"):
        answer = client.get(path, headers={"Authorization": "Bearer own"})
        assert answer.status_code == 401
    answer = client.post(reverse("conversations:send"), {"text": "Hello"})
    assert answer.status_code in {302, 303, 401, 404}
    finish_deletions()
    assert not Memory.objects.exists()
    assert not Space.objects.filter(pk=gone.space_id).exists()
    assert User.objects.filter(pk=gone.user_id).exists() == (what == "space")
    finish_deletions()
