"""The offline resolver replaces only what cannot be true beside the newer fact."""

import json

from meddie.ai.offline.statements import find_replacements
from tests.corpus import each_of

EARLIER, LATER = "2026-01-01T12:00:00+00:00", "2026-02-01T12:00:00+00:00"


def targets(new, known, *, new_at=LATER, known_at=EARLIER):
    document = {
        "new": [{"n": 1, "text": new, "stated_at": new_at}],
        "known": [{"n": 1, "text": known, "stated_at": known_at}],
    }
    answer = find_replacements([{"role": "user", "content": json.dumps(document)}])
    return [(d["new"], d["action"], d["target"]) for d in answer["decisions"]]


@each_of(
    ("known", "new"),
    [
        ("User lives in NY", "User moved from NY to LA"),
        ("User now lives in New York", "The user moved from New York to Gdańsk."),
        ("Użytkownik mieszka w Łodzi", "Użytkownik nie mieszka już w Łodzi"),
        ("Пользователь живёт в Москве", "Пользователь больше не живёт в Москве"),
        ("User lives in NY", "User no longer lives in NY"),
        ("Użytkowniczka mieszka w Łodzi", "Użytkowniczka już nie mieszka w Łodzi"),
        ("User is 34 years old", "User is 35 years old"),
        ("Użytkownik ma 34 lata", "Użytkownik ma 35 lat"),
        ("Пользователю 34 года", "Пользователю 35 лет"),
        ("User weighs 80 kg", "User weighs 82 kg"),
        ("Użytkownik waży 80 kg", "Użytkownik teraz waży 82 kg"),
        ("Пользователь весит 80 кг", "Пользователь весит 82 кг"),
        ("User works as a nurse", "User no longer works as a nurse"),
        ("Użytkownik pracuje jako kucharz", "Użytkownik nie pracuje już jako kucharz"),
        ("User eats meat", "User does not eat meat"),
        ("User eats meat", "User doesn't eat meat"),
        ("User does not eat meat", "User eats meat"),
        ("User smokes", "User no longer smokes"),
        ("User is vegetarian", "User is no longer vegetarian"),
        ("User is allergic to latex", "User is not allergic to latex"),
        ("User has asthma", "User does not have asthma"),
        ("User can eat gluten", "User cannot eat gluten"),
        ("User watches football", "User doesn’t watch football"),
        ("Użytkownik je mięso", "Użytkownik nie je mięsa"),
        ("Użytkownik pije kawę", "Użytkownik już nie pije kawy"),
        ("Пользователь пьёт кофе", "Пользователь больше не пьет кофе"),
        ("Пользователь ест мясо", "Пользователь не ест мяса"),
    ],
)
def test_certain_changes_are_replacements(known, new):
    assert targets(new, known) == [(1, "replace", 1)]


