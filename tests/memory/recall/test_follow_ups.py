# ruff: noqa: RUF001 - Russian letters are meant
"""Short messages that go on with what was said, and such that change the topic."""

import json
import random
from statistics import fmean

import pytest

from meddie.ai import embeddings
from memory.recall.calibration import EVERYDAY
from memory.recall.recall import prepare_query, recall
from tests.factories import MemoryFactory

pytestmark = pytest.mark.django_db

FOLLOW_UPS = {
    "en": (
        "OK, what do you recommend?",
        "And why is that?",
        "Can you tell me more about it?",
        "What should I do then?",
        "Is that still right?",
        "And in the evening?",
        "How long will that take?",
        "Does it matter?",
    ),
    "pl": (
        "OK, co polecasz?",
        "A dlaczego tak jest?",
        "Możesz powiedzieć o tym więcej?",
        "Co mam wtedy zrobić?",
        "Czy to nadal aktualne?",
        "A wieczorem?",
        "Jak długo to potrwa?",
        "Czy to ważne?",
    ),
    "ru": (
        "Хорошо, что посоветуешь?",
        "А почему так?",
        "Можешь рассказать об этом больше?",
        "Что мне тогда делать?",
        "Это всё ещё верно?",
        "А вечером?",
        "Сколько это займёт?",
        "Это важно?",
    ),
}


@pytest.mark.req("S0-01")
@pytest.mark.parametrize(
    ("language", "following", "changing"),
    [("en", 0.85, 0.9), ("pl", 0.6, 0.65), ("ru", 0.75, 0.75)],
)
def test_follow_ups_find_what_was_talked_about(
    scope, ann, home, language, following, changing
):
    everyday = json.loads(EVERYDAY.read_text())
    embedder, dice = embeddings.local(), random.Random(4)  # noqa: S311
    keys = {
        fact["id"]: MemoryFactory(
            user=ann, space=home, content=fact[language], embedder=embedder
        ).pk
        for fact in everyday["facts"]
    }

    def found(before, text, gold):
        query = prepare_query(text, "", before, embedder=embedder)
        items = {item.memory_id for item in recall(scope, query).items}
        return len(items & {keys[number] for number in gold}) / len(gold)

    questions = [(one[language], set(one["gold"])) for one in everyday["questions"]]
    follow = FOLLOW_UPS[language]
    assert following <= fmean(
        found(text, dice.choice(follow), gold) for text, gold in questions
    )
    assert changing <= fmean(
        found(
            dice.choice([before for before, other in questions if not other & gold]),
            text,
            gold,
        )
        for text, gold in questions
    )
