"""Answers that used a fact are marked once it is corrected or forgotten, and no others."""

import json
from contextlib import suppress
from datetime import timedelta
from itertools import count, cycle, islice

import pytest
from django.db import connection
from django.utils import timezone

from conversations.forgetting.deletion import delete_conversation
from conversations.models import (
    AnswerCheck,
    AttachmentText,
    Message,
    OutdatedAnswer,
)
from conversations.outdated.check import shares_words
from conversations.outdated.telling import marked_sentences
from memory import service
from memory.facts import store
from memory.models import Memory, MemoryPolicy
from memory.subjects import Subject
from memory.values import ProfileCandidate
from people.models import Membership
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.outdated.checking import (
    NEW,
    OLD,
    Killed,
    Killer,
    answered,
    correct,
    end_leases,
    learn,
    marked,
    run_checks,
)
from tests.conversations.receipts import receive
from tests.conversations.turns import ask, noting, write
from tests.factories import AttachmentFactory
from tests.memory.conftest import remember_lines, remember_profile, said
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.verdicts import replaces_other_numbers

pytestmark = pytest.mark.django_db(transaction=True)

RESTING = (
    "Yes, you can take amoxicillin: you have no penicillin allergy.",
    "Penicillin is fine for you.",
    "Since you aren't allergic to penicillin, that prescription is safe.",
    "Your doctor may give you **penicillin V**.",
    "As far as I know you are not allergic to anything of that family.",
)
OTHERS = (
    "Boil the eggs for seven minutes.",
    "The museum closes at six on Tuesdays.",
    "Try a walk before bed, and less light.",
    "You could plant the tomatoes in May.",
    "User manuals are in the drawer, it says.",
)


def kinds_of(ann, bob, home, office, fact, bobs):
    """Functions that make a conversation, and whether its answer is to be marked."""

    def old(text):
        reply = answered(ann, home, text, fact)
        long_ago = timezone.now() - timedelta(days=91)
        Message.objects.filter(pk=reply.pk).update(created_at=long_ago)

    def superseded(text):
        reply = answered(ann, home, text, fact)
        Message.objects.filter(pk=reply.pk).update(status="superseded")

    def left_out(text):
        receive(answered(ann, home, text), fact.pk, injected=False)

    return [
        (lambda text: answered(ann, home, text, fact), True),
        (lambda text: answered(ann, home, text, fact, channel="api"), True),
        (lambda text: answered(ann, home, text), False),
        (lambda text: answered(ann, office, text), False),
        (lambda text: answered(bob, home, text, bobs), False),
        (left_out, False),
        (old, False),
        (superseded, False),
    ]


def test_exactly_those_of_200_conversations_that_used_the_fact_are_marked(
    ann, bob, home, office, scope
):
    fact = learn(scope)
    bobs = learn(scope_for(bob, home.pk, channel="web"))
    expected = set()
    kinds = cycle(kinds_of(ann, bob, home, office, fact, bobs))
    texts = cycle([*RESTING, *OTHERS, "Penicillin, no allergy: noted."])
    for (converse, told), text in islice(zip(kinds, texts, strict=False), 200):
        reply = converse(text)
        if told and text not in OTHERS:
            expected.add(reply.pk)
    correct(scope, fact)
    run_checks()
    assert len(expected) == 26
    assert marked() == expected
    mark = OutdatedAnswer.objects.first()
    assert (mark.source, mark.change) == (fact.pk, "corrected")


def test_worker_that_is_killed_at_any_statement_leaves_the_same_marks(ann, home, scope):
    fact = learn(scope)
    used = answered(ann, home, RESTING[0], fact)
    answered(ann, home, OTHERS[0], fact)
    correct(scope, fact)
    for number in count(1):
        killer = Killer(number)
        with suppress(Killed), connection.execute_wrapper(killer):
            run_checks()
        end_leases()
        assert marked() in (set(), {used.pk})
        if killer.left > 0:
            break
    assert marked() == {used.pk}
    assert AnswerCheck.objects.get().state == "done"


def test_turn_that_corrects_is_not_an_earlier_answer(ann, home, openai_server):
    def judging(body):
        if "answers_using" in json.dumps(body):
            return says(json.dumps({"answers": [1, 2]}))
        return replaces_other_numbers(body)

    member = Membership(user=ann, space=home)
    openai_server.titles.default = judging
    openai_server.chat.queue(
        noting("Noted.", memory_saves=["User takes 20 mg of atorvastatin"]),
        says("You take 20 mg of atorvastatin."),
        noting(
            "You take 40 mg of atorvastatin now.",
            memory_saves=["User takes 40 mg of atorvastatin"],
        ),
    )
    write(ask(member, "I take 20 mg of atorvastatin."))
    used = write(ask(member, "How much atorvastatin do I take?"))
    write(ask(member, "I take 40 mg of atorvastatin now."))
    run_due()
    assert Memory.objects.active().get().content == "User takes 40 mg of atorvastatin"
    run_checks()
    assert marked() == {used.pk}


