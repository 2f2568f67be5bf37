"""Whom facts are about, and how users read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.subjects import USER, as_fact, in_second_person, subject_of


@pytest.mark.parametrize(
    ("fact", "read"),
    [
        ("User is allergic to penicillin", "You are allergic to penicillin"),
        ("User's mother has diabetes", "Your mother has diabetes"),
        ("User takes ramipril every morning.", "You take ramipril every morning."),
        ("User was born in Leeds", "You were born in Leeds"),
        ("User studies law", "You study law"),
        ("User teaches maths", "You teach maths"),
        ("User goes to yoga", "You go to yoga"),
        ("User doesn't drink", "You don't drink"),
        ("User never smokes in bed", "You never smoke in bed"),
        ("User had an operation in 2019", "You had an operation in 2019"),
        ("User lives with their husband", "You live with your husband"),
        ("User has two cats", "You have two cats"),
        ("User looks after Grandma Helena", "You look after Grandma Helena"),
        ("User smokes", "You smoke"),
        ("User isn't vegan", "You aren't vegan"),
        ("User no longer eats meat", "You no longer eat meat"),
        ("User now lives in Oslo", "You now live in Oslo"),
        ("User also has a cat", "You also have a cat"),
        ("User broke their arm", "You broke your arm"),
        ("User takes their pills with their tea", "You take your pills with your tea"),
        ("User needs tea", "You need tea"),
        ("User lies awake at night", "You lie awake at night"),
        ("Użytkownik mieszka w Krakowie", "Mieszkasz w Krakowie"),
        ("Użytkownik ma na imię Jan", "Masz na imię Jan"),
        ("Użytkownik nie je mięsa", "Nie jesz mięsa"),
        ("Użytkowniczka jest uczulona na orzechy", "Jesteś uczulona na orzechy"),
        ("Użytkownik codziennie biega", "Codziennie biegasz"),
        ("Użytkownik urodził się w Łodzi", "Urodziłeś się w Łodzi"),
        ("Użytkowniczka urodziła się w Łodzi", "Urodziłaś się w Łodzi"),
        ("Mama użytkowniczki ma cukrzycę", "Twoja mama ma cukrzycę"),
        ("Tata użytkownika pali", "Twój tata pali"),
        ("Użytkownik mówi: „Mam kota”", "„Mam kota”"),
        ("Пользователь говорит: «Мой дом близко»", "«Мой дом близко»"),
    ],
)
def test_fact_is_read_in_the_second_person(fact, read):
    assert in_second_person(fact) == read


@pytest.mark.parametrize(
    "fact",
    [
        "User lives in Oslo and works nights",
        "User takes her pills in the evening",
        "User says that they are tired",
        "Users of aspirin bleed",
        "Leo has a peanut allergy",
        "Użytkownik mieszka w Krakowie i pracuje w szpitalu",
        "Użytkownik mieszkał w Łodzi i pracował w banku",
        "Użytkowniczka mieszkała w Łodzi i się przeprowadziła",
        "Użytkownik i jego żona mieszkają w Łodzi",
        "Użytkownik uczulony na orzechy",
        "Użytkowniczka uczulona na orzechy",
        "Użytkownik wysoki i szczupły",
        "name: User is fine",
    ],
)
def test_sentence_that_would_become_wrong_stays_as_it_is(fact):
    assert in_second_person(fact) == fact


@pytest.mark.parametrize(
    ("written", "fact"),
    [
        ("I live in Bergen", "User lives in Bergen"),
        ("You live in Bergen", "User lives in Bergen"),
        ("User lives in Bergen", "User lives in Bergen"),
        ("I'm allergic to nuts", "User is allergic to nuts"),
        ("I’ve two cats", "User has two cats"),
        ("I wasn't born in the US", "User wasn't born in the US"),
        ("I don't eat meat", "User doesn't eat meat"),
        ("I study law", "User studies law"),
        ("You never smoke", "User never smokes"),
        ("I broke my arm", "User broke their arm"),
        ("My mother has diabetes", "User's mother has diabetes"),
        ("Mieszkam w Krakowie", "Użytkownik mieszka w Krakowie"),
        ("Mieszkasz w Krakowie", "Użytkownik mieszka w Krakowie"),
        ("Nie jem mięsa.", "Użytkownik nie je mięsa."),
        ("Pracuję w szpitalu", "Użytkownik pracuje w szpitalu"),
        ("Jesteś lekarzem", "Użytkownik jest lekarzem"),
        ("Urodziłam się w Łodzi", "Użytkowniczka urodziła się w Łodzi"),
        ("Jestem bardzo zmęczona", "Użytkowniczka jest bardzo zmęczona"),
        ("Jestem na diecie", "Użytkownik jest na diecie"),
        ("Moja mama ma cukrzycę", "Mama użytkownika ma cukrzycę"),
        ("Lubię kawę.", "Użytkownik mówi: „Lubię kawę”"),
        ("„Lubię kawę”", "Użytkownik mówi: „Lubię kawę”"),
        ("«Мой дом близко»", "Пользователь говорит: «Мой дом близко»"),
    ],
)
def test_first_and_second_person_are_kept_in_the_third(written, fact):
    assert as_fact(written) == fact


@pytest.mark.parametrize(
    ("stored", "written", "fact"),
    [
        (
            "Użytkowniczka jest w ciąży",
            "Jesteś w drugiej ciąży",
            "Użytkowniczka jest w drugiej ciąży",
        ),
        (
            "Mąż użytkowniczki pali",
            "Twój mąż nie pali",
            "Mąż użytkowniczki nie pali",
        ),
        ("Użytkowniczka pali", "Mieszkam w Łodzi", "Użytkowniczka mieszka w Łodzi"),
        ("Użytkowniczka pali", "Paliłeś fajkę", "Użytkownik palił fajkę"),
        ("Użytkowniczka pali", "Jesteś uczulony", "Użytkownik jest uczulony"),
        ("Użytkowniczka pali", "I smoke", "User smokes"),
        ("Użytkownik pali", "Jesteś w Łodzi", "Użytkownik jest w Łodzi"),
    ],
)
def test_user_stays_a_woman_in_an_edited_fact(stored, written, fact):
    assert as_fact(written, stored) == fact


@pytest.mark.parametrize(
    "written",
    [
        "Bergen is my home",
        "Leo has a peanut allergy",
        "You and your wife live in Oslo",
        "My doctor told me to rest",
        "I have two cats and feed them",
        "Nasz dom jest duży",
        "Tomasz lubi kawę",
        "Adam pije kawę",
        "Problem z kolanem",
        "Mi madre es alta",
        "Ich wohne in Berlin",
    ],
)
def test_other_sentences_are_kept_as_they_are_written(written):
    assert in_second_person(as_fact(written)) == written


ENGLISH = st.tuples(
    st.sampled_from(["User", "User never", "User also", "User no longer"]),
    st.sampled_from(
        [
            "is",
            "has",
            "does",
            "lives",
            "works",
            "studies",
            "teaches",
            "goes",
            "misses",
            "needs",
            "took",
            "smoked",
            "can",
        ]
    ),
    st.sampled_from(["in Oslo", "their sister", "a cat and two dogs", "it at night"]),
)
POLISH = st.tuples(
    st.sampled_from(["Użytkownik", "Użytkownik nie", "Użytkownik często"]),
    st.sampled_from(
        ["mieszka", "ma", "je", "pije", "jest", "waży", "lubi", "pracuje", "był", "śpi"]
    ),
    st.sampled_from(["w Krakowie", "psa i kota", "80 kg", "na leku"]),
)


@given(st.one_of(ENGLISH, POLISH).map(" ".join))
def test_fact_is_the_same_after_it_was_read_and_written_again(fact):
    read = in_second_person(fact)
    assert read != fact
    assert as_fact(read) == fact


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("User's mother has diabetes", "User's mother"),
        ("User's second daughter is called Ada", "User's second daughter"),
        ("Mama użytkowniczki ma cukrzycę", "Mama"),
        ("User's dog is called Rex", "User's dog"),
    ],
)
def test_relative_is_named_by_the_first_words(fact, words):
    subject = subject_of(fact)
    assert subject is not None
    assert subject.words == words


def test_two_words_for_a_mother_are_one_subject():
    keys = {one.key for one in map(subject_of, ("User's mum", "User's mother")) if one}
    assert keys == {"mother"}


@pytest.mark.parametrize(
    "fact", ["Mama użytkowniczki ma cukrzycę", "Matka użytkownika", "User's mom is 70"]
)
def test_relative_has_one_key_in_all_languages(fact):
    subject = subject_of(fact)
    assert subject is not None
    assert subject.key == "mother"


@pytest.mark.parametrize(
    "fact",
    ["User likes dogs", "Użytkowniczka ma kota", "I am tall", "User's job is hard"],
)
def test_fact_is_about_the_user(fact):
    assert subject_of(fact) == USER


def test_other_subjects_are_not_known():
    assert subject_of("Leo has a peanut allergy") is None
