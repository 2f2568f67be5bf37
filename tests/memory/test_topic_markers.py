# ruff: noqa: RUF001 - Russian is meant
"""Messages that announce another topic, and honest sentences with the same words."""

import pytest

from memory import service

ANNOUNCED = """
By the way, what is the capital of Portugal?
Thanks! By the way, can I take ibuprofen with it?
oh btw my sister visits us on Sunday
By the way do you know a good recipe for borscht?
OK, let's talk about something else. How do I prune roses?
Let's change the subject: which phone should I buy?
Can we talk about something different please?
On another note, my car does not start.
New topic: how do vaccines work?
Something completely different: who was Chopin?
I am tired of numbers. Let's change the subject, please.
Кстати, какая завтра погода?
кстати как дела у зенита
А кстати, мой сын начал ходить в школу.
Спасибо! Кстати, что приготовить на ужин?
Давай про другое. Как вырастить помидоры?
Давайте поговорим о другом
Давай сменим тему: какой телефон купить?
Между прочим, у меня скоро отпуск.
Другая тема: как работает прививка?
Zmieńmy temat. Jak przyciąć róże?
Dzięki! A przy okazji, czy mogę brać ibuprofen?
Porozmawiajmy o czymś innym.
Z innej beczki: jaki telefon kupić?
Zmiana tematu: jak działa szczepionka?
Nawiasem mówiąc, mój syn poszedł do szkoły.
Swoją drogą, kto wynalazł radio?
Übrigens, wie wird morgen das Wetter?
Themenwechsel: Welches Handy soll ich kaufen?
Lass uns über etwas anderes reden.
顺便问一下,明天天气怎么样?
ところで、明日の天気は?
""".strip().split("\n")
HONEST = """
I read it by the way of a friend.
I could tell by the way she walks that her hip hurts.
By the way she walks I see that her hip hurts.
By the way of introduction I wrote three lines.
My teacher said let's talk about something else and I was sad.
How do I change the subject line of an email?
Let's change the subject line to "Invoice".
What is the subject of the sentence "By the way, he left"?
He asked whether we can talk about something else next week.
This is a different topic than the one of my thesis.
Is there another topic in this list that I missed?
Это было очень кстати, спасибо
Твой совет пришёлся кстати, что дальше?
Кстати пришлась бы ещё одна пара рук.
Давай про другое лекарство, это мне не подходит
Он сказал, что надо сменить тему диплома.
Какая другая тема есть в этом списке?
Przy okazji świąt upiekę sernik.
Chcę zmienić temat pracy magisterskiej.
Zmieniając temat pracy, straciłem rok.
Mama poszła swoją drogą, a ja swoją.
Czy to jest inny temat niż poprzedni?
Er hat übrigens gesagt, dass er kommt.
Ist das ein anderes Thema als gestern?
""".strip().split("\n")


@pytest.mark.req("S2-25", "B-29")
@pytest.mark.parametrize("message", ANNOUNCED)
def test_announced_topic_is_recognised(message):
    assert service.announces_topic(message)


@pytest.mark.req("S2-25")
@pytest.mark.parametrize("message", HONEST)
def test_honest_sentence_announces_no_topic(message):
    assert not service.announces_topic(message)


def test_topic_is_announced_near_the_beginning():
    pasted = "The minutes of our meeting, as I promised to send them. " * 5
    assert not service.announces_topic(f"{pasted}\nBy the way, he said that too.")
