"""The pages of the chat, for their own user only."""

from datetime import date, timedelta

import pytest
from django.db import transaction
from django.urls import reverse
from markdown_it import MarkdownIt

from conversations.models import Conversation, Message
from conversations.reply.append_messages import append_line
from conversations.web.listing import group_name
from people.models import Membership
from tests.conversations import transcripts
from tests.corpus import each_of
from tests.factories import MemoryFactory, PersonFactory, SpaceFactory

HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(ann, home) -> Conversation:
    conversation = transcripts.start_conversation(ann, home, title="Knee pain")
    transcripts.exchange(conversation, "My knee hurts.", "Since **when**?")
    return conversation


def page(client, conversation, name="show", *args):
    return client.get(reverse(f"conversations:{name}", args=[conversation.pk, *args]))


def test_home_page_redirects_to_a_new_conversation(anns):
    assert anns.get("/").headers["Location"] == "/chat/new"


@pytest.mark.req("S0-48")
def test_looking_at_a_new_conversation_stores_nothing(anns):
    assert anns.get("/chat/new").status_code == 200
    assert Conversation.objects.count() == 0


def test_conversation_shows_its_messages(anns, conversation):
    content = page(anns, conversation).content.decode()
    assert "My knee hurts." in content
    assert "Since <strong>when</strong>?" in content
    assert "Meddie provides informational responses only." in content


@pytest.mark.parametrize("name", ["show", "rename", "delete"])
def test_conversation_of_another_member_is_not_found(bobs, conversation, name):
    assert page(bobs, conversation, name).status_code == 404


@pytest.mark.req("B-19")
def test_former_member_cannot_reach_the_conversation(anns, conversation, ann):
    SpaceFactory(members=[ann])
    Membership.objects.filter(user=ann, space=conversation.space).delete()
    assert page(anns, conversation).status_code == 404
    assert "Knee pain" not in anns.get("/chat").content.decode()


def test_visitor_signs_in_and_returns_to_the_page(client, conversation):
    answer = page(client, conversation)
    assert answer.headers["Location"] == f"/sign-in?next=/chat/{conversation.pk}"


def test_page_without_a_session_is_sent_to_the_sign_in_page(client, conversation):
    here = {"HX-Current-URL": f"http://testserver/chat/{conversation.pk}"}
    answer = client.post("/chat/send", {"text": "Hello"}, headers=HTMX | here)
    assert answer.status_code == 401
    sign_in = f"/sign-in?lost=&next=/chat/{conversation.pk}"
    assert answer.headers["HX-Redirect"] == sign_in
    assert "You were signed out. What you wrote is kept." in client.get(sign_in).text


def test_expired_session_is_told_on_the_sign_in_page(client, conversation):
    client.cookies["sessionid"] = "expired"
    told = page(client, conversation).headers["Location"]
    assert told == f"/sign-in?lost=&next=/chat/{conversation.pk}"
    assert "You were signed out." in client.get(told).text
    assert "You were signed out." not in client.get("/sign-in").text


def test_a_form_without_a_session_returns_to_a_new_conversation(client, db):
    answer = client.post("/chat/send", {"text": "Hello"})
    assert answer.headers["Location"] == "/sign-in?next=/"


def test_user_without_a_space_starts_with_a_conversation_about_oneself(client, ann):
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    started = client.get("/", follow=True)
    assert started.redirect_chain == [("/chat/new", 302)]
    assert started.context["person"].user == ann


def test_opening_a_conversation_switches_to_its_space(anns, ann, conversation):
    other = SpaceFactory(name="Another", members=[ann])
    elsewhere = transcripts.start_conversation(ann, other, title="Elsewhere")
    assert page(anns, elsewhere).status_code == 200
    content = anns.get("/chat").content.decode()
    assert "Elsewhere" in content
    assert "Knee pain" not in content


