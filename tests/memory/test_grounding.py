# ruff: noqa: RUF001 - Russian letters are meant
import pytest

from memory.capture.assertion import refusal_of


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("User is allergic to ibuprofen", "I am allergic to ibuprofen."),
        ("allergic to ibuprofen", "I'm ALLERGIC to Ibuprofen!"),
        ("User is vegetarian", "I am vegetarian"),
        ("User's mother has type 2 diabetes", "my mother has diabetes, type 2"),
        ("Użytkownik jest uczulony na ibuprofen", "Jestem uczulona na ibuprofen."),
        ("Пользователь любит чёрный чай", "Я люблю чёрный чай"),
    ],
)
def test_a_fact_that_the_text_says_is_stated_again(fact, text):
    assert not refusal_of(fact, text)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ("User is allergic to ibuprofen", "Thanks! And what about lunch?"),
        ("User is allergic to ibuprofen", "Is ibuprofen expensive?"),
        ("User is vegetarian", "I like tea"),
        ("User's mother has type 2 diabetes", "my mother is well"),
        ("User", "User"[:0]),
        ("User is", "I am"),
    ],
)
def test_a_fact_that_the_text_does_not_say_is_not_stated(fact, text):
    assert refusal_of(fact, text)


def test_a_third_of_many_words_is_enough_and_less_is_not():
    fact = "alpha bravo charlie delta echo foxtrot golf hotel india"
    assert not refusal_of(fact, "alpha bravo india")
    assert refusal_of(fact, "alpha india")


FACT = "User is allergic to ibuprofen"


@pytest.mark.parametrize(
    "message",
    [
        "I am allergic to ibuprofen.",
        "Hello. Yes, I'm allergic to ibuprofen! And you?",
        "Don't forget: I'm allergic to ibuprofen",
        "Please do not forget that I am allergic to ibuprofen",
    ],
)
def test_a_statement_states_it_again(message):
    assert not refusal_of(FACT, message)


@pytest.mark.parametrize(
    "message",
    [
        "Am I allergic to ibuprofen?",
        "I am not allergic to ibuprofen",
        "I'm no longer allergic to ibuprofen.",
        "Please forget that I am allergic to ibuprofen",
        "Ignore that I am allergic to ibuprofen",
        "Drop the note that I am allergic to ibuprofen",
        "I used to be allergic to ibuprofen",
        "If I am allergic to ibuprofen, what then",
        "You keep saying that I am allergic to ibuprofen",
        "Delete that I am allergic to ibuprofen.",
        "Zapomnij, że jestem allergic to ibuprofen",
        "Забудь: allergic to ibuprofen",
        "",
    ],
)
def test_questions_denials_and_wishes_to_forget_state_nothing(message):
    assert refusal_of(FACT, message)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (FACT, "My mother is allergic to ibuprofen."),
        (FACT, "I know that my mother is allergic to ibuprofen."),
        (FACT, "She is allergic to ibuprofen."),
        (FACT, "Stop saying I am allergic to ibuprofen!"),
        (FACT, "I was told wrongly that I am allergic to ibuprofen."),
        (FACT, "I never said I am allergic to ibuprofen."),
        (FACT, "It is not true that I am allergic to ibuprofen."),
        ("User is pregnant", "My sister is pregnant."),
        ("Użytkowniczka ma astmę", "Moja córka ma astmę."),
        ("Użytkownik ma astmę", "Przestań mówić, że mam astmę."),
        ("Użytkownik ma astmę", "Nie sądzę, że mam astmę."),
        ("У пользователя астма", "Не думаю, что у меня астма."),
        ("Nutzer hat Asthma", "Ich glaube nicht, dass ich Asthma habe."),
        ("У пользователя астма", "У моей дочери астма."),
        ("Ibuprofen allergy", "My mother has an ibuprofen allergy."),
        ("User's mother has asthma", "My sister has asthma."),
    ],
)
def test_statements_about_others_or_taken_back_do_not_state_the_fact(fact, message):
    assert refusal_of(fact, message)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (FACT, "My mother told me that I am allergic to ibuprofen."),
        (FACT, "Like my mother, I am allergic to ibuprofen."),
        (FACT, "Ibuprofen: I am allergic to it."),
        (FACT, "I looked on the list: allergic to ibuprofen."),
        ("User is pregnant", "I'm pregnant!"),
        ("Użytkowniczka ma astmę", "Mam astmę."),
        (FACT, "No, I am allergic to ibuprofen."),
        (FACT, "I am not allergic to penicillin, I am allergic to ibuprofen."),
        ("Nutzer hat Asthma", "Nein, ich habe Asthma."),
        ("Użytkownik pije kawę", "Piję kawę."),
        ("Пользователь живёт в Самаре", "Я живу в Самаре."),
        ("用户对布洛芬过敏", "我对布洛芬过敏"),
        ("У пользователя астма", "У меня астма."),
        ("Пользователь пьёт чёрный чай", "Пью чёрный чай."),
        ("User's mother has asthma", "My mother has asthma."),
        ("Ibuprofen allergy", "I have an ibuprofen allergy."),
    ],
)
def test_statement_about_the_same_person_states_the_fact_again(fact, message):
    assert not refusal_of(fact, message)


def test_a_denial_states_a_denied_fact():
    assert not refusal_of("User does not eat meat", "I do not eat meat.")


def test_mom_is_mother():
    assert not refusal_of("User's mother has diabetes", "My mom has diabetes")
