"""Turns that the stand-in answers, from what memory holds."""

import pytest

from conversations.attachments.storage import store
from conversations.models import Conversation, DerivationJob, Message, Receipt
from conversations.new_conversation import Start
from conversations.reply import change_lines, confirmations
from meddie.ai import offline
from meddie.jobs import registry
from memory.models import Memory
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    return MembershipFactory()


def say(member, text, **options):
    return write(ask(member, text, **options)).content


def lines(turn):
    return list(
        Message.objects.current()
        .filter(answers=turn.message, role="system")
        .with_changes()
        .in_order()
    )


def told(turn):
    return [change_lines.with_nearest(line) for line in lines(turn)]


def known():
    return sorted(Memory.objects.active().values_list("content", flat=True))


@pytest.mark.req("B-07")
@pytest.mark.parametrize(
    ("statement", "question", "fact"),
    [
        (
            "I am allergic to ibuprofen.",
            "What do you know about me?",
            "“I am allergic to ibuprofen”",
        ),
        ("Mam alergię na orzechy.", "Co o mnie wiesz?", "„Mam alergię na orzechy”"),
        (
            "У меня аллергия на орехи.",
            "Что ты обо мне знаешь?",
            "“У меня аллергия на орехи”",
        ),
    ],
)
def test_a_statement_is_listed_in_the_next_conversation_until_it_is_forgotten(
    member, statement, question, fact
):
    say(member, statement)
    assert f"- {fact} (" in say(member, question)

    asked = ask(member, "Forget everything about me.")
    write(asked)
    assert known()
    say(member, "Yes", conversation_id=asked.conversation_id)

    assert not known()
    assert fact not in say(member, question)


def test_question_is_answered_with_what_fits_it_and_no_list_of_everything(member):
    for text in (
        "I'm vegetarian.",
        "My mother has type 2 diabetes.",
        "I live in Oslo.",
    ):
        say(member, text)
    answer = say(member, "Which illnesses run in my family?")
    assert "“My mother has type 2 diabetes”" in answer
    assert "Oslo" not in answer
    nothing = say(member, "What is the capital of France?")
    assert "I don't know that yet." in nothing
    assert not any(one in nothing for one in ("Oslo", "diabetes", "vegetarian"))


def test_close_older_statement_is_asked_about_and_replaced_when_the_user_says_so(
    member,
):
    say(member, "I take 20 mg of atorvastatin.")
    turn = ask(member, "I take 40 mg of atorvastatin now.")
    write(turn)
    (line,) = lines(turn)
    kept, asked = told(turn)[0].split(" · ")
    assert kept == "Remembered: I take 40 mg of atorvastatin now"
    assert asked == "Replace “I take 20 mg of atorvastatin”?"
    assert confirmations.answers_to(line) == ("Replace", "Keep both")
    confirmations.answer_line(line, member.user, agrees=True)
    assert known() == ["I take 40 mg of atorvastatin now"]
    assert confirmations.answers_to(lines(turn)[0]) is None


def test_doses_are_compared_in_any_language(member):
    say(member, "Biorę 20 mg atorwastatyny")
    turn = ask(member, "Biorę teraz 40 mg atorwastatyny")
    write(turn)
    assert told(turn)[0].endswith("Replace “Biorę 20 mg atorwastatyny”?")


def test_both_statements_stay_when_the_user_wants_both(member):
    say(member, "I take 20 mg of atorvastatin.")
    turn = ask(member, "I take 40 mg of atorvastatin now.")
    write(turn)
    confirmations.answer_line(lines(turn)[0], member.user, agrees=False)
    assert len(known()) == 2
    assert told(turn) == ["Remembered: I take 40 mg of atorvastatin now"]


def test_unlike_statements_are_not_asked_about(member):
    say(member, "I take 20 mg of atorvastatin.")
    turn = ask(member, "I live in Oslo.")
    write(turn)
    assert confirmations.answers_to(lines(turn)[0]) is None


