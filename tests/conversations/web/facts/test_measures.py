"""Values over time on the page of a person."""

import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.utils.html import strip_tags

from memory import service
from memory.models import Memory, MemoryStatement, MemoryUpdate
from memory.reasons import Reason
from people.scope import retraction_scope
from tests.conversations.transcripts import say, start_conversation
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


def lines_on(client, path="/people/you"):
    """The cells of each line's table by its name, the newest first."""
    page = client.get(path, follow=True).text
    found = {}
    for figure in page.split('<figure class="measure">')[1:]:
        name = re.search(r'"measure-name">(.*?)<', figure)[1]
        rows = re.findall(r"<tr>\s*<td>(.*?)</tr>", figure, re.DOTALL)
        found[name] = [
            tuple(
                " ".join(strip_tags(cell).split()).removesuffix(
                    " from this conversation"
                )
                for cell in row.split("</td>")[:3]
            )
            for row in rows
        ]
    return found


def values_on(client, path="/people/you"):
    lines = lines_on(client, path)
    return {name: [value for _, value, _ in rows] for name, rows in lines.items()}


@pytest.fixture
def told(remembered):
    """Facts of successive weeks, each of which replaced the one before."""

    def told(*texts, replace=True, reason=Reason.NEWER, **fields):
        rows = []
        for number, text in enumerate(texts):
            at = MONDAY + timedelta(weeks=number)
            rows.append(remembered(text, stated_at=at, **fields))
            if number and replace:
                old, new = rows[-2:]
                old.valid_until = at
                old.retire(Memory.RetiredReason.SUPERSEDED)
                MemoryUpdate.objects.create(
                    user=new.user, old=old, new=new, reason=reason
                )
        return rows

    return told


WEIGHTS = ("I weigh 82 kg", "I weigh 80 kg", "I weigh 79.5 kg")


def test_replaced_values_make_the_line_with_their_days_and_words(anns, told):
    told(*WEIGHTS)
    assert lines_on(anns) == {
        "Weight": [
            ("16 March 2026", "79.5 kg", "“I weigh 79.5 kg”"),
            ("9 March 2026", "80 kg", "“I weigh 80 kg”"),
            ("2 March 2026", "82 kg", "“I weigh 82 kg”"),
        ]
    }


def test_two_values_are_no_line(anns, told):
    told(*WEIGHTS[:2])
    assert lines_on(anns) == {}


def test_values_that_are_all_still_known_make_a_line(anns, told):
    told(
        "My blood pressure was 130/85",
        "My blood pressure was 142/91",
        "My blood pressure was 125/80",
        replace=False,
    )
    found = values_on(anns)
    assert found == {"Blood pressure": ["125/80 mmHg", "142/91 mmHg", "130/85 mmHg"]}


def test_same_words_told_again_are_a_value_of_their_day(anns, told):
    *_, last = told(*WEIGHTS[:2])
    MemoryStatement.objects.all().add_first([last])
    again = MONDAY + timedelta(weeks=2)
    MemoryStatement.objects.create(memory=last, message_id=uuid4(), stated_at=again)
    (rows,) = lines_on(anns).values()
    assert [row[:2] for row in rows] == [
        ("16 March 2026", "80 kg"),
        ("9 March 2026", "80 kg"),
        ("2 March 2026", "82 kg"),
    ]


def test_units_are_those_of_the_newest_value(anns, told):
    told("I weigh 82 kg", "My weight is 176.4 lbs", "I weigh 12 st 4 lb")
    assert values_on(anns) == {"Weight": ["12 st 4 lb", "12 st 8 lb", "12 st 13 lb"]}


def test_molar_value_is_converted_for_its_substance(anns, told):
    told("Glucose 100 mg/dl", "Glucose 5.6 mmol/l", "Glucose 6 mmol/l")
    assert values_on(anns) == {"Blood sugar": ["6 mmol/l", "5.6 mmol/l", "5.55 mmol/l"]}


def test_forgotten_value_leaves_the_line(anns, ann, home, told):
    told(*WEIGHTS, "I weigh 78 kg", replace=False)
    assert len(values_on(anns)["Weight"]) == 4
    service.forget(
        retraction_scope(ann.pk, home.pk), [Memory.objects.get(content=WEIGHTS[1]).pk]
    )
    assert values_on(anns) == {"Weight": ["78 kg", "79.5 kg", "82 kg"]}


def test_forgetting_the_newest_value_takes_its_earlier_ones_along(
    anns, ann, home, told
):
    *_, last = told(*WEIGHTS)
    service.forget(retraction_scope(ann.pk, home.pk), [last.pk])
    assert lines_on(anns) == {}


def test_value_that_was_corrected_by_hand_was_never_true(anns, told):
    told("I weigh 820 lb", *WEIGHTS, reason=Reason.EDITED)
    assert lines_on(anns) == {}


def test_value_of_a_withdrawn_message_is_no_point(anns, told):
    rows = told(*WEIGHTS, replace=False)
    rows[0].withdraw()
    assert lines_on(anns) == {}


def test_line_has_values_of_its_person_alone(anns, told, home, mia):
    told("I weigh 60 kg", "I weigh 61 kg", replace=False)
    told("Mia weighs 21 kg", subject="daughter Mia", person=mia)
    told("Mother weighs 70 kg", subject="mother")
    told("She weighs 50 kg", subject="?")
    leo = PersonFactory(space=home, name="Leo")
    for path in ("/people/you", f"/people/{mia.pk}", f"/people/{leo.pk}"):
        assert lines_on(anns, path) == {}
    told(
        *(f"Mia weighs {n} kg" for n in (22, 23)),
        subject="daughter Mia",
        person=mia,
        replace=False,
    )
    (values,) = values_on(anns, f"/people/{mia.pk}").values()
    assert sorted(values) == ["21 kg", "22 kg", "23 kg"]
    assert lines_on(anns) == {}
    assert lines_on(anns, f"/people/{leo.pk}") == {}


def test_other_member_sees_no_line_of_what_they_did_not_tell(bobs, told, mia):
    told(
        *(f"Mia weighs {n} kg" for n in (21, 22, 23)),
        subject="daughter Mia",
        person=mia,
    )
    told(*WEIGHTS)
    for path in ("/people/you", f"/people/{mia.pk}"):
        assert lines_on(bobs, path) == {}


def test_picture_is_told_in_words(anns, told):
    told(*WEIGHTS)
    page = anns.get("/people/you").text
    assert '<title id="measure-weight-title">Weight</title>' in page
    assert "3 values, 2 March 2026 to 16 March 2026: 82\xa0kg, …, 79.5\xa0kg" in page
    (picture,) = re.findall(r"<svg viewBox=.0 0 320.*?</svg>", page, re.DOTALL)
    assert picture.count("<circle") == 3


def test_day_that_was_said_is_the_day_of_the_value(anns, told):
    told("I weigh 82 kg", "I weighed 80 kg yesterday", "On 12 March I weighed 79 kg")
    (rows,) = lines_on(anns).values()
    days = [day for day, _, _ in rows]
    assert days == ["12 March 2026", "8 March 2026", "2 March 2026"]


def test_value_leads_to_the_conversation_that_told_it(anns, ann, home, told):
    conversation = start_conversation(ann, home, title="On the scale")
    message = say(conversation, "user", WEIGHTS[2])
    *_, last = told(*WEIGHTS)
    Memory.objects.filter(pk=last.pk).update(source_message=message)
    page = anns.get("/people/you").text
    _, _, table = page.partition('<figure class="measure">')
    assert table.partition("</figure>")[0].count("from “On the scale”") == 1
