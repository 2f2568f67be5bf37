"""Thresholds of the local model on pairs of facts in three languages (benchmarks/recall.md)."""
# ruff: noqa: RUF001 -- Russian letters are meant

import pytest

from meddie.ai import local_embedder
from memory.recall.thresholds import thresholds
from memory.wording.reading import reading_of
from memory.wording.same_fact import differ, same_words

LEVELS = thresholds(local_embedder.NAME)
PARAPHRASES = """
User is allergic to ibuprofen|User has an ibuprofen allergy
User is allergic to ibuprofen|Ibuprofen gives the user an allergic reaction
User's mother has type 2 diabetes|The user's mum is a type 2 diabetic
User lives in Gdańsk|Gdańsk is where the user lives
User lives in Gdańsk|User's home is in Gdańsk
User has two cats named Filemon and Bonifacy|Filemon and Bonifacy are the user's two cats
User had knee surgery in May 2024|User's knee was operated on in May 2024
User is vegetarian|User does not eat meat
User is vegetarian|User follows a vegetarian diet
User goes running every Tuesday|User runs on Tuesdays
User works as a nurse on night shifts|User is a night-shift nurse
User sleeps badly when stressed|Stress makes the user sleep poorly
User's daughter Zosia is 7 years old|User has a seven-year-old daughter called Zosia
User reacted to amoxicillin with a rash|Amoxicillin gave the user a rash
User quit smoking in 2019|User has not smoked since 2019
User drinks three cups of coffee a day|User has 3 coffees daily
User gets migraines in hot weather|Heat triggers the user's migraines
User cannot stand the taste of coriander|User hates coriander
User is afraid of needles|User has a fear of needles
User is lactose intolerant|User cannot digest lactose
User takes 5 mg of ramipril every morning|User's morning medication is ramipril 5 mg
User prefers to be called Tomek|User wants to be addressed as Tomek
Użytkownik ma uczulenie na ibuprofen|Użytkownik jest uczulony na ibuprofen
Użytkownik mieszka w Gdańsku|Gdańsk to miasto, w którym mieszka użytkownik
Użytkownik jest wegetarianinem|Użytkownik nie je mięsa
Użytkownik biega w każdy wtorek|We wtorki użytkownik chodzi biegać
Użytkownik rzucił palenie w 2019 roku|Użytkownik nie pali od 2019 roku
Użytkownik pije trzy kawy dziennie|Użytkownik wypija 3 kawy każdego dnia
Użytkownik boi się igieł|Użytkownik ma lęk przed igłami
Użytkownik nie toleruje laktozy|Użytkownik ma nietolerancję laktozy
Mama użytkownika choruje na cukrzycę typu 2|Matka użytkownika ma cukrzycę typu 2
Użytkownik bierze co rano 5 mg ramiprylu|Rano użytkownik przyjmuje ramipryl 5 mg
У пользователя аллергия на ибупрофен|Пользователю нельзя ибупрофен из-за аллергии
Пользователь живёт в Гданьске|Пользователь проживает в Гданьске
Пользователь вегетарианец|Пользователь не ест мясо
Пользователь бегает каждый вторник|По вторникам пользователь ходит на пробежку
Пользователь бросил курить в 2019 году|Пользователь не курит с 2019 года
Пользователь пьёт три чашки кофе в день|Пользователь выпивает 3 кофе ежедневно
Пользователь боится уколов|У пользователя страх перед уколами
Пользователь не переносит лактозу|У пользователя непереносимость лактозы
У мамы пользователя диабет второго типа|Мать пользователя больна диабетом 2 типа
Пользователь каждое утро принимает 5 мг рамиприла|Утром пользователь пьёт рамиприл 5 мг
"""
DIFFERENT = """
User is allergic to ibuprofen|User is allergic to penicillin
User is allergic to ibuprofen|User takes ibuprofen for headaches
User's mother has type 2 diabetes|User's father has type 2 diabetes
User's mother has type 2 diabetes|User's mother has high blood pressure
User lives in Gdańsk|User was born in Gdańsk
User lives in Gdańsk|User lives in Kraków
User has two cats named Filemon and Bonifacy|User has a dog named Burek
User had knee surgery in May 2024|User had shoulder surgery in May 2024
User had knee surgery in May 2024|User had knee surgery in June 2021
User is vegetarian|User is vegan
User goes running every Tuesday|User goes swimming every Tuesday
User goes running every Tuesday|User goes running every Friday
User works as a nurse on night shifts|User works as a teacher
User's daughter Zosia is 7 years old|User's son Janek is 7 years old
User's daughter Zosia is 7 years old|User's daughter Zosia has asthma
User quit smoking in 2019|User quit drinking in 2019
User quit smoking in 2019|User started smoking in 2019
User drinks three cups of coffee a day|User drinks two cups of coffee a day
User drinks three cups of coffee a day|User drinks three cups of tea a day
User is afraid of needles|User is afraid of heights
User takes 5 mg of ramipril every morning|User takes 10 mg of ramipril every morning
User takes 5 mg of ramipril every morning|User takes 5 mg of bisoprolol every morning
User's left knee hurts|User's right knee hurts
Blood pressure was 120/80 in May|Blood pressure was 130/85 in June
User eats meat|User does not eat meat
Użytkownik ma uczulenie na ibuprofen|Użytkownik ma uczulenie na penicylinę
Użytkownik mieszka w Gdańsku|Użytkownik mieszka w Krakowie
Użytkownik biega w każdy wtorek|Użytkownik pływa w każdy wtorek
Użytkownik pije trzy kawy dziennie|Użytkownik pije dwie herbaty dziennie
Użytkownik boi się igieł|Użytkownik boi się pająków
Mama użytkownika choruje na cukrzycę typu 2|Tata użytkownika choruje na cukrzycę typu 2
Użytkownik bierze co rano 5 mg ramiprylu|Użytkownik bierze co rano 5 mg bisoprololu
У пользователя аллергия на ибупрофен|У пользователя аллергия на пенициллин
Пользователь живёт в Гданьске|Пользователь живёт в Кракове
Пользователь бегает каждый вторник|Пользователь плавает каждый вторник
Пользователь пьёт три чашки кофе в день|Пользователь пьёт две чашки чая в день
Пользователь боится уколов|Пользователь боится пауков
У мамы пользователя диабет второго типа|У отца пользователя диабет второго типа
Пользователь каждое утро принимает 5 мг рамиприла|Пользователь каждое утро принимает 5 мг бисопролола
"""