def test_wish_to_forget_without_the_words_of_a_fact_offers_the_nearest(member):
    say(member, "I live in Oslo.")
    turn = ask(member, "Forget my flat in Oslo")
    write(turn)
    (line,) = lines(turn)
    assert told(turn) == ["Which of these should I forget? Nearest: I live in Oslo"]
    assert [one.content for one in change_lines.offered(line)] == ["I live in Oslo"]


@pytest.mark.req("S4-17")
@pytest.mark.parametrize(
    ("statement", "wish"),
    [
        ("My name is Alex.", "Forget that my name is Alex."),
        ("Nazywam się Luk.", "Zapomnij, że nazywam się Luk."),
        ("I play the cello.", "Please forget that I play the cello."),
    ],
)
def test_wish_to_forget_in_the_words_of_a_fact_forgets_it(member, statement, wish):
    say(member, statement)
    assert known() == [statement.rstrip(".")]
    say(member, wish)
    assert not known()


def test_chosen_person_s_notes_answer(member):
    leo = PersonFactory(
        space=member.space, user=None, name="Leo", health_notes="- Allergic to peanuts"
    )
    say(member, "I am allergic to ibuprofen.")
    answer = say(member, "What is Leo allergic to?", start=Start(person_id=leo.pk))
    assert "Notes about Leo:\n\n- Allergic to peanuts" in answer
    assert "ibuprofen" not in answer


def test_attached_file_is_quoted(member):
    say(member, "I take 20 mg of atorvastatin.")
    read = b"Ferritin 9 ug/l\nSodium 140 mmol/l\n"
    file = store(member.user, member.space_id, "lab.txt", read)
    turn = ask(member, "What is my ferritin?", files=[file.pk])
    registry.run("files", DerivationJob.objects.get().pk)
    answer = write(turn).content
    assert "lab.txt says:\n\n- Ferritin 9 ug/l" in answer
    assert "Sodium" not in answer
    assert "atorvastatin" not in answer


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi! I'm Kate and I live in Bristol", "I'm Kate and I live in Bristol"),
        ("Hi", "Hi"),
    ],
)
def test_title_skips_the_greeting(member, text, title):
    say(member, text)
    assert Conversation.objects.get().title == title


def test_nothing_is_added_under_an_emergency_note(member):
    reply = write(ask(member, "I have chest pain and my left arm is numb"))
    assert reply.emergency_note
    assert (reply.status, reply.content) == ("done", "")


def test_conversation_without_memory_notes_nothing(member):
    answer = say(member, "I am allergic to nuts.", start=Start(remember=False))

    assert "I keep nothing from this conversation." in answer
    assert not Memory.objects.exists()


class TestForgettingByTopic:
    """Two doses of one medicine, and what has nothing to do with them."""

    DOSES = ("I take 20 mg of atorvastatin.", "I take 40 mg of atorvastatin now.")

    @pytest.fixture
    def asked(self, member):
        for text in ("My daughter Mia has asthma.", *self.DOSES):
            say(member, text)
        turn = ask(member, "Please delete everything about atorvastatin")
        write(turn)
        (line,) = lines(turn)
        assert sorted(told(turn)[0].partition("? ")[2].split("; ")) == [
            "I take 20 mg of atorvastatin",
            "I take 40 mg of atorvastatin now",
        ]
        assert confirmations.answers_to(line) == ("Forget", "Leave it")
        assert len(known()) == 3
        return turn

    @pytest.mark.parametrize("by_word", [True, False])
    def test_yes_forgets_what_the_question_names_and_is_undone(
        self, member, asked, by_word
    ):
        turn = asked
        if by_word:
            turn = ask(member, "yes", conversation_id=asked.conversation_id)
            assert write(turn).content == "All right."
            assert confirmations.answers_to(lines(asked)[0]) is None
        else:
            confirmations.answer_line(lines(asked)[0], member.user, agrees=True)
        assert known() == ["My daughter Mia has asthma"]
        (line,) = lines(turn)
        assert change_lines.can_undo(line)
        assert change_lines.undo_line(line, member.user)
        assert len(known()) == 3

    @pytest.mark.parametrize("no", ["no", "leave it", "nein, lass es", "nie", "不用了"])
    def test_no_ends_the_question_and_looks_nothing_up(self, member, asked, no):
        turn = ask(member, no, conversation_id=asked.conversation_id)
        reply = write(turn)
        assert reply.content in {
            "All right, everything stays as it is.",
            "Dobrze, wszystko zostaje bez zmian.",
            "In Ordnung, alles bleibt, wie es ist.",
        }
        assert not Receipt.objects.filter(message=reply).exists()
        assert lines(turn) == []
        assert told(asked) == ["Left as it is."]
        assert confirmations.answers_to(lines(asked)[0]) is None
        assert len(known()) == 3


