"""Whom facts are about, and how they are shown."""
# ruff: noqa: RUF001 - Russian letters are meant

import pytest

from memory.wording.subjects import OF_USER, shown_text, subject_of
from tests.corpus import each_of


@each_of(
    ("fact", "read"),
    [
        ("User lives in Bergen", "Lives in Bergen"),
        ("User's mother has type 2 diabetes", "Mother has type 2 diabetes"),
        ("User’s dog barks", "Dog barks"),
        ("The user's sister is a nurse", "Sister is a nurse"),
        ("Użytkownik mieszka w Krakowie", "Mieszka w Krakowie"),
        ("Użytkowniczka jest uczulona na orzechy", "Jest uczulona na orzechy"),
        ("Brat użytkownika ma psa", "Brat użytkownika ma psa"),
        ("Пользователь живёт в Казани", "Живёт в Казани"),
        ("У пользователя аллергия", "Аллергия"),
        ("Nutzer wohnt in Köln", "Wohnt in Köln"),
        ("L'utilisateur est pompier", "Est pompier"),
        ("用户住在成都", "住在成都"),
        ("Users of aspirin bleed", "Users of aspirin bleed"),
        ("I live in Bergen", "I live in Bergen"),
        ("Leo has a peanut allergy", "Leo has a peanut allergy"),
        ("User", "User"),
        ("", ""),
    ],
)
def test_fact_is_shown_without_the_user_at_its_beginning(fact, read):
    assert shown_text(fact) == read


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
    ["User likes dogs", "Użytkowniczka ma kota", "User's job is hard"],
)
def test_fact_is_about_the_user(fact):
    assert subject_of(fact) == OF_USER


def test_other_subjects_are_not_known():
    assert subject_of("Leo has a peanut allergy") is None
