"""What may go on a sheet, under which heading, and what fits."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.web.sheet import lines
from memory import service
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
        "other": ["Zinc", "Lives in Bergen", "Brother lives in Oslo"],
    }


def test_allergies_and_medicines_are_ticked_at_first(anns, me, remembered):
    fact = remembered("User is allergic to penicillin")
    remembered("User has epilepsy")
    ticked = anns.get("/sheet").context["ticked"]
    assert {str(fact.pk), "name"} < ticked
    assert len(ticked) == 3


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
    remembered("Leo is allergic to nuts", subject="Leo", person=leo)
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
    items = [
        item_of(anns, text) for text in ("Takes 20 mg of atorvastatin", "Has gout")
    ]
    scope = retraction_scope(ann.pk, home.pk)
    fact = item_of(anns, "Takes 20 mg of atorvastatin").partition(":")[2]
    for dose in (40, 60):
        prepared = service.prepare_facts(
            [Candidate(f"User takes {dose} mg of atorvastatin")]
        )
        fact = service.correct(scope, fact, prepared).memory_id
    service.erase(scope, [gout.pk])
    page = anns.post("/sheet", {"item": items})
    assert lines_of(page) == ["Takes 60 mg of atorvastatin"]
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