@pytest.mark.parametrize("wish", ["Don't remember that", "Forget that please"])
def test_wish_without_a_topic_is_about_the_last_message(member, wish):
    say(member, "My daughter Mia has asthma.")
    first = ask(member, "I smoke ten cigarettes a day.")
    write(first)
    turn = ask(member, wish, conversation_id=first.conversation_id)
    write(turn)
    assert told(turn)[-1] in (
        "Forget this? I smoke ten cigarettes a day",
        "Forgotten: I smoke ten cigarettes a day",
    )


SAFETY = [
    ("I am pregnant, 9 weeks.", "Which painkillers are safe for me?"),
    ("Ich bin gegen Penicillin allergisch.", "Welches Antibiotikum darf ich nehmen?"),
    ("Biorę 20 mg atorwastatyny.", "Czy mogę pić sok grejpfrutowy?"),
    ("أنا حامل", "هل يمكنني تناول الإيبوبروفين؟"),
]


@pytest.mark.parametrize(("fact", "question"), SAFETY)
def test_question_of_safety_is_answered_with_what_no_answer_may_overlook(
    member, fact, question
):
    for text in ("My knee hurts after running.", "I play the violin.", fact):
        say(member, text)
    said = fact.strip(".")
    (line, *_others) = [
        one for one in say(member, question).splitlines() if one.startswith("- ")
    ]
    assert said in line


def test_question_of_safety_is_not_answered_with_another_fact(member):
    for text in ("I live in Oslo.", "I play the violin."):
        say(member, text)
    answer = say(member, "Which painkillers are safe for me?")
    assert "I don't know that about you yet." in answer
    assert "violin" not in answer


def test_more_than_three_facts_are_told_if_no_answer_may_overlook_them(member):
    facts = [
        "I am allergic to penicillin",
        "I take 5 mg of warfarin",
        "I have a pacemaker",
        "I am pregnant",
    ]
    for fact in facts:
        say(member, fact + ".")
    answer = say(member, "Can I take naproxen?")
    assert all(f"“{fact}”" in answer for fact in facts)


@pytest.mark.parametrize(
    "question",
    [
        "What is cholesterol?",
        "Co to jest ferrytyna?",
        "什么是血小板？",
    ],
)
def test_question_about_the_world_is_not_answered_with_facts(member, question):
    for text in ("I take 75 micrograms of levothyroxine.", "I can't have penicillin."):
        say(member, text)
    answer = say(member, question)
    assert "levothyroxine" not in answer
    assert "penicillin" not in answer
    assert any(told in answer for told in ("A model would", "Model by na to"))


