"""Deleting and restoring a person."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.models import Conversation, Thread
from conversations.telegram.links import speaker
from meddie.jobs.tasks import daily
from people.models import Person
from tests.factories import (
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    TelegramLinkFactory,
)
from tests.people.person_pages import names, url


class TestDelete:
    pytestmark = pytest.mark.usefixtures("admin")

    def test_it_asks_first(self, client, anna):
        assert "Delete Anna?" in client.get(url("delete", anna)).text
        assert Person.objects.in_space(anna.space_id).exists()

    def test_only_admins_delete_and_restore(self, client, anna):
        helper = Client()
        helper.force_login(MembershipFactory(space=anna.space, role="member").user)
        assert url("delete", anna) not in helper.get(url("person", anna)).text
        assert helper.get(url("delete", anna)).status_code == 404
        assert helper.post(url("delete", anna)).status_code == 404
        client.post(url("delete", anna))
        assert "Anna" not in helper.get("/people").text
        assert helper.post(url("restore", anna)).status_code == 404
        assert names(anna.space) == []

    def test_a_deleted_person_is_nowhere_but_among_the_deleted(self, client, anna):
        update = ProfileUpdateFactory(person=anna)
        answer = client.post(url("delete", anna), follow=True)
        assert answer.redirect_chain == [("/people", 302)]
        assert "Restore Anna" in answer.text
        assert "Anna" not in client.get("/chat/new").text
        for name in ("person", "edit", "history", "move", "delete"):
            assert client.get(url(name, anna)).status_code in {404, 405}, name
        for path in (url("move", anna), url("undo_update", update)):
            assert client.post(path).status_code == 404
        sent = {"text": "Hello", "person": anna.pk}
        assert client.post("/chat/send", sent).status_code == 404

    def test_a_restored_person_is_as_before(self, client, member, anna):
        talk, other = _conversation(member, anna), _conversation(member, None)
        client.post(url("delete", anna))
        page = client.post(url("restore", anna), follow=True)
        assert "Anna has been restored." in page.text
        assert "Asthma" in page.text
        for conversation in (talk, other):
            conversation.refresh_from_db()
        assert (talk.person, talk.person_removed) == (anna, False)
        assert (other.person, other.person_removed) == (None, False)
        assert client.post(url("restore", anna)).status_code == 404

    def test_the_place_of_a_linked_person_is_free_while_they_are_deleted(
        self, client, member, anna
    ):
        Person.objects.filter(pk=anna.pk).update(user=member.user)
        client.post(url("delete", anna))
        PersonFactory(space=member.space, user=member.user)
        client.post(url("restore", anna))
        anna.refresh_from_db()
        assert (anna.deleted_at, anna.user) == (None, None)

    def test_after_thirty_days_notes_and_history_go(self, client, anna):
        ProfileUpdateFactory(person=anna)
        client.post(url("delete", anna))
        for days, left in ((29, 1), (31, 0)):
            at = timezone.now() - timedelta(days=days)
            Person.objects.filter(pk=anna.pk).update(deleted_at=at)
            daily()
            assert Person.objects.count() == left

    @pytest.mark.req("B-16")
    @pytest.mark.parametrize("how", ["page", "queryset", "month"])
    def test_conversations_stay_and_say_that_the_person_is_gone(
        self, client, member, anna, how
    ):
        talk = _conversation(member, anna)
        other = _conversation(member, None)
        if how == "queryset":
            Person.objects.filter(pk=anna.pk).delete()
        else:
            client.post(url("delete", anna))
        if how == "month":
            Person.objects.deleted().erase()
        for conversation in (talk, other):
            conversation.refresh_from_db()
        assert (talk.person, talk.person_removed) == (None, True)
        assert (other.person, other.person_removed) == (None, False)
        client.get("/account")  # takes the message that names her
        page = client.get(reverse("conversations:show", args=[talk.pk])).text
        assert "The person profile is no longer available." in page
        assert "Anna" not in page

    def test_a_guest_of_telegram_is_not_answered_while_their_person_is_deleted(
        self, client, anna
    ):
        link = TelegramLinkFactory(space=anna.space, user=None, person=anna)
        client.post(url("delete", anna))
        assert speaker(anna.space_id, link.telegram_id) is None
        client.post(url("restore", anna))
        assert speaker(anna.space_id, link.telegram_id).person == anna

    def test_deleted_account_leaves_its_person(self, member, anna):
        MembershipFactory(space=anna.space)
        anna.user = member.user
        anna.save()
        member.user.delete()
        anna.refresh_from_db()
        assert anna.user is None


def _conversation(member, person):
    thread = Thread.objects.create(
        space=member.space, channel="web", external_id=uuid4().hex
    )
    return Conversation.objects.create(
        thread=thread,
        space=member.space,
        user=member.user,
        person=person,
        last_message_at=timezone.now(),
    )
