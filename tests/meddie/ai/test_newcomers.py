"""What 35 sentences of newcomers become without a model.

Statements that the rules do not read get an honest sentence, and never a list of others.
"""

import pytest

from tests.corpus import each_of
from tests.meddie.ai.test_offline import FACTS, block, reply

CANNOT = "I could not make a note of that without a model."
ENGLISH = {
    "Hi, I'm Anna, 42, and I live in Leeds with my husband and two kids.": [
        "User is Anna, 42",
        "User lives in Leeds with their husband and two kids",
    ],
    "I've had migraines since I was a teenager, usually before my period.": [
        "User has had migraines since they were a teenager, usually before their period"
    ],
    "My GP put me on sumatriptan last spring.": [
        "User was put on sumatriptan last spring"
    ],
    "I can't stand the smell of coffee.": ["User cannot stand the smell of coffee"],
    "I'm trying to lose about ten kilos before my sister's wedding in June.": [
        "User is trying to lose about ten kilos before their sister's wedding in June"
    ],
    "We're vegetarian at home but I eat fish when we go out.": [
        "User is vegetarian at home",
        "User eats fish when we go out",
    ],
    "Dad died of a heart attack at 58.": ["User's Dad died of a heart attack at 58"],
    "Penicillin gives me a rash.": ["User gets a rash from Penicillin"],
    "I work nights as a nurse, so my sleep is a mess.": [
        "User works nights as a nurse, so their sleep is a mess"
    ],
    "My knee has been killing me since Tuesday.": [],
    "I had my gallbladder out in 2019.": [],
    "There's a lot of breast cancer on my mum's side.": [
        "User's family has breast cancer on their mum's side"
    ],
    "I gave up smoking three years ago!": ["User gave up smoking three years ago"],
    "Actually it was four years ago that I stopped smoking.": [],
    "My son Leo has a peanut allergy and carries an EpiPen.": [
        "User's son Leo has a peanut allergy and carries an EpiPen"
    ],
    "I switched from sumatriptan to rizatriptan.": [],
    "My doctor is called Dr Patel and she's at the Hyde Park surgery.": [
        "User's doctor is called Dr Patel and she's at the Hyde Park surgery"
    ],
    "I don't drink alcohol any more.": ["User does not drink alcohol any more"],
}
POLISH = (
    "Cześć, mam na imię Kasia i mam 35 lat.",
    "Jestem uczulona na orzechy i na penicylinę.",
    "Od roku biorę Euthyrox na tarczycę.",
    "Mój tata miał zawał w wieku 60 lat.",
    "Nie jem mięsa od dwóch lat.",
)
POLISH_UNREAD = (
    "Źle śpię, bo pracuję na zmiany.",
    "W zeszłym roku urodziłam córkę.",
    "Przeprowadziłam się z Warszawy do Krakowa.",
)
QUESTIONS = (
    "My blood pressure was 145/92 this morning, should I worry?",
    "Can I take ibuprofen with sumatriptan?",
    "What medication am I on for migraines?",
    "Do you remember what my dad died of?",
    "what should I eat tonight?",
    "We moved to Manchester last month. What do you know about me?",
    "Czy mogę brać ibuprofen?",
    "Co o mnie wiesz?",
)


@each_of(("said", "facts"), ENGLISH.items())
def test_statement_becomes_facts_or_an_honest_sentence(said, facts):
    answer = reply(said, FACTS)
    assert block(answer).get("memory_saves", []) == facts
    assert (CANNOT in answer) is (not facts)
    assert "ibuprofen" not in answer.replace("allergic to …", "")


@each_of("said", POLISH)
def test_polish_statement_is_quoted(said):
    facts = block(reply(said, FACTS))["memory_saves"]
    assert all(fact.startswith("Użytkownik mówi: „") for fact in facts)


@pytest.mark.parametrize("said", POLISH_UNREAD)
def test_polish_statement_that_is_not_read_is_answered_honestly(said):
    answer = reply(said, FACTS)
    assert block(answer) == {}
    assert "nie potrafię tego zapisać" in answer
    assert "ibuprofen" not in answer


@each_of("said", QUESTIONS)
def test_questions_are_answered_with_what_is_remembered(said):
    assert "You are allergic to ibuprofen" in reply(said, FACTS)


@pytest.mark.parametrize(
    ("said", "forgets"),
    [
        ("please forget about the smoking", ["User gave up smoking three years ago"]),
        ("Forget the penicillin", ["User gets a rash from Penicillin"]),
    ],
)
def test_wish_to_forget_names_the_fact(said, forgets):
    facts = ("User gave up smoking three years ago", "User gets a rash from Penicillin")
    assert block(reply(said, facts)) == {"memory_forgets": forgets}