def test_goodbye_gets_one_line(member):
    say(member, "I play the violin.")
    answer = say(member, "bye bye")
    assert answer.startswith("I am here when you need me.")
    assert "violin" not in answer


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("عندي حساسية من البنسلين", "ما هي حساسيتي؟"),
        ("Penisiline alerjim var", "Neye alerjim var?"),
        ("我对青霉素过敏", "我对什么过敏？"),
        ("ペニシリンにアレルギーがあります", "私は何にアレルギーがありますか？"),
        ("저는 땅콩 알레르기가 있어요", "저는 무엇에 알레르기가 있나요?"),
    ],
)
def test_question_about_the_user_is_answered_in_any_script(member, fact, question):
    say(member, fact)
    assert f"“{fact}”" in say(member, question)


@pytest.mark.parametrize(
    "question", ["What is ferritin?", "Is 142 a high LDL?", "Was ist Ferritin?"]
)
def test_question_about_the_world_is_not_answered_with_what_is_known(member, question):
    say(member, "I can't have penicillin, it gave me hives when I was a kid.")
    assert "penicillin" not in say(member, question)


@pytest.mark.parametrize(
    ("newer", "question", "follow_up"),
    [
        (
            "I take 40 mg of atorvastatin now.",
            "How much atorvastatin do I take now?",
            "And before?",
        ),
        (
            "Ich nehme jetzt 40 mg Atorvastatin.",
            "Wie viel Atorvastatin nehme ich jetzt?",
            "Und vorher?",
        ),
    ],
)
def test_follow_up_goes_on_with_the_question_before_it(
    member, newer, question, follow_up
):
    say(member, "I take 20 mg of atorvastatin.")
    turn = ask(member, newer)
    write(turn)
    say(member, question, conversation_id=turn.conversation_id)
    answer = say(member, follow_up, conversation_id=turn.conversation_id)
    assert "20 mg" in answer


def test_allergies_are_told_of_the_one_asked_about_alone(member):
    say(member, "Opa nimmt Digitoxin und hat einen Herzschrittmacher")
    assert "Digitoxin" not in say(member, "Worauf ist Opa allergisch?")


def test_no_to_nothing_quotes_nothing(member):
    turn = ask(member, "I take 20 mg of atorvastatin.")
    write(turn)
    answer = say(member, "no", conversation_id=turn.conversation_id)
    assert answer.startswith("All right.")


@pytest.mark.parametrize("first", ["siema", "moin", "hey there 👋"])
def test_first_word_is_taken_for_a_greeting(member, first):
    answer = say(member, first)
    assert answer.startswith(("Hello!", "Hallo!", "Dzień dobry!"))


@pytest.mark.parametrize(
    "question",
    [
        "who am I talking to?",
        "bist du so ne KI oder was",
        "Rozmawiam tu z maszyną?",
        "Am I chatting with a person here?",
    ],
)
def test_question_who_answers_is_told_what_meddie_is(member, question):
    answer = say(member, question)
    assert answer.startswith(("I am Meddie", "Ich bin Meddie", "Jestem Meddie"))


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("The eye test is on 3 March at 9, Dr. Lamb.", "When is the eye test?"),
        (
            "Am 21. Januar Kontrolle bei Dr. Yilmaz, ca. 9 Uhr",
            "Wann ist die Kontrolle?",
        ),
        (
            "Physio with Mr. Berg on Tue 8 Dec, room 4",
            "Where do I have to go on 8 Dec?",
        ),
    ],
)
def test_question_finds_the_fact_that_has_its_words_or_its_day(member, fact, question):
    say(member, "I take 20 mg of atorvastatin.")
    say(member, fact)
    answer = say(member, question)
    assert f"{fact.rstrip('.')}" in answer
    assert "atorvastatin" not in answer


def test_medicine_of_facts_is_not_taken_for_a_person(member):
    say(member, "My brother Cem takes Xarelto.")
    assert "“My brother Cem takes Xarelto”" in say(member, "Who takes Xarelto?")


