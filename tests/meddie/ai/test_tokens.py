# ruff: noqa: RUF001 - letters of many scripts are meant
from hypothesis import given
from hypothesis import strategies as st

from meddie.ai.tokens import cut, estimate
from tests.corpus import each_of


@each_of(
    ("text", "tokens"),
    [
        ("", 0),
        ("Hello, world!", 4),
        ("User has been allergic to ibuprofen since 2019 and lives in Gdynia.", 18),
        ("Użytkownik od 2019 roku ma uczulenie na ibuprofen i mieszka w Gdyni.", 23),
        ("У пользователя с 2019 года аллергия на ибупрофен, живёт он в Гданьске.", 24),
        ("用户从2019年起对布洛芬过敏，现在住在北京，每天早上喝绿茶。", 24),
        (
            "ユーザーは2019年からイブプロフェンにアレルギーがあり、毎朝緑茶を飲みます。",
            30,
        ),
        (
            "사용자는 2019년부터 이부프로펜에 알레르기가 있고 매일 아침 녹차를 마십니다.",
            30,
        ),
        ("לדעת המשתמש יש לו אלרגיה לאיבופרופן", 13),
        ("😀👍🏽❤️🎉👨\u200d👩\u200d👧", 15),
        (
            'def total(rows):\n    return sum(row["price"] for row in rows) or None\n',
            21,
        ),
        ("- User lives in Gdynia (stated 2026-08-01)", 18),
    ],
)
def test_the_estimate_is_near_the_count_in_every_script(text, tokens):
    assert 0.75 * tokens <= estimate(text) <= 1.35 * tokens


@given(st.text(), st.text())
def test_more_text_never_takes_fewer_tokens(first, second):
    assert estimate(first) <= estimate(first + second)
    assert estimate(first + second) <= estimate(first) + estimate(second)


@given(st.text(), st.integers(0, 40))
def test_cutting_keeps_the_beginning_and_the_limit(text, size):
    short = cut(text, size)

    assert len(short.encode()) <= size
    assert estimate(short) <= size
    assert text.encode(errors="replace").decode().startswith(short)


def test_half_a_surrogate_pair_is_replaced():
    assert estimate("\ud83d") == 1
    assert cut("a\ud83db", 10) == "a?b"
