"""What may go on a sheet, under which heading, and what fits."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from conversations.web.sheet import lines
from memory import service
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate
from people.scope import retraction_scope
from tests.conversations.web.sheet.sheets import groups_of, item_of, lines_of
from tests.factories import MemoryFactory, PersonFactory, ProfileUpdateFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


def test_facts_and_notes_stand_under_their_headings(anns, me, remembered):
    remembered("User is allergic to penicillin")
    remembered("User had the appendix removed in 2004")
    remembered("User's father had a heart attack at 50", subject="father")
    remembered("User's brother lives in Oslo", subject="brother")
    remembered("User lives in Bergen")
    assert groups_of(anns) == {
        "person": ["Name: Ann Berg", "Sex: female"],
        "allergy": ["Is allergic to penicillin"],
        "medicine": ["Sumatriptan 50 mg"],
        "condition": ["Migraine with aura"],
        "operation": ["Had the appendix removed in 2004"],
        "family": ["Father had a heart attack at 50"],
        "other": ["Zinc", "Lives in Bergen"],
    }


def test_measured_values_are_no_conditions(anns, me, remembered):
    remembered("My TSH is 2.4 mIU/l today")
    remembered("My blood pressure was 142/91 on 2 April")
    remembered("I have diabetes with HbA1c 8.1 %")
    groups = groups_of(anns)
    assert len(groups["measured"]) == 2
    assert any("HbA1c 8.1 %" in line for line in groups["condition"])


def test_allergies_conditions_and_medicines_are_ticked_at_first(anns, me, remembered):
    vital = remembered("User is allergic to penicillin"), remembered("I'm pregnant")
    remembered("User lives in Bergen")
    remembered("User's father had a heart attack", subject="father")
    ticked = anns.get("/sheet").context["ticked"]
    notes = {key for key in ticked if key.startswith(("medications", "health_notes"))}
    assert ticked - notes == {"name", *(str(fact.pk) for fact in vital)}
    assert len(notes) == 2


def test_name_and_birth_date_of_a_person_are_ticked_at_first(anns, home):
    leo = PersonFactory(space=home, name="Leo", date_of_birth=date(2022, 9, 3))
    assert anns.get(f"/sheet?person={leo.pk}").context["ticked"] == {
        "name",
        "date_of_birth",
    }


def test_only_what_is_ticked_is_shown_with_day_and_source(anns, me, remembered):
    remembered("User is allergic to penicillin")
    remembered("User has epilepsy")
    item = item_of(anns, "Is allergic to penicillin")
    page = anns.post("/sheet", {"item": [item], "questions": "Is it safe?\nWhy?"})
    assert lines_of(page) == ["Is allergic to penicillin", "Is it safe?", "Why?"]
    assert "epilepsy" not in page.text
    assert ", remembered)" in page.text


def test_line_of_notes_tells_who_noted_it_and_when(anns, bob, me):
    added = ProfileUpdateFactory(
        person=me, author=bob, new_value="- Migraine with aura", previous_value=""
    )
    page = anns.get("/sheet").text
    assert f"{added.created_at:%-d %B %Y}, noted by Bob" in page


def test_sheet_of_another_person_has_their_notes_and_facts_that_name_them(
    anns, me, home, remembered
):
    leo = PersonFactory(space=home, name="Leo", health_notes="- Asthma")
    remembered("Leo is allergic to nuts", subject="son Leo", person=leo)
    remembered("Leo has asthma", subject="?")
    remembered("User is allergic to penicillin")
    found = groups_of(anns, f"?person={leo.pk}")
    texts = {text for group in found.values() for text in group}
    assert texts == {"Name: Leo", "Sex: female", "Asthma", "Leo is allergic to nuts"}


def test_facts_of_other_members_and_of_other_spaces_are_not_offered(
    anns, bob, home, me, remembered
):
    MemoryFactory(user=bob, space=home, content="User has epilepsy")
    remembered("User has gout", space=PersonFactory().space)
    page = anns.get("/sheet").text
    assert "epilepsy" not in page
    assert "gout" not in page


def test_facts_are_not_offered_where_members_are_not_shown_their_memory(
    anns, home, me, remembered
):
    remembered("User is allergic to penicillin")
    home.memory_page = False
    home.save()
    assert "penicillin" not in anns.get("/sheet").text


def test_user_without_a_person_chooses_one(anns, home):
    leo = PersonFactory(space=home, name="Leo", health_notes="- Asthma")
    page = anns.get("/sheet").text
    assert "Asthma" not in page
    assert f"/sheet?person={leo.pk}" in page
    assert 'href="/sheet" aria-current="page">You<' in page
    assert 'href="/sheet">You<' in anns.get(f"/sheet?person={leo.pk}").text


def test_person_of_another_space_is_not_there(anns):
    other = PersonFactory(health_notes="- Gout")
    assert anns.get(f"/sheet?person={other.pk}").status_code == 404
    assert anns.get("/sheet?person=x").status_code == 404


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({}, "Tick at least one line."),
        ({"item": ["allergy:no-such-key", "nothing", "\x00:\x00"]}, "Tick at least"),
        ({"item": ["person:name"], "questions": "x" * 1001}, "at most 1000"),
        ({"item": ["person:name"], "questions": "Why?\n" * 60}, "at most 60 lines"),
    ],
)
def test_choice_that_is_no_sheet_says_why(anns, me, form, told):
    for address in ("/sheet", "/sheet/links"):
        answer = anns.post(address, form)
        assert told in answer.text
        assert answer.status_code == 422


def test_change_keeps_what_was_ticked_and_written(anns, me):
    form = {"item": ["person:name"], "questions": "Why?", "change": "yes"}
    page = anns.post("/sheet", form)
    assert page.context["ticked"] == {"name"}
    assert ">\nWhy?</textarea>" in page.text


def test_corrected_fact_reads_as_corrected_and_a_forgotten_one_leaves(
    anns, ann, home, remembered
):
    remembered("User takes 20 mg of atorvastatin")
    gout = remembered("User has gout")
    items = [item_of(anns, text) for text in ("Atorvastatin 20 mg", "Has gout")]
    scope = retraction_scope(ann.pk, home.pk)
    fact = item_of(anns, "Atorvastatin 20 mg").partition(":")[2]
    for dose in (40, 60):
        prepared = service.prepare_facts(
            [Candidate(f"User takes {dose} mg of atorvastatin")], NO_HOUSEHOLD
        )
        fact = service.correct(scope, fact, prepared).memory_id
    service.erase(scope, [gout.pk])
    page = anns.post("/sheet", {"item": items})
    assert lines_of(page) == ["Atorvastatin 60 mg"]
    assert "gout" not in page.text


def test_very_many_facts_are_cut_but_none_that_concerns_safety(
    anns, home, remembered, monkeypatch
):
    monkeypatch.setattr(lines, "MOST_LINES", 2)
    pacemaker = remembered("User has a pacemaker", safety=True)
    for number in range(3):
        remembered(f"User saw film number {number}")
    texts = [text for group in groups_of(anns).values() for text in group]
    assert texts == ["Has a pacemaker", "Saw film number 2"]
    older = remembered("User read a book", stated_at=timezone.now() - timedelta(days=9))
    page = anns.post(
        "/sheet", {"item": [f"other:{one.pk}" for one in (pacemaker, older)]}
    )
    assert lines_of(page) == ["Has a pacemaker", "Read a book"]


@pytest.mark.parametrize("subject", ["?", None])
def test_fact_about_whom_it_is_not_sure_is_on_no_sheet(
    anns, me, home, remembered, subject
):
    mia = PersonFactory(space=home, name="Mia")
    remembered("Takes montelukast 5 mg", subject=subject)
    for query in ("", f"?person={mia.pk}"):
        assert "ontelukast" not in anns.get(f"/sheet{query}").text


def test_medicine_of_a_child_is_on_the_sheet_of_the_child_alone(
    anns, me, home, remembered
):
    mia = PersonFactory(space=home, name="Mia")
    about = {"subject": "daughter Mia", "person": mia}
    remembered("Mia: she takes montelukast 5 mg every evening", **about)
    remembered("Mia: she is 7 and she has asthma", **about)
    assert groups_of(anns, f"?person={mia.pk}") == {
        "person": ["Name: Mia", "Sex: female"],
        "condition": ["Is 7 and she has asthma"],
        "medicine": ["Montelukast 5 mg, every evening"],
    }
    assert "ontelukast" not in anns.get("/sheet").text


def test_family_history_is_illnesses_of_blood_relatives(anns, me, remembered):
    remembered("User's mother has diabetes", subject="mother")
    remembered("User's husband has epilepsy", subject="husband")
    remembered("The dog has arthritis", subject="dog")
    remembered("Leo is allergic to peanuts", subject="son Leo")
    assert groups_of(anns)["family"] == ["Mother has diabetes"]
    assert "epilepsy" not in anns.get("/sheet").text
    assert "peanuts" not in anns.get("/sheet").text


def test_blood_group_is_of_the_person_and_an_appointment_is_no_operation(
    anns, me, remembered
):
    remembered("My blood group is A Rh+")
    remembered("I have Hashimoto's")
    remembered(
        "Colonoscopy appointment on 14 January",
        stated_at=datetime(2026, 11, 28, 12, tzinfo=UTC),
    )
    with time_machine.travel(datetime(2026, 12, 1, 12, tzinfo=UTC), tick=True):
        found = groups_of(anns)
        ticked = anns.get("/sheet").context["ticked"]
    assert found["person"][-1] == "My blood group is A Rh+"
    assert "Has Hashimoto's" in found["condition"]
    assert found["ahead"] == ["Colonoscopy appointment on 14 January"]
    assert "operation" not in found
    assert len(ticked) == 4  # the name, Hashimoto's and the two of the notes


def test_dose_that_may_be_replaced_is_told_as_unsettled(anns, me, remembered):
    older = remembered("I take 75 micrograms of levothyroxine every morning")
    remembered("My doctor put the levothyroxine up to 88 micrograms", may_replace=older)
    lines = groups_of(anns)["medicine"]
    (line,) = (line for line in lines if "evothyroxine" in line)
    assert line.startswith("Levothyroxine 88 micrograms, since ")
    assert line.endswith("; not settled, perhaps still: 75 micrograms")
