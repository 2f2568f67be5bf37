# ruff: noqa: RUF001 - Turkish letters are meant
"""Case, accents and signs of typography do not keep a word from being found."""

import unicodedata
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import TextField, Value
from hypothesis import given
from hypothesis import strategies as st

from meddie.ai import embeddings
from memory import service
from memory.models import Memory
from memory.models.embedded import folded_text
from memory.recall.query import matching
from memory.recall.recall import prepare_query, recall
from memory.wording.words import plain, tokens
from tests.factories import MemoryFactory, ProfileFactFactory

pytestmark = pytest.mark.django_db
LINES = (Path(__file__).parent / "spellings.txt").read_text("utf-8").splitlines()
TYPED = [tuple(line.split("|")[1:]) for line in LINES if not line.startswith("#")]
FORMS = ("NFC", "NFD")
# Characters that both know, Python 3.11 and PostgreSQL 15.
CHARACTERS = st.characters(exclude_categories=("Cs", "Cn", "Co", "Cc"))
TEXTS = st.text(st.sampled_from("iİıIŁßẞæŒÿЁйЙ̆םْé̈ςΣ”—＠ﬁ² ") | CHARACTERS, max_size=40)


@pytest.fixture
def known(ann, home):
    """All sentences, of one user."""
    for sentence, _ in TYPED:
        MemoryFactory(user=ann, space=home, content=sentence)


def first_by_words(scope, query):
    found = recall(scope, prepare_query(query, embedder=embeddings.none()))
    return found.items[0].text if found.items else None


@pytest.mark.req("B-38")
@pytest.mark.parametrize("form", FORMS)
def test_word_is_found_as_it_is_typed(known, scope, form):
    missed = [
        (sentence, typed)
        for sentence, typed in TYPED
        if first_by_words(scope, unicodedata.normalize(form, typed)) != sentence
    ]
    assert missed == []


def test_decomposed_sentence_is_found_by_a_composed_word(ann, home, scope):
    stored = unicodedata.normalize("NFD", "Ząb mądrości boli.")
    MemoryFactory(user=ann, space=home, content=stored)
    assert first_by_words(scope, "mądrości") == stored


@pytest.mark.parametrize("typed", ["İBUPROFEN", "IŞIKLAR", "ırmak", "ÇAKIL"])
def test_turkish_word_is_found_first_by_meaning_and_words(ann, home, scope, typed):
    sentences = [sentence for sentence, _ in TYPED[:5]]
    vectors = embeddings.local().embed(sentences)
    for sentence, vector in zip(sentences, vectors, strict=True):
        MemoryFactory(user=ann, space=home, content=sentence, vector=vector)
    asked = dict(TYPED)
    expected = next(s for s, word in asked.items() if word == typed)
    assert service.search(scope, typed)[0].text == expected


def test_profile_facts_are_folded_alike(ann, home, scope):
    ProfileFactFactory(user=ann, space=home, key="şehir", value="IĞDIR")
    assert [one.text for one in service.search(scope, "ığdır")] == ["şehir: IĞDIR"]


@pytest.mark.parametrize(
    ("typed", "other"), [("neue", "nue"), ("Quelle", "qulle"), ("toe", "to")]
)
def test_e_after_a_vowel_is_not_always_an_umlaut(typed, other):
    assert f"'{other}'" not in matching(typed)


@given(TEXTS)
def test_python_and_postgresql_fold_alike(text):
    compiler = Memory.objects.all().query.get_compiler("default")
    sql, values = compiler.compile(folded_text(Value(text, TextField())))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql}", values)
        assert cursor.fetchone() == (plain(text),)
    assert plain(plain(text)) == plain(text)


@given(TEXTS)
def test_words_of_a_text_are_those_of_its_folded_form(text):
    words = [plain(word) for word in tokens(text)]
    assert words == tokens(plain(text))
