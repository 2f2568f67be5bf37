# ruff: noqa: RUF001 - Russian letters are meant
"""A forgotten fact does not come back in other words while the user says other things."""

from datetime import timedelta

import pytest
from django.utils import timezone

from meddie.ai import embeddings
from memory import service
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.imports import import_facts
from memory.facts.retraction import owner_scope
from memory.models import Memory
from memory.values import Candidate, ImportedFact
from tests.memory.conftest import known, reasons, remember, said

pytestmark = pytest.mark.django_db
FORGOTTEN = {
    "User is allergic to penicillin": """
        User has a penicillin allergy
        Penicillin causes the user an allergic reaction
        User cannot take penicillin because of an allergy
        User reacts allergically to penicillin
        User must avoid penicillin due to an allergy
        Penicillin allergy
        User's allergies include penicillin
        Użytkownik jest uczulony na penicylinę
        У пользователя аллергия на пенициллин
    """,
    "User lives in Gdańsk": """
        Gdańsk is where the user lives
        User's home is in Gdańsk
        User is a resident of Gdańsk
        User's place of residence is Gdańsk
        User has a flat in Gdańsk
    """,
    "Użytkownik choruje na astmę": """
        Użytkownik ma astmę
        U użytkownika stwierdzono astmę
        Astma użytkownika
        Użytkowniczka choruje na astmę oskrzelową
        Astma jest chorobą użytkownika
        User has asthma
    """,
    "Пользователь не ест мясо": """
        Пользователь не ест мяса
        Пользователь не употребляет мясо
        Пользователь отказался от мяса
        Пользователь избегает мяса
        Мясо пользователь не ест
        User does not eat meat
    """,
}
PARAPHRASES = [
    (fact, line.strip())
    for fact, lines in FORGOTTEN.items()
    for line in lines.strip().splitlines()
]
ELSEWHERE = "Thanks! What helps against a cold? Co na katar? Что от насморка?"
# It shares a word with every paraphrase and states none of them.
NEARBY = """\
What should I take for a headache? Is penicillin, an allergy or a home flat in Gdańsk bad?
Astma i choroba? Co na astmę? А мясо? Eating meat? Does asthma matter?"""
EARLIER = timezone.now() - timedelta(days=1)


@pytest.fixture
def save(scope):
    def save(fact, at=None, **how):
        local = embeddings.local()
        return remember(scope, [Candidate(fact)], said(at, **how), embedder=local)[0]

    return save


@pytest.fixture
def please_forget(scope):
    def please_forget(fact, at=None):
        wish = prepare_forgetting([fact], embedder=embeddings.local())
        return forget_stated(scope, wish, said(at))

    return please_forget


def test_there_are_26_paraphrases():
    assert len(PARAPHRASES) == 26


@pytest.mark.req("B-06")
@pytest.mark.parametrize("blanked", [False, True])
def test_no_paraphrase_returns_while_the_user_talks_about_something_else(
    save, please_forget, scope, blanked
):
    for fact in FORGOTTEN:
        save(fact, EARLIER)
        please_forget(fact)
    if blanked:
        for memory in Memory.objects.all():
            service.erase(owner_scope(memory), [memory.pk])
    for _, paraphrase in PARAPHRASES:
        assert save(paraphrase, user_text=ELSEWHERE).action == "reject", paraphrase
    assert known(scope) == []


def test_words_in_a_question_bring_back_only_what_the_model_finds_unlike(
    save, please_forget
):
    for fact in FORGOTTEN:
        save(fact, EARLIER)
        please_forget(fact)
    decisions = [save(paraphrase, user_text=NEARBY) for _, paraphrase in PARAPHRASES]
    assert sum(decision.action == "reject" for decision in decisions) >= 21


