"""Who speaks in a Telegram chat, and how members link their own."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from conversations.telegram import links
from conversations.telegram.links import AlreadyLinked, make_code, redeem, speaker
from conversations.telegram.models import TelegramLink, TelegramLinkCode
from people.scope import NotAMember
from tests.factories import (
    MembershipFactory,
    PersonFactory,
    SpaceFactory,
    TelegramLinkCodeFactory,
    TelegramLinkFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

ID = 4_503_599_627_370_495  # as large as Telegram makes them


@pytest.fixture
def ann(db):
    return MembershipFactory(user__name="Ann")


@pytest.fixture
def space(ann):
    return ann.space


class TestSpeaker:
    def test_linked_member_is_recognised(self, ann, space):
        anna = PersonFactory(space=space)
        link = TelegramLinkFactory(space=space, user=ann.user, person=anna)
        found = speaker(space.pk, link.telegram_id)
        assert (found.link_id, found.user, found.person) == (link.pk, ann.user, anna)

    @pytest.mark.req("S0-10", "S0-52")
    def test_id_without_a_user_has_no_memory(self, space):
        anna = PersonFactory(space=space)
        link = TelegramLinkFactory(space=space, user=None, person=anna)
        found = speaker(space.pk, link.telegram_id)
        assert (found.user, found.person) == (None, anna)

    def test_link_without_user_and_person_is_unknown(self, space):
        """What is left when the person of a link is deleted."""
        link = TelegramLinkFactory(space=space, user=None)
        assert speaker(space.pk, link.telegram_id) is None

    @pytest.mark.parametrize("telegram_id", [ID, 0, -1])
    def test_unlinked_id_is_unknown(self, space, telegram_id):
        assert speaker(space.pk, telegram_id) is None

    def test_link_is_valid_in_its_space_only(self, ann, space):
        other = SpaceFactory(members=[ann.user])
        link = TelegramLinkFactory(space=space, user=ann.user)
        assert speaker(other.pk, link.telegram_id) is None

    @pytest.mark.req("B-15", "B-19")
    def test_removed_member_is_unknown_at_once(self, ann, space):
        link = TelegramLinkFactory(space=space, user=ann.user)
        ann.delete()
        assert speaker(space.pk, link.telegram_id) is None

    def test_deactivated_member_is_unknown(self, ann, space):
        link = TelegramLinkFactory(space=space, user=ann.user)
        ann.user.is_active = False
        ann.user.save()
        assert speaker(space.pk, link.telegram_id) is None

    @pytest.mark.req("B-17")
    def test_a_person_of_another_space_is_left_out(self, ann, space):
        elsewhere = PersonFactory(space=SpaceFactory(members=[ann.user]))
        link = TelegramLinkFactory(space=space, user=ann.user, person=elsewhere)
        assert speaker(space.pk, link.telegram_id).person is None

    def test_a_deleted_person_leaves_the_link(self, ann, space):
        anna = PersonFactory(space=space)
        link = TelegramLinkFactory(space=space, user=ann.user, person=anna)
        anna.delete()
        assert speaker(space.pk, link.telegram_id).user == ann.user


class TestLinks:
    def test_an_id_is_linked_once_in_a_space_and_may_be_in_others(self, space):
        link = TelegramLinkFactory(space=space, telegram_id=ID)
        TelegramLinkFactory(telegram_id=ID)
        with pytest.raises(IntegrityError), transaction.atomic():
            TelegramLinkFactory(space=space, telegram_id=link.telegram_id)

    @pytest.mark.parametrize("telegram_id", [0, -100])
    def test_groups_have_no_links(self, space, telegram_id):
        with pytest.raises(IntegrityError), transaction.atomic():
            TelegramLinkFactory(space=space, telegram_id=telegram_id)

    def test_links_are_deleted_with_user_and_space(self, ann, space):
        TelegramLinkFactory(space=space, user=ann.user)
        TelegramLinkFactory(space=space, user=None)
        ann.user.delete()
        assert TelegramLink.objects.count() == 1
        space.delete()
        assert not TelegramLink.objects.exists()

    def test_block_keeps_its_first_time_until_it_is_cleared(self, space):
        link = TelegramLinkFactory(space=space)
        links.mark_blocked(link.pk)
        link.refresh_from_db()
        first = link.blocked_at
        links.mark_blocked(link.pk)
        link.refresh_from_db()
        assert link.blocked_at == first is not None
        links.clear_blocked(link.pk)
        link.refresh_from_db()
        assert link.blocked_at is None


class TestCodes:
    def test_code_fits_a_deep_link_and_only_its_hash_is_kept(self, ann, space):
        code = make_code(ann.user, space)
        assert re.fullmatch(r"[A-Za-z0-9_-]{43,64}", code)
        stored = TelegramLinkCode.objects.values().get()
        assert code not in {str(value) for value in stored.values()}

    def test_only_members_make_codes(self, space):
        with pytest.raises(NotAMember):
            make_code(UserFactory(), space)

    def test_code_links_its_sender_once_its_user_has_confirmed(self, ann, space):
        link = redeem(space.pk, ID, make_code(ann.user, space))
        assert speaker(space.pk, ID) is None
        links.confirm(link)
        found = speaker(space.pk, ID)
        assert (found.user, found.person) == (ann.user, None)

    def test_user_linked_to_a_person_speaks_as_that_person(self, ann, space):
        anna = PersonFactory(space=space, user=ann.user)
        assert redeem(space.pk, ID, make_code(ann.user, space)).person == anna

    def test_code_works_once(self, ann, space):
        code = make_code(ann.user, space)
        redeem(space.pk, ID, code)
        assert redeem(space.pk, ID, code) is None
        assert redeem(space.pk, ID + 1, code) is None
        assert TelegramLink.objects.count() == 1

    def test_code_expires_after_fifteen_minutes(self, ann, space):
        code = make_code(ann.user, space)
        with time_machine.travel(timezone.now() + timedelta(minutes=16)):
            assert redeem(space.pk, ID, code) is None

    def test_new_code_replaces_the_older_one(self, ann, space):
        elsewhere = SpaceFactory(members=[ann.user])
        old, other = make_code(ann.user, space), make_code(ann.user, elsewhere)
        new = make_code(ann.user, space)
        assert redeem(space.pk, ID, old) is None
        assert redeem(space.pk, ID, new) is not None
        assert redeem(elsewhere.pk, ID, other) is not None

    def test_code_is_invalid_in_another_space(self, ann, space):
        other = SpaceFactory(members=[ann.user])
        code = make_code(ann.user, space)
        assert redeem(other.pk, ID, code) is None
        assert redeem(space.pk, ID, code) is not None

    def test_code_of_a_removed_member_is_invalid(self, ann, space):
        code = make_code(ann.user, space)
        ann.delete()
        assert redeem(space.pk, ID, code) is None
        assert not TelegramLink.objects.exists()

    @pytest.mark.parametrize(
        "code", ["", "guess", "x" * 10_000, "\x00", "\ud800", "' OR 1=1 --"]
    )
    def test_unknown_code_links_no_account(self, ann, space, code):
        make_code(ann.user, space)
        assert redeem(space.pk, ID, code) is None
        assert not TelegramLink.objects.exists()

    def test_id_of_another_user_is_not_taken_over(self, ann, space):
        tom = TelegramLinkFactory(space=space)
        code = make_code(ann.user, space)
        with pytest.raises(AlreadyLinked):
            redeem(space.pk, tom.telegram_id, code)
        assert speaker(space.pk, tom.telegram_id).user == tom.user
        assert redeem(space.pk, ID, code).user == ann.user

    def test_id_of_another_person_is_not_taken_over(self, ann, space):
        zofia = PersonFactory(space=space)
        link = TelegramLinkFactory(space=space, user=None, person=zofia)
        with pytest.raises(AlreadyLinked):
            redeem(space.pk, link.telegram_id, make_code(ann.user, space))

    def test_id_linked_to_the_users_person_gets_the_user(self, ann, space):
        anna = PersonFactory(space=space, user=ann.user)
        link = TelegramLinkFactory(
            space=space, user=None, person=anna, blocked_at=timezone.now()
        )
        found = redeem(space.pk, link.telegram_id, make_code(ann.user, space))
        assert (found.pk, found.user, found.person) == (link.pk, ann.user, anna)
        assert found.is_pending
        link.refresh_from_db()
        assert link.blocked_at is None

    def test_linking_again_changes_nothing(self, ann, space):
        links.confirm(redeem(space.pk, ID, make_code(ann.user, space)))
        first = speaker(space.pk, ID)
        redeem(space.pk, ID, make_code(ann.user, space))
        assert speaker(space.pk, ID) == first is not None

    def test_user_may_link_several_accounts(self, ann, space):
        for telegram_id in (ID, ID - 1):
            redeem(space.pk, telegram_id, make_code(ann.user, space))
        assert ann.user.telegram_links.count() == 2


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_simultaneous_uses_of_a_code_links():
    ann = MembershipFactory()
    code = make_code(ann.user, ann.space)
    ready = Barrier(2)

    def send(telegram_id):
        ready.wait()
        try:
            return redeem(ann.space_id, telegram_id, code) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(send, [ID, ID - 1])) == [False, True]
    assert TelegramLink.objects.count() == 1


def test_codes_go_when_they_are_used_or_over():
    waits = TelegramLinkCodeFactory()
    TelegramLinkCodeFactory(used_at=timezone.now())
    TelegramLinkCodeFactory(expires_at=timezone.now())
    links.delete_expired_codes()
    assert list(TelegramLinkCode.objects.all()) == [waits]