def pairs(lines):
    return [tuple(line.split("|")) for line in lines.strip().splitlines()]


def cosines(lines):
    """Each pair with its cosine."""
    told = pairs(lines)
    first, second = (local_embedder.encode(texts) for texts in zip(*told, strict=True))
    return zip(told, (first * second).sum(axis=1).tolist(), strict=True)


def test_paraphrases_that_share_their_words_reach_the_thresholds():
    told = list(cosines(PARAPHRASES))
    same = [
        cosine > LEVELS.duplicate
        for pair, cosine in told
        if not differ(*map(reading_of, pair))
    ]
    assert len(same) >= 7
    assert sum(same) >= len(same) / 2
    again = [cosine > LEVELS.tombstone for _, cosine in told]
    assert sum(again) >= 0.85 * len(again)


@pytest.mark.req("S0-28")
def test_no_other_fact_is_taken_for_a_duplicate():
    for (one, other), cosine in cosines(DIFFERENT):
        duplicate = cosine > LEVELS.duplicate and not differ(
            reading_of(one), reading_of(other)
        )
        assert not duplicate, (one, other)
        assert not same_words(reading_of(one), reading_of(other))


def test_two_statements_on_one_matter_are_mostly_alike_and_others_are_not():
    alike = [cosine >= LEVELS.alike for _, cosine in cosines(PARAPHRASES)]
    assert sum(alike) > len(alike) / 2
    facts = local_embedder.encode([one for one, _ in pairs(DIFFERENT)][:25:2])
    others = [
        facts[n] @ facts[m]
        for n in range(len(facts))
        for m in range(n)
        if (facts[n] != facts[m]).any()
    ]
    assert sum(cosine >= LEVELS.alike for cosine in others) <= 1
