"""Without a model a form's own lines answer, under the name of the file."""

import pytest

from conversations.attachments.storage import store
from meddie.ai import offline
from meddie.jobs import registry
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)

FORMS = {
    "en": (
        ("Known allergies: cefuroxime, hives", "What am I allergic to?"),
        ("Current medicines: tacrolimus 2 mg", "Which medicines do I take?"),
        ("Blood group: A Rh+", "What is my blood group?"),
        ("Next appointment: 12 May 2027, cardiology", "When is my next appointment?"),
        ("Emergency contact: Jan Nowak, 600 100 200", "Who is my emergency contact?"),
    ),
    "pl": (
        ("Znane alergie: cefuroksym, pokrzywka", "Na co mam alergię?"),
        ("Przyjmowane leki: takrolimus 2 mg", "Jakie leki biorę?"),
        ("Grupa krwi: A Rh+", "Jaką mam grupę krwi?"),
        ("Następna wizyta: 12 maja 2027, kardiolog", "Kiedy mam następną wizytę?"),
        ("Rozpoznanie: niedoczynność tarczycy", "Jakie mam rozpoznanie?"),
    ),
    "de": (
        ("Bekannte Allergien: Cefuroxim, Nesselsucht", "Wogegen bin ich allergisch?"),
        ("Aktuelle Medikamente: Tacrolimus 2 mg", "Welche Medikamente nehme ich?"),
        ("Blutgruppe: A Rh+", "Welche Blutgruppe habe ich?"),
        ("Nächster Termin: 12.05.2027, Kardiologie", "Wann ist mein nächster Termin?"),
        ("Diagnose: Schilddrüsenunterfunktion", "Welche Diagnose habe ich?"),
    ),
}


@pytest.fixture
def member(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    return MembershipFactory()


def send(member, lines, caption="form"):
    text = "\n".join(lines).encode()
    file = store(member.user, member.space_id, "form.txt", text)
    turn = ask(member, caption, files=[file.pk])
    registry.run("files", file.derivation.pk)
    write(turn)


def answer(member, question):
    return write(ask(member, question)).content


@pytest.mark.parametrize("language", FORMS)
def test_lines_of_a_form_answer(member, language):
    send(member, [line for line, _question in FORMS[language]])
    for line, question in FORMS[language]:
        found = answer(member, question).replace("\\", "")
        assert "form.txt" in found.partition("\n")[0], question
        assert f"- {line} (" in found, question


@pytest.mark.parametrize(
    ("lines", "caption"),
    [
        (["Patient: Leo", "Known allergies: peanuts"], "form"),
        (["Mother's allergies: peanuts", "Name: Jan Nowak"], "form"),
        (["Known allergies: peanuts"], "This is the letter of my mother"),
    ],
)
def test_form_of_another_does_not_answer_for_the_user(member, lines, caption):
    PersonFactory(space=member.space, user=None, name="Leo")
    send(member, lines, caption)
    assert "peanuts" not in answer(member, "What am I allergic to?")