class TestList:
    def test_shows_own_conversations_by_day(self, anns, ann, bob, home):
        for days, title in ((0, "Now"), (1, "Before"), (5, "Days ago"), (30, "Old")):
            transcripts.start_conversation(ann, home, title=title, days_ago=days)
        transcripts.start_conversation(bob, home, title="Bob's secret")
        content = anns.get("/chat").content.decode()
        found = [
            content.index(name) for name in ("Today", "Yesterday", "Previous 7 days")
        ]
        assert found == sorted(found)
        assert "Bob" not in content

    @each_of(
        ("days", "name"),
        [
            (0, "Today"),
            (1, "Yesterday"),
            (2, "Previous 7 days"),
            (7, "Previous 7 days"),
            (8, "Earlier"),
        ],
    )
    def test_conversations_are_grouped_by_day(self, days, name):
        today = date(2026, 11, 21)
        assert group_name(today - timedelta(days=days), today) == name

    def test_is_empty_at_first(self, anns):
        assert "No conversations yet." in anns.get("/chat").content.decode()

    def test_further_conversations_are_on_another_page(self, anns, ann, home):
        for number in range(51):
            transcripts.start_conversation(
                ann, home, title=f"Chat {number:02}", days_ago=number
            )
        first = anns.get("/chat").content.decode()
        assert "Chat 00" in first
        assert "Chat 50" not in first
        assert "Chat 50" in anns.get("/chat?page=2").content.decode()

    @pytest.mark.parametrize("number", ["0", "-1", "two", "²", "1.5"])
    def test_first_page_is_shown_for_a_number_that_is_none(
        self, anns, conversation, number
    ):
        shown = anns.get("/chat", {"page": number}).content.decode()
        assert "Knee pain" in shown

    def test_page_with_a_number_of_5000_digits_is_empty(self, anns, conversation):
        answer = anns.get("/chat", {"page": "9" * 5000})
        assert answer.status_code == 200
        assert "Knee pain" not in answer.content.decode().partition("<main")[2]


@pytest.mark.parametrize("path", ["/chat", "/chat/new", "stored"])
@pytest.mark.parametrize("count", [1, 30])
def test_pages_need_a_fixed_number_of_queries(
    anns, conversation, count, path, django_assert_num_queries
):
    ann, home, person = (
        conversation.user,
        conversation.space,
        PersonFactory(space=conversation.space),
    )
    for number in range(count):
        other = transcripts.start_conversation(
            ann, home, title=f"Chat {number}", person=person
        )
        transcripts.exchange(other, "Question", "Answer")
        transcripts.exchange(conversation, "Question", "Answer")
    path = f"/chat/{conversation.pk}" if path == "stored" else path
    anns.get(path)
    expected = {"/chat": 8, "/chat/new": 11}.get(path, 13)
    with django_assert_num_queries(expected):
        anns.get(path)


def test_open_page_loads_new_messages(anns, conversation):
    last = conversation.messages.in_order().last()
    path = reverse("conversations:show", args=[conversation.pk])
    seen = {"last": f"message-{last.pk}"}
    assert anns.get(path, seen, headers=HTMX).status_code == 204
    transcripts.exchange(conversation, "And now?", "Rest.")
    content = anns.get(path, seen, headers=HTMX).content.decode()
    assert "Rest." in content
    assert "<html" not in content


class TestPerson:
    @pytest.mark.req("B-14")
    def test_the_linked_person_is_the_default(self, anns, ann, home):
        PersonFactory(space=home, name="Tomek", position=0)
        PersonFactory(space=home, name="Me", position=1, user=ann, health_notes="x")
        content = anns.get("/chat/new").content.decode()
        assert "selected>Me<" in content
        assert "What should I keep in mind?" in content

    def test_picker_can_choose_no_person(self, anns, ann, home):
        PersonFactory(space=home, user=ann, name="Me")
        content = anns.get("/chat/new?person=", headers=HTMX).content.decode()
        assert "Start a conversation with Meddie" in content

    @pytest.mark.req("B-17")
    def test_person_of_another_space_is_not_chosen(self, anns, home):
        stranger = PersonFactory(name="Stranger")
        content = anns.get(f"/chat/new?person={stranger.pk}").content.decode()
        assert "Stranger" not in content

    def test_person_is_fixed_after_the_first_message(self, anns, conversation, home):
        conversation.person = PersonFactory(space=home, name="Tomek")
        conversation.save()
        content = page(anns, conversation).content.decode()
        assert "person-picker" not in content
        assert "Tomek" in content

    @pytest.mark.req("B-16")
    def test_user_sees_that_the_person_was_deleted(self, anns, conversation):
        conversation.person_removed = True
        conversation.save()
        assert (
            "The person profile is no longer available."
            in page(anns, conversation).content.decode()
        )


