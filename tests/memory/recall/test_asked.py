"""Whom a question is about, and whose facts come first."""

from uuid import uuid4

import pytest

from memory.recall.asked import AskedAbout, whom_asked
from memory.subjects import USER, Household, Subject
from memory.wording.subjects import asked_about
from tests.corpus import each_of

MIA = Subject("daughter", "Mia", uuid4())
HOME = Household(people=[MIA], relatives=[Subject("mother"), Subject("", "Leo")])


def test_name_without_a_relation_may_not_be_a_relative_without_a_name():
    found = asked_about("What is Leo allergic to?", HOME)
    assert found == Subject("", "Leo")
    assert not Subject("mother").is_same(found)


@pytest.mark.parametrize(
    "question", ["Quali medicine prende mia madre?", "Mia madre prende ramipril?"]
)
def test_mine_in_italian_is_not_mia(question):
    assert asked_about(question, HOME) == Subject("mother")


@pytest.mark.parametrize(
    ("question", "earlier", "whose"),
    [
        ("And the allergies?", ["Which medicines does my mother take?"], "mother"),
        ("And since when?", ["And the dose?", "What does Leo take?"], "Leo"),
        ("What does she take?", ["Ok?", "Has my mother asthma?"], "mother"),
        ("Zeig mir meine Allergien", [], ""),
        ("Hat Leo Allergien?", ["Was nimmt meine Mutter?"], "Leo"),
        ("Darf ich Jod bekommen?", ["Was nimmt meine Mutter?"], ""),
        ("Which medicines does Zoe take?", [], "Zoe"),
    ],
)
def test_follow_up_is_about_whom_the_question_before_was_about(
    question, earlier, whose
):
    assert whom_asked(question, HOME, earlier).subject == Subject.read(whose)


@pytest.mark.parametrize(
    "question", ["Which illnesses run in my family?", "Who is allergic to nuts?"]
)
def test_question_about_all_is_about_no_one(question):
    assert whom_asked(question, HOME).subject is None


def test_question_without_a_name_is_about_the_person_of_the_conversation():
    there = HOME.with_about(MIA.person_id)
    assert whom_asked("Any allergies?", there, ["What do I take?"]).subject == MIA
    assert whom_asked("What do I take?", there).subject == USER


def test_parents_are_mother_and_father():
    asked = whom_asked("Which medicines do my parents take?", HOME)
    assert asked.means(Subject("mother"))
    assert not asked.means(USER)


@each_of(
    ("asked", "text", "may_be"),
    [
        (USER, "She is allergic to shellfish", False),
        (USER, "Allergic to shellfish", True),
        (USER, "Mia and I are allergic to nuts", True),
        (Subject("neighbour"), "She takes Bactrim", True),
        (Subject("father"), "Blood group 0 positive, my brother", False),
        (Subject("father"), "My father or my brother has it", True),
    ],
)
def test_unsure_fact_answers_where_its_words_leave_it_open(asked, text, may_be):
    assert AskedAbout("", asked).may_mean(text) is may_be


@each_of(
    "question",
    [
        "What does Grandma Helena take?",
        "Helena: what must I heed?",
        "Does grandma take warfarin?",
        "Was nimmt Helena?",
    ],
)
def test_person_whose_name_has_a_relation_is_known_by_either(question):
    helena = Subject("grandmother", "Grandma Helena", uuid4())
    assert whom_asked(question, Household([helena, MIA])).subject == helena
