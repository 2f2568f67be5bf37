"""The stand-in answers in the language of the message."""

import pytest

from conversations.web.templatetags.chat_format import is_signed
from meddie.ai import offline
from memory.models import Memory
from tests.conversations.reply.spoken import APART, PORTUGUESE, SEEN
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    return MembershipFactory()


def say(member, text, **options):
    return write(ask(member, text, **options))


@pytest.mark.parametrize("sentences", [SEEN, APART], ids=["seen", "apart"])
@pytest.mark.parametrize("language", ["de", "es"])
def test_answer_is_in_the_language_of_the_message(member, sentences, language):
    answers = {said: say(member, said).content for said in sentences[language]}
    wrong = {
        said: answer
        for said, answer in answers.items()
        if sentences[language][said] not in answer
    }
    assert len(wrong) <= len(answers) // 10, wrong


def test_languages_without_sentences_are_answered_in_that_of_the_pages(member):
    for said in PORTUGUESE:
        answer = say(member, said).content
        assert not any(word in answer for word in ("Gracias", "Danke", "Has dicho"))


def test_short_message_is_answered_in_the_language_of_the_one_before(member):
    first = say(member, "Ich wohne seit 2019 in Leipzig.")
    assert is_signed(first)
    answer = say(member, "Asthma?", conversation_id=first.conversation_id)
    assert "Das weiß ich noch nicht." in answer.content


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Remind me tomorrow to call the dentist.", "I can't remind you yet."),
        (
            "Erinnere mich morgen, den Arzt anzurufen.",
            "Erinnern kann ich dich noch nicht.",
        ),
        (
            "Przypomnij mi jutro, żebym zadzwonił do lekarza.",
            "Nie potrafię jeszcze przypominać.",
        ),
        (
            "Recuérdame mañana que tengo que llamar al médico.",
            "Aún no puedo recordarte nada",
        ),
    ],
)
def test_reminders_are_not_promised_and_not_kept(member, said, told):
    assert told in say(member, said).content
    assert not Memory.objects.exists()


def test_appointment_of_a_reminder_is_kept(member):
    answer = say(
        member, "Remind me of my appointment with Dr. Berg on 3 December at 10."
    )
    assert "I keep what you told me" in answer.content
    assert "Dr. Berg" in Memory.objects.get().content


def test_days_are_written_as_in_the_language(member):
    say(member, "Mi hijo tiene asma.")
    assert " de 20" in say(member, "¿Qué sabes de mí?").content
