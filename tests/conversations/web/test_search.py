"""Search in the list of conversations."""

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import Message
from conversations.web.listing import LONGEST_SNIPPET, marked, snippet
from tests.conversations import transcripts
from tests.factories import PersonFactory

HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(ann, home):
    conversation = transcripts.start_conversation(ann, home, title="Knee pain")
    transcripts.exchange(conversation, "My knee hurts.", "Since **when**?")
    return conversation


def search(client, query):
    return client.get("/chat", {"q": query}, headers=HTMX).content.decode()


@pytest.mark.parametrize(
    "query",
    ["knee", "HURTS", "since", "Tomek", "hurts my"],
    ids=["title", "message", "reply", "person", "words in any order"],
)
def test_title_messages_and_person_are_searched(anns, ann, home, conversation, query):
    conversation.person = PersonFactory(space=home, name="Tomek")
    conversation.save()
    transcripts.exchange(
        transcripts.start_conversation(ann, home, title="Diet"), "Milk?", "Yes."
    )
    content = search(anns, query)
    assert str(conversation.pk) in content
    assert "Diet" not in content


def test_hit_is_shown_in_a_snippet_and_leads_to_its_message(anns, conversation):
    message = conversation.messages.get(role="user")
    content = search(anns, "hurts")
    assert "My knee <mark>hurts</mark>." in content
    address = f"{reverse('conversations:message', args=[message.pk])}?q=hurts"
    assert f'href="{address}"' in content
    assert anns.get(address).headers["Location"] == (
        f"/chat/{conversation.pk}?q=hurts#message-{message.pk}"
    )


def test_old_message_is_shown_among_its_neighbours(anns, conversation):
    message = conversation.messages.get(role="user")
    for number in range(30):
        transcripts.exchange(conversation, f"Question {number}", "Answer")
    answer = anns.get(reverse("conversations:message", args=[message.pk]), follow=True)
    [(path, _)] = answer.redirect_chain
    assert path.endswith(f"#message-{message.pk}")
    assert f'id="message-{message.pk}"' in answer.content.decode()


def test_text_of_a_snippet_is_escaped(anns, conversation):
    transcripts.exchange(conversation, "<script>alert('rash')</script>", "Oh.")
    content = search(anns, "rash")
    assert "<script>alert" not in content
    assert "<mark>rash</mark>" in content


@pytest.mark.parametrize(
    "change",
    [
        {"status": "superseded"},
        {"withheld": True},
        {"role": "system"},
    ],
)
def test_only_current_and_told_messages_are_found(anns, conversation, change):
    Message.objects.update(**change)
    content = anns.get("/chat", {"q": "hurts"}).content.decode()
    assert "Nothing contains “hurts”." in content


def test_conversations_of_others_are_not_found(bobs, conversation):
    assert "Nothing contains" in search(bobs, "hurts")


def test_archived_conversations_are_found_and_named_so(anns, conversation):
    type(conversation).objects.archive()
    content = search(anns, "hurts")
    assert str(conversation.pk) in content
    assert "Archived" in content


def test_odd_characters_are_accepted(anns, conversation):
    assert "pain" in anns.get("/chat?q=kn%00ee", headers=HTMX).content.decode()
    for query in ("%00", "%25", "_", "(", "%5C"):
        assert anns.get(f"/chat?q={query}").status_code == 200


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=9), min_size=1))
def test_marks_change_no_text(text, words):
    assert "".join(piece for piece, _ in marked(text, words)) == text


@given(st.text(max_size=400), st.text(max_size=400))
def test_snippet_is_one_line_that_has_the_word(before, after):
    pieces = snippet(f"{before} knee {after}", ["knee"])
    line = "".join(piece for piece, _ in pieces)
    assert "\n" not in line
    assert len(line) <= LONGEST_SNIPPET + 2
    assert any(hit for _, hit in pieces)