def test_undone_correction_takes_the_marks_away(ann, home, scope):
    fact = learn(scope)
    answered(ann, home, RESTING[0], fact)
    decision = correct(scope, fact)
    run_checks()
    assert marked()
    service.forget(scope, [decision.memory_id], undo=True)
    run_checks()
    assert not marked()


def test_fact_that_moves_to_another_marks_answers_until_it_moves_back(ann, home, scope):
    fact = learn(scope)
    used = answered(ann, home, RESTING[0], fact)
    answered(ann, home, OTHERS[0], fact)
    moved = service.assign(scope, [fact.pk], Subject("daughter", "Mia"))
    run_checks()
    assert marked() == {used.pk}
    (sentence,) = marked_sentences([used])[used.pk]
    assert "Whom it is about was corrected" in sentence
    later = answered(ann, home, "Mia may have penicillin: she has no allergy.", fact)
    service.assign(scope, [fact.pk], moved[fact.pk])
    run_checks()
    assert marked() == {later.pk}


def test_relative_who_gets_a_name_marks_nothing(ann, home, scope):
    fact = learn(scope)
    service.assign(scope, [fact.pk], Subject("daughter"))
    answered(ann, home, RESTING[0], fact)
    service.assign(scope, [fact.pk], Subject("daughter", "Mia"))
    run_checks()
    assert not marked()


def test_answer_to_about_whom_marks_answers_before_it(ann, home, scope):
    fact = learn(scope)
    Memory.objects.filter(pk=fact.pk).update(subject="?")
    used = answered(ann, home, RESTING[0], fact)
    service.assign(scope, [fact.pk], Subject("", "Leo"))
    run_checks()
    assert marked() == {used.pk}


def test_fuller_statement_marks_nothing(ann, home, scope):
    fact = learn(scope, "User takes atorvastatin")
    answered(ann, home, "You take atorvastatin.", fact)
    fuller = learn(scope, "User takes atorvastatin in the evening, with water")
    store.supersede(scope, Memory.objects.get(pk=fact.pk), fuller, "refined")
    run_checks()
    assert not marked()


def test_changed_profile_fact_marks_answers_that_used_it(ann, home, scope):
    (decision,) = remember_profile(
        scope, [ProfileCandidate("identity", "location", "Bergen")], said()
    )
    fact = type("Row", (), {"pk": decision.memory_id})

    def conversing(text):
        reply = answered(ann, home, text)
        receive(reply, fact.pk, kind="profile_fact", section="profile")
        return reply

    used, _other = (
        conversing("In Bergen it rains."),
        conversing("Your location is set."),
    )
    moved = ProfileCandidate("identity", "location", "Oslo", correction=True)
    remember_profile(scope, [moved], said())
    run_checks()
    assert marked() == {used.pk}


def test_answer_that_is_being_written_is_waited_for(ann, home, scope):
    fact = learn(scope)
    conversation = transcripts.start_conversation(ann, home)
    reply = transcripts.exchange(conversation, "And?", "", "streaming")
    correct(scope, fact)
    run_checks()
    assert AnswerCheck.objects.get().state == "waiting"
    Message.objects.filter(pk=reply.pk).update(content=RESTING[1], status="done")
    receive(reply, fact.pk)
    end_leases()
    run_checks()
    assert marked() == {reply.pk}


class TestModel:
    def test_it_decides_which_answers_used_what_was_known(
        self, ann, home, scope, openai_server
    ):
        fact = learn(scope)
        other = answered(ann, home, "Penicillin was found in 1928.", fact)
        used = answered(ann, home, "Yes, amoxicillin is safe for you.", fact)
        openai_server.titles.queue(says(json.dumps({"answers": [2]})))
        correct(scope, fact)
        run_checks()
        asked = json.loads(
            openai_server.titles.requests[-1].body["messages"][1]["content"]
        )
        assert asked["known"] == OLD
        assert [one["text"] for one in asked["answers"]] == [
            other.content,
            used.content,
        ]
        assert marked() == {used.pk}

    def test_shared_words_decide_where_it_gives_no_readable_answer(
        self, ann, home, scope, openai_server
    ):
        fact = learn(scope)
        used = answered(ann, home, RESTING[0], fact)
        openai_server.titles.default = lambda _body: says("Well…")
        correct(scope, fact)
        run_checks()
        assert marked() == {used.pk}

    def test_it_is_told_nothing_that_was_forgotten(
        self, ann, home, scope, openai_server
    ):
        fact = learn(scope)
        used = answered(ann, home, RESTING[0], fact)
        service.forget(scope, [fact.pk])
        run_checks()
        assert not openai_server.titles.requests
        assert marked() == {used.pk}


