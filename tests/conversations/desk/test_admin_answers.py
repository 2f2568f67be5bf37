"""What staff see of answers that used what has changed, and of models."""

import pytest
from django.urls import reverse

from conversations.models import ChatModel
from people.scope import scope_for
from tests.conversations.outdated import checking
from tests.factories import MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def staff(client, transactional_db):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    return client


def test_staff_let_a_model_that_wrote_no_block_start_again(staff):
    silent = ChatModel.objects.create(name="tiny", without_block=10)
    page = staff.get(reverse("admin:conversations_chatmodel_changelist")).text
    assert "tiny" in page
    address = reverse("admin:conversations_chatmodel_delete", args=[silent.pk])
    staff.post(address, {"post": "yes"})
    assert not ChatModel.objects.silent().exists()


def test_marks_of_outdated_answers_are_listed_without_texts(transactional_db, staff):
    member = MembershipFactory()
    scope = scope_for(member.user, member.space_id, channel="web")
    fact = checking.learn(scope)
    answer = "You have no penicillin allergy."
    reply = checking.answered(member.user, member.space, answer, fact)
    checking.correct(scope, fact)
    checking.run_checks()
    page = staff.get(reverse("admin:conversations_outdatedanswer_changelist")).text
    assert str(fact.pk) in page
    assert str(reply.conversation_id) in page
    assert "penicillin" not in page