class TestLongConversation:
    @pytest.fixture
    def long(self, conversation):
        for number in range(60):
            transcripts.exchange(
                conversation, f"Question {number}.", f"Answer {number}."
            )
        return conversation

    def test_shows_the_newest(self, anns, long):
        content = page(anns, long).content.decode()
        assert "Answer 59." in content
        assert "Question 34." not in content
        assert "Show earlier messages" in content

    def test_earlier_messages_are_loaded_as_a_part(self, anns, long):
        first = Message.objects.get(content="Question 35.").seq
        path = reverse("conversations:earlier", args=[long.pk, first])
        content = anns.get(path, headers=HTMX).content.decode()
        assert "Answer 34." in content
        assert "Question 35." not in content
        assert "<html" not in content

    def test_shows_earlier_ones_as_a_page_without_script(self, anns, long):
        content = page(anns, long, "earlier", 3).content.decode()
        assert "My knee hurts." in content
        assert "Show earlier messages" not in content
        assert "Show the newest messages" in content


@pytest.mark.parametrize(
    ("status", "error", "sentence"),
    [
        ("stopped", "", "You stopped this reply."),
        ("interrupted", "interrupted", "The reply was interrupted before its end."),
        ("failed", "rate_limited", "The model provider has too many requests"),
        ("failed", "wrong_key", "did not accept Meddie&#x27;s key"),
        ("failed", "something new", "Something went wrong. Please try again."),
    ],
)
def test_a_reply_without_an_end_says_why(anns, conversation, status, error, sentence):
    reply = transcripts.exchange(conversation, "And?", "Half a", status)
    Message.objects.filter(pk=reply.pk).update(error=error)
    content = page(anns, conversation).content.decode()
    assert sentence in content
    assert "Try again" in content
    assert "Half a" in content


NOTED = "Noted."
NOTHING = "I have no answer to that. Try asking in other words."


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        ("", "remembered", NOTED),
        ("\n", "deferred", NOTED),
        ("[tea]: http://tea.example", "forgotten", NOTED),
        ("", "", NOTHING),
        ("\n", "", NOTHING),
        ("&nbsp;", "", NOTHING),
        ("", "not_remembered", ""),
        ("Yes.", "", ""),
        ("> " * 25 + "Yes.", "", ""),
    ],
)
def test_reply_without_visible_text_says_what_it_did(
    anns, conversation, text, line, shown
):
    reply = transcripts.exchange(conversation, "I am allergic to nuts.", text)
    if line:
        with transaction.atomic():
            append_line(reply, "A line.", line_kind=line)
    content = page(anns, conversation).content.decode()
    assert [told for told in (NOTED, NOTHING) if told in content] == (
        [shown] if shown else []
    )


def test_page_parses_each_reply_once(anns, conversation, monkeypatch):
    parsed = []

    def parse(self, text, env=None):
        parsed.append(text)
        return original(self, text, env)

    original = MarkdownIt.parse
    monkeypatch.setattr(MarkdownIt, "parse", parse)
    replies = ["**Tea**", "1. Cake", "&nbsp;", "Milk"]
    for reply in replies:
        transcripts.exchange(conversation, "And?", reply)
    page(anns, conversation)
    assert [text for text in parsed if text in replies] == replies


def test_without_script_a_running_reply_can_be_reloaded(anns, conversation):
    reply = transcripts.exchange(conversation, "And?", "Half a", "streaming")
    content = page(anns, conversation).content.decode()
    assert (
        f'<noscript><a href="/chat/{conversation.pk}">Reload</a></noscript>' in content
    )
    assert "Half a" in content
    assert f'data-stream="/chat/reply/{reply.pk}/stream"' in content


def test_first_steps_follow_the_version_of_a_first_message(anns, ann, home):
    conversation = transcripts.start_conversation(ann, home)
    old = transcripts.say(conversation, "user", "I take 20 mg of atorvastatin")
    new = transcripts.say(conversation, "user", "My mother has type 2 diabetes")
    Message.objects.filter(pk=old.pk).update(status="superseded")
    Message.objects.filter(pk=new.pk).update(first_version=old)
    content = anns.get("/chat/new").text
    assert "Which illnesses run in my family?" in content
    assert "Which medicines do I take?" not in content


def test_a_user_who_told_something_else_is_offered_questions(anns, ann, home):
    MemoryFactory(user=ann, space=home, content="User has asthma")
    content = anns.get("/chat/new").text
    assert "I take 20 mg of atorvastatin" not in content
    assert "Which medicines do I take?" in content


@pytest.mark.req("S0-48")
def test_the_address_of_the_document_begins_a_conversation(anns):
    answer = anns.get("/ask-meddie/new?person=x", follow=True)
    assert answer.redirect_chain == [("/chat/new?person=x", 302)]
    assert answer.status_code == 200