@pytest.mark.parametrize(
    ("wish", "no", "told_text"),
    [
        ("Forget the bit about Xarelto", "no, leave it", "That is already forgotten."),
        ("Vergiss die Sache mit Xarelto", "nein, lass es", "schon vergessen"),
        ("Usuń fragment o Xarelto", "nie, zostaw to", "już zapomniane"),
    ],
)
def test_no_after_something_was_forgotten_tells_of_undo(member, wish, no, told_text):
    say(member, "My brother Cem takes Xarelto.")
    turn = ask(member, wish)
    write(turn)
    assert not known()
    after = ask(member, no, conversation_id=turn.conversation_id)
    assert told_text in write(after).content
    assert lines(after) == []
    assert change_lines.undo_line(lines(turn)[0], member.user)
    assert known() == ["My brother Cem takes Xarelto"]


def sent(member, name, content, text):
    """The answer to a message with a file that has been read."""
    file = store(member.user, member.space_id, name, content)
    turn = ask(member, text, files=[file.pk])
    registry.run("files", file.derivation.pk)
    return write(turn).content


def test_file_that_is_handed_over_is_read_and_not_remembered(member):
    answer = sent(
        member, "lab.txt", b"Ferritin 9 ug/l\nSodium 140 mmol/l", "Here is lab.txt"
    )
    assert "Read: 2 lines. Ask me about them." in answer
    assert "Thank you" not in answer
    assert not known()


@pytest.mark.parametrize(
    "caption", ["My discharge letter", "Mein Medikamentenplan", "Moje wyniki badań"]
)
def test_caption_that_names_a_paper_is_not_remembered(member, caption):
    sent(member, "lab.txt", b"Ferritin 9 ug/l", caption)
    assert not known()


def test_caption_that_states_something_is_remembered(member):
    sent(member, "rash.txt", b"Ferritin 9 ug/l", "My son Leo is allergic to nuts")
    assert len(known()) == 1


def test_caption_is_not_told_as_what_a_file_says(member):
    sent(member, "form.txt", b"Date of the visit: 3 May", "Here is form.txt")
    answer = say(member, "What is in form.txt?")
    assert "Here is form.txt" not in answer.partition("says:")[2]


PAPER = (
    b"St. Mary Hospital, Lindenstrasse 12\nDischarge of Jo Berg\n\nBisoprolol 2.5 mg in the"
    b" morning\n\nStitches are removed by the family doctor on 20 October\n\nNo coffee for a"
    b" day before the visit, please\n"
)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What dose of bisoprolol do I take?", "Bisoprolol 2.5 mg in the morning"),
        ("When are my stitches removed?", "by the family doctor on 20 October"),
        ("May I drink coffee before the visit?", "No coffee for a day"),
    ],
)
def test_paper_that_names_doctors_and_streets_answers_its_user(member, question, line):
    sent(member, "paper.txt", PAPER, "")
    answer = say(member, question)
    assert "paper.txt says:" in answer
    assert line in answer


def test_paper_that_names_another_of_the_space_is_not_the_user_s(member):
    PersonFactory(space=member.space, user=None, name="Jo Berg")
    sent(member, "paper.txt", PAPER, "")
    assert "2.5 mg" not in say(member, "What dose of bisoprolol do I take?")


def test_heading_of_a_file_is_no_answer(member):
    text = b"Medicine\nDose\nRamipril 5 mg every morning\n"
    answer = sent(member, "letter.txt", text, "Which dose of ramipril is it?")
    assert "- Ramipril 5 mg every morning" in answer
    assert "- Dose" not in answer


@pytest.mark.parametrize(
    "wish", ["List my allergies", "Zeig mir meine Allergien", "Pokaż moje alergie"]
)
def test_wish_to_be_shown_something_is_answered_and_not_kept(member, wish):
    say(member, "I am allergic to penicillin.")
    assert "I am allergic to penicillin" in say(member, wish)
    assert known() == ["I am allergic to penicillin"]


def test_message_off_the_record_has_one_line_and_is_not_kept(member):
    turn = ask(member, "I have herpes, please don't save this")
    write(turn)
    assert told(turn) == ["Not kept. You asked not to keep it."]
    assert known() == []
