"""The one table of languages, and the data by language that other modules hold."""

from conversations.emergencies import NOTE_TEXTS
from meddie.languages import ANSWERED, DENSE_LANGUAGES, LANGUAGES
from memory.wording import lexicon

CODES = [language.code for language in LANGUAGES]


def test_data_by_language_is_of_languages_in_the_table():
    tables = [
        table
        for name, table in vars(lexicon).items()
        if isinstance(table, dict) and name.isupper() and "en" in table
    ]
    assert len(tables) > 5
    for table in (*tables, lexicon.SHOWING, NOTE_TEXTS):
        assert set(table) <= set(CODES)


def test_each_dense_language_has_its_words_of_wishing():
    assert set(DENSE_LANGUAGES) <= set(lexicon.FORGETTING)


def test_each_code_is_listed_once_and_the_interface_is_answered_in():
    assert len(CODES) == len(set(CODES))
    assert {one.code for one in LANGUAGES if one.interface} <= set(ANSWERED)
