"""What the pages say about memory that is off or that leaves a conversation out."""

import pytest

from people.models import Membership
from tests.conversations import transcripts
from tests.factories import MemoryFactory, PersonFactory


@pytest.fixture
def off(ann):
    ann.memory_on = False
    ann.save()


def test_page_of_a_user_without_memory_promises_none(anns, off):
    page = anns.get("/chat/new").text
    assert "Memory is off" in page
    assert "Turn on" in page
    assert "the next conversation will know it" not in page
    assert 'name="forgetful"' not in page


def test_button_turns_memory_on_and_returns(anns, ann, home, off):
    conversation = transcripts.start_conversation(ann, home)
    address = f"/chat/{conversation.pk}"
    assert "Memory is off" in anns.get(address).text
    answer = anns.post("/memory/on", {"conversation": conversation.pk})
    assert answer.headers["Location"] == address
    ann.refresh_from_db()
    assert ann.memory_on
    assert "Memory is off" not in anns.get(address).text
    assert 'name="forgetful"' in anns.get("/chat/new").text
    assert anns.post("/memory/on").headers["Location"] == "/chat/new"


@pytest.mark.req("S3-14")
@pytest.mark.django_db(transaction=True)
def test_pages_say_that_the_household_switched_memory_off(anns, bobs, ann, home):
    type(home).objects.update(memory_on=False, memory_page=True)
    MemoryFactory(user=ann, space=home, content="User plays the violin")
    conversation = transcripts.start_conversation(ann, home)
    for address in ("/chat/new", f"/chat/{conversation.pk}", "/memory"):
        page = anns.get(address).text
        assert "Memory is off in this household" in page
        assert "Turn on" not in page
        assert f'href="/spaces/{home.pk}/settings"' in page.partition("<main")[2]
    for offered in ('name="forgetful"', "next conversation will know it"):
        assert offered not in anns.get("/chat/new").text
    assert "violin" in anns.get("/memory").text
    assert "/memory/new" not in anns.get("/memory").text
    Membership.objects.filter(user__name="Bob").update(role="member")
    of_member = bobs.get("/chat/new").text
    assert "Memory is off in this household" in of_member
    assert "Household settings" not in of_member


@pytest.mark.parametrize("key", ["nonsense", "0" * 32])
def test_button_of_an_unknown_conversation_is_not_found(anns, home, key):
    assert anns.post("/memory/on", {"conversation": key}).status_code == 404


def test_conversation_of_another_is_not_found(anns, bob, home):
    conversation = transcripts.start_conversation(bob, home)
    key = {"conversation": conversation.pk}
    assert anns.post("/memory/on", key).status_code == 404


def test_conversation_that_is_not_remembered_says_so(anns, ann, home):
    conversation = transcripts.start_conversation(ann, home, remember=False)
    page = anns.get(f"/chat/{conversation.pk}").text
    assert "This conversation is not remembered" in page
    assert "Memory is off" not in page


def test_hint_names_the_space(anns, ann, home):
    assert "Message Meddie in Home…" in anns.get("/chat/new").text


def test_running_conversation_is_left_out_and_taken_back(anns, ann, home):
    conversation = transcripts.start_conversation(ann, home)
    address = f"/chat/{conversation.pk}/remember"
    said = "This conversation is not remembered"
    assert said in anns.post(address, {"forgetful": "1"}).text
    assert 'value="1" checked' in anns.get(f"/chat/{conversation.pk}").text
    assert said not in anns.post(address).text
    conversation.refresh_from_db()
    assert conversation.remember


def test_switch_of_another_s_conversation_is_not_found(anns, bob, home):
    conversation = transcripts.start_conversation(bob, home)
    assert anns.post(f"/chat/{conversation.pk}/remember").status_code == 404


def test_own_page_asks_what_to_keep_in_mind(anns, ann, home):
    PersonFactory(space=home, user=ann, name="Ann")
    leo = PersonFactory(space=home, name="Leo")
    assert "What should I keep in mind?" in anns.get("/chat/new").text
    assert "Ask Meddie about Leo" in anns.get(f"/chat/new?person={leo.pk}").text
    ann.memory_on = False
    ann.save()
    assert "What would you like to know?" in anns.get("/chat/new").text