class TestForgotten:
    def test_mark_and_job_hold_nothing_of_the_text(self, ann, home, scope):
        fact = learn(scope)
        used = answered(ann, home, RESTING[0], fact)
        service.erase(scope, [fact.pk])
        assert marked() == {used.pk}  # before the text was erased
        run_checks()
        assert OutdatedAnswer.objects.get().change == "forgotten"
        assert marked() == {used.pk}
        assert "penicillin" not in str(list(AnswerCheck.objects.values()))
        assert "penicillin" not in str(list(OutdatedAnswer.objects.values()))

    def test_corrected_fact_that_is_forgotten_later_is_marked_so(
        self, ann, home, scope
    ):
        fact = learn(scope)
        answered(ann, home, RESTING[0], fact)
        decision = correct(scope, fact)
        run_checks()
        service.erase(scope, [decision.memory_id])
        run_checks()
        assert OutdatedAnswer.objects.get(source=fact.pk).change == "forgotten"


def test_user_who_wants_no_notices_gets_no_marks(ann, home, scope):
    ann.answer_notices = False
    ann.save()
    fact = learn(scope)
    answered(ann, home, RESTING[0], fact)
    correct(scope, fact)
    run_checks()
    assert not marked()


def test_deleted_file_marks_answers_elsewhere_that_quoted_it(ann, home):
    conversation = transcripts.start_conversation(ann, home)
    message = transcripts.say(conversation, "user", "My results.")
    file = AttachmentFactory(message=message)
    text = AttachmentText.objects.create(
        attachment=file,
        user=ann,
        space=home,
        kind="chunk",
        number=1,
        total=1,
        searchable=True,
        content="Laboratory of the town\nFerritin 9 µg/l\nHaemoglobin 13.1 g/dl",
        stated_at=timezone.now(),
    )
    quoting = answered(ann, home, "Your ferritin was 9 µg/l.")
    unlike = answered(ann, home, OTHERS[0])
    unread = answered(ann, home, "Ferritin 9 µg/l is low.")
    for reply, injected in ((quoting, True), (unlike, True), (unread, False)):
        kind = {"kind": "attachment", "section": "files"}
        receive(reply, text.pk, injected=injected, **kind)
    own = transcripts.exchange(conversation, "And?", "Ferritin: 9 µg/l.")
    receive(own, text.pk, kind="attachment", section="files")
    delete_conversation(conversation)
    assert marked() == {quoting.pk}
    assert OutdatedAnswer.objects.get().change == "file_deleted"


@pytest.mark.parametrize(
    ("fact", "answer", "rests"),
    [
        (OLD, "You have no penicillin allergy.", True),
        (NEW, "You might be better off without it.", False),
        ("User takes 20 mg of atorvastatin", "Take your 20 mg with water.", True),
        ("User takes 20 mg of atorvastatin", "It takes 20 minutes.", True),
        ("User takes 20 mg of atorvastatin", "That takes a while.", False),
        ("Użytkownik mieszka w Krakowie", "W Krakowie dziś pada.", True),
        ("Użytkownik mieszka w Krakowie", "Dziś pada.", False),
        (
            "ユーザーはペニシリンにアレルギーがある",
            "ペニシリンのアレルギーがあります。",
            True,
        ),
        ("User", "User", False),
    ],
)
def test_answer_rests_on_a_fact_with_half_of_its_words(fact, answer, rests):
    assert shares_words(fact, answer) is rests


def test_shared_line_that_another_removed_is_told_as_shared(ann, bob, home, scope):
    MemoryPolicy.objects.create(space=home, lore=True)
    provenance = service.Provenance("lore", timezone.now())
    remember_lines(scope, ["We eat at seven"], provenance)
    line = Memory.objects.get()
    replies = [answered(user, home, "You eat at seven.", line) for user in (ann, bob)]
    service.forget(scope, [line.pk])
    run_checks()
    told = marked_sentences(replies)
    assert len(told) == 2
    for sentences in told.values():
        assert "members of the household share. It was removed on" in sentences[0]
        assert "seven" not in sentences[0]
        assert "You asked" not in sentences[0]
