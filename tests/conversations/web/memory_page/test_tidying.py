"""The memory page lets a model tidy up what was kept without one."""

import json
import re

import pytest
from django.urls import reverse

from memory.models import CaptureJob, Memory
from tests.conversations import transcripts
from tests.factories import MemoryFactory
from tests.memory.jobs import run_due
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views
OFFER = "Let the model tidy up what was kept without one"
MEDICINE = "so these days I take Ramipril 5 mg in the morning"
TIDIED = "User takes Ramipril 5 mg in the morning"
TALK = "I had a lovely walk to the bakery"


def reads(body):
    lines = json.loads(body["messages"][-1]["content"]).get("message", "").splitlines()
    quoted = "I take Ramipril 5 mg in the morning"
    made = [{"text": TIDIED, "evidence": quoted, "about": "user", "kind": "profile"}]
    return says(json.dumps({"facts": made if MEDICINE in lines else []}))


@pytest.fixture
def kept(ann, home, openai_server):
    openai_server.titles.default = reads
    conversation = transcripts.start_conversation(ann, home)
    for text in (MEDICINE, TALK):
        message = transcripts.say(conversation, "user", text)
        told = {"answers": message, "model": "offline"}
        transcripts.say(conversation, "assistant", "Noted.", **told)
        MemoryFactory(user=ann, space=home, content=text, source_message=message)


def page(client):
    return client.get(reverse("memory_page:index")).text


def post(client, name, **data):
    return client.post(reverse(f"memory_page:{name}"), data, follow=True).text


def texts(ann):
    return set(
        Memory.objects.active().filter(user=ann).values_list("content", flat=True)
    )


def test_offer_preview_apply_and_undo(kept, anns, ann):
    text = page(anns)
    assert OFFER in text
    assert "2 things were kept in your own words" in text
    assert "The model reads what was kept without one: 0 of 2." in post(
        anns, "tidy_start"
    )
    run_due()
    assert "See what it would change" in page(anns)
    preview = anns.get(reverse("memory_page:tidy")).text
    shown = (MEDICINE, "Takes Ramipril 5 mg in the morning", "You · profile", TALK)
    assert all(part in preview for part in (*shown, "Left out: nothing of it lasts."))
    assert texts(ann) == {MEDICINE, TALK}
    keys = re.findall(r'name="take" value="([^"]+)" checked', preview)
    told = post(anns, "tidy", take=keys)
    assert "The model has tidied up 2 lines." in told
    assert texts(ann) == {TIDIED}
    assert "The change has been undone." in post(anns, "tidy_settle", answer="undo")
    assert texts(ann) == {MEDICINE, TALK}
    assert OFFER not in page(anns)


def test_only_what_is_ticked_is_changed(kept, anns, ann):
    post(anns, "tidy_start")
    run_due()
    told = post(anns, "tidy")
    assert "Nothing was selected." in told
    assert TALK in told
    post(anns, "tidy", take=[str(Memory.objects.get(content=TALK).pk)])
    assert texts(ann) == {MEDICINE}


def test_page_tells_what_stays_because_it_has_changed(kept, anns, ann):
    post(anns, "tidy_start")
    run_due()
    keys = [str(pk) for pk in Memory.objects.values_list("pk", flat=True)]
    Memory.objects.filter(content=TALK).update(subject="mother")
    told = post(anns, "tidy", take=keys)
    assert "1 stays as it was, because it has changed since" in told
    assert texts(ann) == {TIDIED, TALK}


def test_offer_that_is_declined_is_not_made_again(kept, anns, ann):
    assert OFFER not in post(anns, "tidy_settle")
    assert texts(ann) == {MEDICINE, TALK}


def test_page_says_that_the_provider_fails(kept, anns, openai_server):
    openai_server.titles.queue(*[fails(503)] * 9)
    post(anns, "tidy_start")
    run_due()
    told = "The model gives no answer at the moment. Meddie tries again by itself."
    note = anns.get(reverse("memory_page:tidy_note")).text
    assert told in note
    assert 'hx-trigger="every 4s"' in note
    openai_server.titles._next.clear()


def test_page_offers_to_go_on_after_too_many_failures(kept, anns):
    post(anns, "tidy_start")
    CaptureJob.objects.update(state="dead", error="timed_out")
    text = page(anns)
    assert "The model gives no answer at the moment." in text
    assert "by itself" not in text
    post(anns, "tidy_start")
    run_due()
    assert "See what it would change" in page(anns)


def test_change_that_cannot_be_embedded_is_kept_for_later(kept, anns, openai_server):
    post(anns, "tidy_start")
    run_due()
    openai_server.embeddings.queue(*[fails(503)] * 9)
    key = str(Memory.objects.get(content=MEDICINE).pk)
    assert "Meddie cannot store this right now." in post(anns, "tidy", take=[key])
    openai_server.embeddings._next.clear()
    assert "The model has tidied up 1 line." in post(anns, "tidy", take=[key])


def test_other_members_neither_see_nor_apply_it(kept, anns, bobs, ann):
    assert OFFER not in page(bobs)
    post(bobs, "tidy_start")
    assert not CaptureJob.objects.exists()
    post(anns, "tidy_start")
    run_due()
    keys = [str(pk) for pk in Memory.objects.values_list("pk", flat=True)]
    assert MEDICINE not in post(bobs, "tidy", take=keys)
    assert texts(ann) == {MEDICINE, TALK}


@pytest.mark.parametrize("name", ["tidy", "tidy_start"])
def test_without_memory_there_is_nothing_to_tidy(kept, anns, ann, name):
    ann.memory_on = False
    ann.save()
    assert anns.post(reverse(f"memory_page:{name}")).status_code == 404
    assert OFFER not in page(anns)
