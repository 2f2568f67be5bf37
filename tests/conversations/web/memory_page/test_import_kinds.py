"""Kinds of files on the import page: what it asks, counts and says that it did not read."""

import json
import re

import pytest

from memory.models import CaptureJob, Memory
from tests.conversations.attachments.papers import UNSURE
from tests.conversations.exports import records
from tests.conversations.exports.shapes import ANDROID, CELLO, SHAPES, of
from tests.conversations.web.memory_page.test_importing import bring, previewed
from tests.factories import PersonFactory

__all__ = ["bring"]  # a fixture
pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


def test_preview_says_whose_record_it_is_and_stores_nothing(bring):
    answer = bring(records.FHIR, "bundle.json")
    assert "health record of Emma Li Berg, 2019-04-02" in answer.text
    assert "5 other entries were not read." in answer.text
    assert len(previewed(answer)["New"]) == len(records.FHIR_FACTS)
    assert not Memory.objects.exists()
    bring(records.FHIR, "bundle.json", confirm=True)
    assert {memory.content for memory in Memory.objects.active()} <= records.FHIR_FACTS


def test_record_of_a_person_of_the_space_is_about_that_person(bring, home):
    emma = PersonFactory(space=home, name="Emma Li Berg")
    bring(records.FHIR, "bundle.json", confirm=True)
    assert {memory.person for memory in Memory.objects.active()} == {emma}
    told = Memory.objects.active().get(content__contains="Penicillin")
    assert told.content == "Emma Li Berg is allergic to Penicillin V (Hives)"


def test_record_of_a_name_that_is_not_the_users_is_not_the_users(bring, home, ann):
    PersonFactory(space=home, name="Ann", user=ann)
    bring(records.FHIR, "bundle.json", confirm=True)
    told = Memory.objects.active().get(content__contains="Penicillin")
    assert told.subject == "Emma Li Berg"


def test_bulk_data_of_fhir_has_a_resource_in_each_line(bring):
    lines = "\n".join(json.dumps(resource) for resource in records.RESOURCES)
    answer = bring(lines, "bulk.ndjson")
    assert "health record of Emma Li Berg, 2019-04-02" in answer.text
    assert len(previewed(answer)["New"]) > 5
    packed = bring(of({"a.ndjson": lines}), "bulk.zip")
    assert previewed(packed) == previewed(answer)


def test_chat_asks_who_the_user_is_and_learns_from_own_words(bring):
    asked = bring(ANDROID, "chat.txt")
    assert asked.status_code == 422
    assert "Which name is yours?" in asked.text
    assert asked.text.count('name="whose"') == 2
    answer = bring(ANDROID, "chat.txt", answers={"whose": "Ann"})
    assert "2 of 3 messages of yours were read; 1 is a file." in answer.text
    assert '<input type="hidden" name="whose" value="Ann">' in answer.text
    bring(ANDROID, "chat.txt", answers={"whose": "Ann"}, confirm=True)
    texts = {job.payload["text"] for job in CaptureJob.objects.all()}
    assert texts == {"But I eat fish.", CELLO}  # the guards of spoken words apply


def test_memory_of_claude_and_its_conversations_come_together(bring):
    answer = bring(SHAPES["Claude's zip with its memory"].content, "data.zip")
    assert previewed(answer) == {"New": ["Is a nurse in Turku.", "Has a dog: Rolf."]}
    assert "1 of 1 messages that you wrote was not imported yet." in answer.text


@pytest.mark.parametrize(
    ("text", "encoding"), [("Ich vertrage kein Weißbrot, es bläht.", "cp1252")]
)
def test_list_in_letters_of_windows_is_read(bring, text, encoding):
    answer = bring(text.encode(encoding), "saved.txt")
    assert previewed(answer) == {"New": [text]}


@pytest.mark.parametrize(("encoding", "other", "text"), UNSURE)
def test_letters_that_may_be_others_are_asked_for(bring, encoding, other, text):
    asked = bring(text.encode(encoding), "saved.txt")
    offered = re.findall(r'name="encoding" value="([^"]+)"', asked.text)
    assert sorted(offered) == sorted([encoding, other])
    answer = bring(text.encode(encoding), "saved.txt", answers={"encoding": encoding})
    shown = " ".join(line for lines in previewed(answer).values() for line in lines)
    assert text.split("\n")[0].strip() in shown
