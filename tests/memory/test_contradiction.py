import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.capture.contradiction import contradicts, cues
from memory.words import tokens

PAIRS = [
    ("User lives in NY", "User lives in LA"),
    ("User lives in NY", "User moved to LA"),
    ("User lives in Poland", "User lives in France"),
    ("User weighs 80 kg", "User weighs 82 kg"),
    ("User is 34 years old", "User is 35 years old"),
    ("User is called Ann", "User's name is Kate"),
    ("User's name is Ann", "User's name is Kate"),
    ("User's GP is Dr. Kowalska", "User's GP is Dr. Nowak"),
    ("User's favourite tea is mint", "User's favorite tea is sage"),
    ("User is married to Jan", "User is divorced"),
    ("User smokes", "User does not smoke"),
    ("User smokes", "User quit smoking"),
    ("User smokes 10 cigarettes a day", "User stopped smoking"),
    ("User's mother is 60 years old", "User's mother is 61 years old"),
    ("Mąż użytkowniczki mieszka w Łodzi", "Mąż użytkowniczki przeniósł się do Torunia"),
    ("User is vegetarian", "User is not vegetarian"),
    ("User is vegetarian", "User is no longer vegetarian"),
    ("User eats meat", "User doesn't eat meat"),
    ("User prefers tea over coffee", "User prefers coffee to tea"),
    ("User's mother lives in Kraków", "User's mother moved to Gdynia"),
    ("Użytkownik mieszka w Krakowie", "Użytkownik przeprowadził się do Gdyni"),
    ("Użytkownik waży 80 kg", "Użytkownik waży 82 kg"),
    ("Użytkownik je mięso", "Użytkownik nie je mięsa"),
    ("Użytkownik pije kawę", "Użytkownik nie pije kawy"),
    ("Użytkownik ma uczulenie na jod", "Użytkownik nie ma uczulenia na jod"),
    ("Użytkownik bierze metforminę", "Użytkownik nie bierze metforminy"),
    ("User is allergic to latex", "User is not allergic to latex after all"),
    ("User takes aspirin", "User does not take aspirin any more"),
    ("User can eat gluten", "User cannot eat gluten"),
    ("User can eat gluten", "User can't eat gluten"),
    ("User's blood type is A+", "User's blood type is A-"),
    ("User lives in Paris", "The user lives in Berlin"),
    ("The user eats meat", "User does not eat meat"),
    ("User's e-mail is a@example.com", "User's e-mail is b@example.com"),
    ("Пользователь живёт в Москве", "Пользователь переехал в Казань"),
]


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_a_new_value_contradicts_the_old_one_both_ways(old, new):
    assert contradicts(new, old)
    assert contradicts(old, new)


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_the_old_one_holds_what_it_is_found_by(old, new):
    words, query = tokens(old), cues(new)
    held = [
        any(word.startswith(cue) for word in words)
        for cue in re.findall(r"'(\w+)':\*", query)
    ]
    assert any(held) if "|" in query else held and all(held)


def test_who_it_is_about_is_no_telling_word():
    assert cues("User does not eat meat") == "'meat':* & 'eat':*"
    assert cues("User does not") == "'user':*"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User lives in NY", "User lives in NY"),
        ("User lives in NY", "user lives in ny."),
        ("User's mother lives in NY", "User lives in LA"),
        ("User lives in a flat", "User lives in Warsaw"),
        ("User lives in NY in winter", "User lives in LA"),
        ("User drinks tea", "User drinks coffee"),
        ("User likes Anna", "User likes Maria"),
        ("User is allergic to ibuprofen", "User is allergic to aspirin"),
        ("User had surgery in May", "User had surgery in June"),
        ("User eats meat", "User does not eat fish"),
        ("User works as a nurse", "User works in Gdynia"),
        ("User weighs 80 kg", "User is 180 cm tall"),
        ("User prefers tea over coffee", "User prefers tea over juice"),
        ("User's daughter is named Zosia", "User's daughter is named Ola"),
        ("User's daughter's name is Zosia", "User's daughter's name is Ola"),
        ("User's brother lives in London", "User's brother lives in Paris"),
        ("User's brother smokes", "User's brother does not smoke"),
        ("User's son is 5 years old", "User's son is 8 years old"),
        ("User works as a nurse", "User works as a teacher"),
        ("User lives in Warsaw", "User lives in Poland"),
        ("Użytkownik mieszka w Warszawie", "Użytkownik mieszka w Polsce"),
        ("Пользователь живёт в Москве", "Пользователь живёт в России"),
        ("Brat użytkownika nazywa się Jan", "Brat użytkownika nazywa się Adam"),
        ("Syn użytkownika ma 5 lat", "Syn użytkownika ma 8 lat"),
        ("Пользователь работает врачом", "Пользователь работает зимой"),
        ("User smokes cannabis", "User quit smoking"),
        ("User does not smoke", "User quit smoking"),
        ("User is married", "User is married to Ann"),
        ("User weighs 80 kg", "User weighs 176 lbs"),
        ("User lives in New York", "User lives in New York City"),
        ("User's GP is Dr Smith", "User's GP is Dr. Smith"),
        ("User's name is Katarzyna", "User goes by Kasia"),
        ("User's GP is Dr. Nowak", "User's GP is on holiday"),
        ("User's blood type is AB negative", "User's blood type is rare"),
        ("User's blood type is A", "User's blood type is A+"),
        ("User prefers to be called Kate", "User goes by bike to work"),
        ("User's name is Agnieszka", "User's name is hard to pronounce"),
        ("User's e-mail is a@example.com", "User's e-mail is full"),
        ("User's address is Long Street 4", "User's address is confidential"),
        ("User's age is 34", "User's age is a secret"),
        ("User's favorite food is sushi", "User's favorite food is expensive"),
        ("User is called Ann", "User is called to jury duty"),
        ("User lives in Toronto", "User lives in Ontario"),
        ("User lives in Chicago", "User lives in Illinois"),
        ("User lives in Taipei", "User lives in Taiwan"),
        ("User lives in Palermo", "User lives in Sicily"),
        ("No", "Yes"),
        ("", "not"),
    ],
)
def test_what_can_be_true_together_stays(old, new):
    assert not contradicts(new, old)
    assert not contradicts(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User lives in New York", "User now lives in the Netherlands"),
        ("User works as a nurse", "User now works as a teacher"),
        ("Użytkownik pracuje jako kucharz", "Użytkownik teraz pracuje jako kierowca"),
    ],
)
def test_what_may_be_true_together_gives_way_to_a_sentence_that_says_so(old, new):
    assert contradicts(new, old)
    assert not contradicts(old, new)


@given(st.text(max_size=60))
def test_nothing_contradicts_itself(text):
    assert not contradicts(text, text)


@given(st.text(max_size=60))
def test_cues_are_plain_words(text):
    for piece in filter(None, re.split(r" [|&] ", cues(text))):
        assert re.fullmatch(r"'[^\W_]+':\*", piece)