@pytest.mark.parametrize(
    ("forgotten", "message", "fact"),
    [
        (
            "User is allergic to penicillin",
            "I'm allergic to ibuprofen",
            "User is allergic to ibuprofen",
        ),
        ("User lives in Gdańsk", "I live in Kraków now.", "User lives in Kraków"),
        ("User lives in Gdańsk", "We moved to Kraków.", "User lives in Kraków"),
        ("User weighs 80 kg", "Today I'm at 75 kg", "User weighs 75 kg"),
        (
            "User works as a nurse",
            "I got a new job as a teacher",
            "User works as a teacher",
        ),
        ("User is allergic to nuts", "Eggs give me hives", "User is allergic to eggs"),
        (
            "Пользователь живёт в Москве",
            "Я переехал в Казань",
            "Пользователь живёт в Казани",
        ),
        (
            "User takes ramipril",
            "My doctor put me on bisoprolol today",
            "User takes bisoprolol",
        ),
        (
            "Użytkownik choruje na astmę",
            "Choruję na cukrzycę.",
            "Użytkownik choruje na cukrzycę",
        ),
        (
            "Пользователь живёт в Казани",
            "Я живу в Самаре.",
            "Пользователь живёт в Самаре",
        ),
    ],
)
def test_another_fact_that_the_user_states_is_stored(
    save, please_forget, scope, forgotten, message, fact
):
    save(forgotten, EARLIER)
    please_forget(forgotten)
    assert reasons([save(fact, user_text=message)]) == [("add", "new")]
    assert known(scope) == [fact]


@pytest.mark.parametrize(
    "message",
    [
        "Please forget penicillin. I'm allergic to ibuprofen.",
        "I am not allergic to penicillin, I'm allergic to ibuprofen.",
        "No, I'm allergic to ibuprofen!",
    ],
)
def test_correction_in_one_message_forgets_one_fact_and_stores_the_other(
    save, please_forget, scope, message
):
    save("User is allergic to penicillin", EARLIER)
    at = timezone.now()
    please_forget("User is allergic to penicillin", at)
    new = save("User is allergic to ibuprofen", at, user_text=message)
    assert reasons([new]) == [("add", "new")]
    assert known(scope) == ["User is allergic to ibuprofen"]


def test_regenerated_reply_to_an_older_message_brings_nothing_back(
    save, please_forget, scope
):
    message = "I'm allergic to penicillin"
    save("User is allergic to penicillin", EARLIER, user_text=message)
    please_forget("User is allergic to penicillin")
    for fact in ("User is allergic to penicillin", "User has a penicillin allergy"):
        again = save(fact, EARLIER, user_text=message)
        assert (again.action, again.reason) == ("reject", "retracted")
    assert known(scope) == []


@pytest.fixture
def bring(scope):
    """Import a fact from a file; the action."""

    def bring(fact):
        facts = [ImportedFact(Candidate(fact), timezone.now())]
        (decision,) = import_facts(scope, facts, embedder=embeddings.local())
        return decision.action

    return bring


@pytest.mark.req("B-06")
def test_few_paraphrases_return_from_a_file(save, please_forget, bring):
    for fact in FORGOTTEN:
        save(fact, EARLIER)
        please_forget(fact)
    returned = [line for _, line in PARAPHRASES if bring(line) != "reject"]
    # The encoder finds three less alike than a tombstone wants; "due" is two in Italian.
    assert set(returned) <= {
        "User must avoid penicillin due to an allergy",
        "Astma użytkownika",
        "Astma jest chorobą użytkownika",
        "User has asthma",
    }


def test_other_facts_are_imported(save, please_forget, bring):
    for fact in (*FORGOTTEN, "User takes 5 mg of ramipril"):
        save(fact, EARLIER)
        please_forget(fact)
    for other in (
        "User lives in Gdynia",
        "User takes 10 mg of ramipril",
        "User's mother is allergic to penicillin",
        "User plays the violin",
    ):
        assert bring(other) == "add", other


@pytest.mark.req("B-06")
def test_erased_text_refuses_the_same_sentence_and_nothing_near_it(
    save, please_forget, bring
):
    for fact in (*FORGOTTEN, "User asks to list the allergies"):
        save(fact, EARLIER)
        please_forget(fact)
    for memory in Memory.objects.all():
        service.erase(owner_scope(memory), [memory.pk])
    for fact in FORGOTTEN:
        assert save(fact, user_text=NEARBY).reason == "retracted", fact
        assert bring(fact) == "reject", fact
    said = "My walnut allergy is back. Also asthma: COPD now."
    assert save("User has a walnut allergy", user_text=said).action == "add"
    for other in (
        "User is allergic to walnuts",
        "Użytkownik ma uczulenie na orzechy włoskie",
        "Пользователь не ест рыбу",
        "User lives in Gdynia",
    ):
        assert bring(other) == "add", other
