"""What the pages say of answers that used what has changed since."""

import pytest
from django.db import transaction
from django.urls import reverse

from conversations.models import Message
from conversations.reply.append_messages import append_line
from memory import service
from memory.models import MemoryUpdate
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.outdated.checking import (
    answered,
    correct,
    learn,
    run_checks,
)

pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "You have no penicillin allergy."


@pytest.fixture
def scope(ann, home):
    return scope_for(ann, home.pk, channel="web")


@pytest.fixture
def used(ann, home, scope):
    """An answer that used a fact, and the fact."""
    fact = learn(scope)
    return answered(ann, home, ANSWER, fact, title="Antibiotics"), fact


def shown(client, reply):
    return client.get(f"/chat/{reply.conversation_id}").text


def test_answer_is_marked_above_its_text_until_the_correction_is_undone(
    anns, used, scope
):
    reply, fact = used
    decision = correct(scope, fact)
    run_checks()
    page = shown(anns, reply)
    mark = "This answer used: “Is not allergic to penicillin”. You corrected that on"
    assert 0 < page.index(mark) < page.index(ANSWER)
    service.forget(scope, [decision.memory_id], undo=True)
    run_checks()
    assert mark not in shown(anns, reply)


def test_mark_of_a_forgotten_fact_says_nothing_of_it(anns, used, scope):
    reply, fact = used
    service.forget(scope, [fact.pk])
    run_checks()
    page = shown(anns, reply)
    assert "This answer used something that you told me. You asked me" in page
    assert "Is not allergic" not in page


def test_line_under_the_correction_counts_the_answers_and_leads_to_them(
    anns, ann, home, used, scope
):
    reply, fact = used
    conversation = transcripts.start_conversation(ann, home)
    correcting = transcripts.exchange(conversation, "I am allergic.", "All right.")
    decision = correct(scope, fact)
    assert MemoryUpdate.objects.get().old_id == fact.pk
    with transaction.atomic():
        kind = Message.LineKind.REMEMBERED
        line = append_line(correcting, "", [decision.memory_id], line_kind=kind)
    address = reverse("conversations:line", args=[line.pk])
    assert "earlier answer" not in anns.get(address).text
    run_checks()
    told = anns.get(address).text
    assert "1 earlier answer used this" in told
    assert reverse("conversations:message", args=[reply.pk]) in told
    assert "Antibiotics" in told


def test_memory_page_leads_to_the_answers_of_a_correction(
    anns, bobs, home, used, scope
):
    reply, fact = used
    home.memory_page = True
    home.save()
    correct(scope, fact)
    run_checks()
    address = reverse("memory_page:index")
    assert reverse("conversations:message", args=[reply.pk]) in anns.get(address).text
    assert str(reply.pk) not in bobs.get(address).text


def test_notices_are_turned_off_on_the_account_page(anns, ann):
    page = anns.get(reverse("people:account"))
    form = page.context["form"]
    data = {name: form[name].value() or "" for name in form.fields}
    del data["answer_notices"]
    anns.post(reverse("people:account"), data)
    ann.refresh_from_db()
    assert not ann.answer_notices