BOTH_TRUE = [
    # a town and its region, a district, a second home, a state of health
    ("User lives in Toronto", "User lives in Ontario"),
    ("User lives in Warsaw", "User lives in Poland"),
    ("User lives in Lyon", "User lives in Auvergne"),
    ("User lives in Osaka", "User lives in Kansai"),
    ("User lives in Berlin", "User lives in Kreuzberg"),
    ("User lives in NY", "User lives in New York"),
    ("User lives in Lyon", "User now lives in Auvergne"),
    ("User lives in Berlin", "User now lives in Kreuzberg"),
    ("User lives in Paris", "User now lives in France"),
    ("User lives in NY", "User now lives in NYC"),
    ("Użytkownik mieszka w Krakowie", "Użytkownik teraz mieszka w Małopolsce"),
    ("Пользователь живёт в Казани", "Пользователь теперь живёт в Татарстане"),
    ("User lives in Lyon", "User moved from Nice to Lyon"),
    ("User lives in Lyon", "User moved from Lyon to Paris and back"),
    ("User lives in Lyon", "User moved from Lyon to a new flat"),
    ("User lives in NY", "User now lives in a house with a garden"),
    ("User lives in NY", "User now lives in fear of another stroke"),
    ("User lives in NY in winter", "User now lives in LA in summer"),
    ("User lives in NY", "User's mother now lives in LA"),
    ("User lives in NY", "Anna now lives in LA"),
    ("User lives in Bristol", "User has moved to Mounjaro"),
    ("User lives in Bristol", "User moved to the evening shift"),
    ("User lives in New York", "User now lives in New York City"),
    ("Użytkownik mieszka w Krakowie", "Użytkownik mieszka w Małopolsce"),
    ("Użytkownik mieszka w Krakowie", "Użytkownik przeprowadził się do biura"),
    ("Użytkownik mieszka w Krakowie", "Użytkownik teraz mieszka w bloku"),
    ("Пользователь живёт в Казани", "Пользователь живёт в Татарстане"),
    ("Пользователь живёт в Москве", "Пользователь переехал в новый офис"),
    # names, which are profile facts
    ("User's name is Ann", "User's name is now Kate"),
    ("User's name is Katarzyna", "User's name is Kasia"),
    ("User's name is Anna", "User's name is Anna Nowak"),
    ("User's name is Anna", "User's name is now hard to spell"),
    ("User is called Ann", "User's name is Kate"),
    ("User is called Ann", "User is now called to jury duty"),
    ("Użytkowniczka nazywa się Kowalska", "Użytkowniczka ma na imię Anna"),
    ("Użytkowniczka ma na imię Anna", "Użytkowniczka nazywa się Kowalska"),
    ("Пользователя зовут Александр", "Пользователя зовут Саша"),
    # possessives with any value
    ("User's GP is Dr. Patel", "User's GP is Indian"),
    ("User's GP is Dr. Patel", "User's GP is on holiday"),
    ("User's e-mail is a@example.com", "User's e-mail is b@example.com"),
    ("User's phone number is 555 1234", "User's phone number is 555 9876"),
    ("User's favourite tea is mint", "User's favourite tea is sage"),
    ("User's blood type is A", "User's blood type is A+"),
    ("User's blood pressure is 120/80", "User's blood pressure is 130/85"),
    ("User's daughter's name is Zosia", "User's daughter's name is Ola"),
    ("User's brother lives in London", "User's brother now lives in Paris"),
    ("User's son is 5 years old", "User's son is 8 years old"),
    ("Syn użytkownika ma 5 lat", "Syn użytkownika ma 8 lat"),
    ("Lekarzem użytkownika jest dr Nowak", "Lekarzem użytkownika jest kobieta"),
    # jobs
    ("User works as a doctor", "User now works as a cardiologist"),
    ("User works as a nurse", "User works as a teacher"),
    ("User works as a nurse", "User now also works as a teacher"),
    ("User works as a nurse", "User now works as a nurse in Gdynia"),
    ("User works as a nurse", "User now works as a head nurse"),
    ("User works as a nurse", "User works at the university hospital"),
    ("Użytkownik pracuje jako kucharz", "Użytkownik pracuje jako kierowca"),
    ("Пользователь работает врачом", "Пользователь теперь работает зимой"),
    # past against present
    ("User was pregnant", "User is not pregnant"),
    ("User is pregnant", "User was not pregnant in 2019"),
    ("User smoked", "User does not smoke"),
    ("User used to eat meat", "User does not eat meat"),
    ("User worked as a nurse", "User now works as a teacher"),
    ("User lived in NY", "User now lives in LA"),
    ("Użytkowniczka była w ciąży", "Użytkowniczka nie jest w ciąży"),
    ("Użytkownik palił papierosy", "Użytkownik nie pali papierosów"),
    ("Użytkownik palił", "Użytkownik nie palił"),
    ("Пользователь курил", "Пользователь не курит"),
    ("Пользователь курил", "Пользователь не курил"),
    # denials of something else, or of a part
    ("User eats meat", "User does not eat fish"),
    ("User eats meat", "User does not eat meat on Fridays"),
    ("User eats meat and fish", "User does not eat meat and fish"),
    ("User takes aspirin", "User does not take aspirin with food"),
    ("User takes Euthyrox", "User does not take Euthyral"),
    ("User takes 500 mg metformin", "User does not take 1000 mg metformin"),
    ("User likes Ivanov", "User does not like Ivanova"),
    ("User's left knee hurts", "User's right knee does not hurt"),
    ("User eats meat", "User's wife does not eat meat"),
    ("User's brother smokes", "User's brother does not smoke"),
    ("User has a brother", "User does not have a sister"),
    ("User is not vegetarian", "User is not vegan"),
    ("User is vegetarian", "User is not only vegetarian"),
    ("Użytkownik pije kawę", "Użytkownik nie pije herbaty"),
    ("Użytkownik bierze Euthyrox", "Użytkownik nie bierze Euthyral"),
    ("Użytkownik je mięso", "Użytkownik nie je mięsa w piątki"),
    ("Пользователь пьёт кофе", "Пользователь не пьёт чай"),
    ("Пользователь ест мясо", "Пользователь не ест мясо и рыбу"),
    # numbers of something else
    ("User is 34 years old", "User is 180 cm tall"),
    ("User weighs 80 kg", "User weighs 176 lbs"),
    ("User weighs 80 kg", "User weighs 82 kg with clothes"),
    ("User weighs 80 kg", "User weighs 80 kg"),
    ("Użytkownik ma 34 lata", "Użytkownik ma 3 lata doświadczenia"),
    ("Пользователю 34 года", "Пользователь работает 5 лет"),
    ("", "not"),
]


@each_of(("known", "new"), BOTH_TRUE)
def test_facts_that_may_both_be_true_stay(known, new):
    assert targets(new, known) == []
    assert targets(known, new) == []


def test_every_pair_of_a_document_is_compared():
    document = {
        "new": [
            {"n": 1, "text": "User plays chess", "stated_at": LATER},
            {"n": 2, "text": "User weighs 82 kg", "stated_at": LATER},
        ],
        "known": [
            {"n": 1, "text": "User weighs 80 kg", "stated_at": EARLIER},
            {"n": 2, "text": "User lives in NY", "stated_at": EARLIER},
            {"n": 3, "text": "User weighs 79 kg", "stated_at": EARLIER},
        ],
    }
    answer = find_replacements([{"role": "user", "content": json.dumps(document)}])
    found = [(d["new"], d["target"]) for d in answer["decisions"]]
    assert found == [(2, 1), (2, 3)]
