"""The emergency card: what is ticked by hand, on paper and as a picture."""

from io import BytesIO

import pytest
from PIL import Image

from conversations.models import EmergencyCard
from conversations.web.sheet.card_picture import (
    CardLine,
    card_fits,
    draw_card,
    is_right_to_left,
    without_letters,
)
from tests.conversations.web.sheet.sheets import lines_of
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


def form_of(items, *contacts):
    form = {"item": items, "form-TOTAL_FORMS": "3", "form-INITIAL_FORMS": "0"}
    for number, (name, phone) in enumerate(contacts):
        form |= {f"form-{number}-name": name, f"form-{number}-phone": phone}
    return form


def item_of(client, text, query=""):
    for group in client.get(f"/card/choose{query}").context["groups"]:
        for line in group.lines:
            if line.text == text:
                return f"{group.name}:{line.key}"
    raise LookupError(text)


@pytest.fixture
def allergy(remembered):
    return remembered("I'm allergic to penicillin")


def test_nothing_is_on_the_card_by_itself(anns, me, allergy):
    page = anns.get("/card", follow=True)
    assert page.redirect_chain == [("/card/choose?person=" + str(me.pk), 302)]
    assert page.context["ticked"] == set()
    assert " checked" not in page.text
    assert anns.get("/card/picture").status_code == 404


def test_card_has_what_was_ticked_and_typed_and_keeps_it(anns, me, allergy, remembered):
    remembered("My blood group is A Rh+")
    remembered("User lives in Bergen")
    ticked = ["Is allergic to penicillin", "My blood group is A Rh+"]
    items = [item_of(anns, text) for text in ticked]
    form = form_of([*items, "person:name"], ("Bob", "+47 555"), ("", ""))
    page = anns.post("/card/choose", form, follow=True)
    assert set(lines_of(page)) == {"Name: Ann Berg", *ticked, "Bob +47 555"}
    assert "Bergen" not in page.text
    again = anns.get("/card/choose")
    assert len(again.context["ticked"]) == 3
    assert 'value="+47 555"' in again.text
    anns.post("/card/choose", form_of(["person:name"]))
    assert lines_of(anns.get("/card")) == ["Name: Ann Berg"]
    assert EmergencyCard.objects.count() == 1


def test_lines_are_in_the_order_in_which_they_are_offered(anns, home, me):
    me.name, me.sex = "Ann", "female"
    me.medications = "- Ramipril 5 mg\n- Apixaban 5 mg\n- Bisoprolol 2.5 mg"
    me.save()
    page = anns.get("/card/choose")
    offered = [(g.name, line) for g in page.context["groups"] for line in g.lines]
    items = [f"{name}:{line.key}" for name, line in offered]
    anns.post("/card/choose", form_of(items[::-1]))
    shown = anns.get("/card").context["groups"]
    told = [line.text for group in shown for line in group.lines]
    assert told == [line.text for _name, line in offered]


def test_health_notes_under_any_heading_may_be_on_the_card(anns, me):
    me.health_notes = "- Keeps a canary"
    me.save()
    assert item_of(anns, "Keeps a canary").startswith("other:")


def test_forgotten_fact_leaves_the_card(anns, me, allergy):
    items = ["person:name", item_of(anns, "Is allergic to penicillin")]
    anns.post("/card/choose", form_of(items))
    anns.post(f"/memory/{allergy.pk}/forget")
    assert lines_of(anns.get("/card")) == ["Name: Ann Berg"]


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (form_of([]), "Tick at least one line."),
        (form_of(["person:name"], ("Bob", "")), "Write the number, too."),
        (form_of(["person:name"], ("x" * 61, "1")), "at most 60 characters"),
    ],
)
def test_choice_that_is_no_card_says_why(anns, me, form, told):
    answer = anns.post("/card/choose", form)
    assert told in answer.text
    assert answer.status_code == 422
    assert not EmergencyCard.objects.exists()


def test_card_has_no_room_for_too_much(anns, me, remembered):
    for number in range(25):
        remembered(f"I'm allergic to the wasps of valley number {number}")
    groups = anns.get("/card/choose").context["groups"]
    items = [f"{group.name}:{line.key}" for group in groups for line in group.lines]
    answer = anns.post("/card/choose", form_of(items))
    assert "There is no room for so much on a card." in answer.text
    assert answer.context["ticked"]


def test_card_is_the_members_own(anns, bobs, me, home, allergy):
    leo = PersonFactory(space=home, name="Leo")
    query = f"?person={leo.pk}"
    anns.post(f"/card/choose{query}", form_of(["person:name"], ("Ann", "12")))
    assert bobs.get(f"/card/picture{query}").status_code == 404
    assert "12" not in lines_of(bobs.get(f"/card{query}", follow=True))
    other = PersonFactory()
    assert anns.get(f"/card?person={other.pk}").status_code == 404


def test_picture_is_for_a_phone_and_kept_by_no_cache(anns, me):
    anns.post("/card/choose", form_of(["person:name"]))
    answer = anns.get("/card/picture")
    assert Image.open(BytesIO(answer.content)).size == (1080, 2340)
    assert "attachment" in answer.headers["Content-Disposition"]
    assert "no-store" in answer.headers["Cache-Control"]


def drawn(*texts):
    picture = Image.open(BytesIO(draw_card([CardLine(text) for text in texts])))
    return picture.convert("L").point(lambda light: 255 * (light > 128)).getbbox()


def test_picture_begins_at_the_side_where_one_reads():
    left, top, right, _ = drawn("Name: Ann")
    assert (left < 100, right < 540, top > 600) == (True, True, True)
    left, _, right, _ = drawn("الاسم: محمد")
    assert (left > 540, right > 980) == (True, True)
    assert is_right_to_left("1. שם")


def test_long_names_and_many_lines_stay_on_the_picture():
    texts = ["w" * 300, "Anna " * 40, *(f"Allergy number {n}" for n in range(15))]
    assert card_fits([CardLine(text) for text in texts])
    left, _, right, bottom = drawn(*texts)
    assert (left >= 70, right <= 1010, bottom <= 2110) == (True, True, True)
    assert not card_fits([CardLine("w" * 4000)])


def test_letters_that_the_picture_does_not_have_are_told(anns, me):
    assert without_letters("Łucja محمد Пётр 林") == "林"
    me.name = "林"
    me.save()
    page = anns.post("/card/choose", form_of(["person:name"]), follow=True)
    assert "The picture has no letters for “林”." in page.text
