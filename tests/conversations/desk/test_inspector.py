"""The memory inspector: the prompt that a reply would get, and what recall weighed."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.models import Conversation, Receipt
from conversations.reply.prompt import prompts
from meddie.ai.embeddings import current_embedder
from memory.models import MemoryEvent, MemoryPolicy
from people.models import User
from tests.conversations import transcripts
from tests.conversations.turns import ask, noting, prompt_text, write
from tests.factories import (
    ApiKeyFactory,
    MembershipFactory,
    MemoryFactory,
    ProfileFactFactory,
    UserFactory,
)
from tests.fuzz.rows import Rows
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Am I allergic to ibuprofen?"
RIGHTS = ("view_memory", "view_profilefact", "view_conversation")


@pytest.fixture
def member(transactional_db):
    return MembershipFactory(user__email="ann@example.com")


@pytest.fixture
def viewer(transactional_db):
    user = UserFactory(is_staff=True, email="viewer@example.com")
    user.user_permissions.set(Permission.objects.filter(codename__in=RIGHTS))
    return user


@pytest.fixture
def desk(viewer):
    client = Client()
    client.force_login(viewer, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def facts(member, openai_server):
    """Facts, a profile, and an earlier conversation that is searched."""
    owner = {"user": member.user, "space": member.space}
    texts = ["User is allergic to ibuprofen", "User has a grey cat", "User has a dog"]
    embedder = current_embedder()
    kept = [MemoryFactory(**owner, content=t, embedder=embedder) for t in texts]
    ProfileFactFactory(**owner, key="name", value="Ann", importance=0.9)
    openai_server.chat.queue(noting("Ibuprofen is out, then."))
    write(ask(member, "The allergy to ibuprofen was found in Gdynia."))
    return kept


def inspect(desk, text=QUESTION, **fields):
    url = reverse("admin:inspector")
    given = {"user": "ann@example.com", "channel": "web", "message": text}
    return desk.post(url, given | fields)


def parts(page):
    """The parts of prompts that the page shows."""
    return [
        html.unescape(part)
        for part in re.findall(r"<pre[^>]*>(.*?)</pre>", page.text, re.DOTALL)
    ]


def sent_part(openai_server):
    """What the last prompt had of memory."""
    system = prompt_text(openai_server)
    known = system[system.index("# Long-term Memory") :].partition("\n\n# Taking")[0]
    added = system.partition(f"{prompts.ADDED}\n\n")[2]
    return f"{known}\n\n{added.partition('Today is')[0]}".strip()


@pytest.mark.req("B-39")
def test_part_of_the_prompt_is_that_of_a_reply(desk, member, facts, openai_server):
    (shown,) = parts(inspect(desk))
    openai_server.chat.queue(says("Yes."))
    write(ask(member, QUESTION))
    assert shown == sent_part(openai_server)
    for word in ("grey cat", "name: Ann", "found in Gdynia"):
        assert word in shown


@pytest.mark.parametrize(
    "message", [QUESTION, "Yes, please", "What do you know about me?"]
)
def test_part_of_the_prompt_in_a_conversation_is_that_of_a_reply(
    desk, member, facts, openai_server, message
):
    conversation = Conversation.objects.get()
    openai_server.chat.queue(noting("Shall I look for the allergy to ibuprofen?"))
    write(ask(member, "Hello again", conversation_id=conversation.pk))
    (shown,) = parts(inspect(desk, message, conversation=conversation.pk))
    openai_server.chat.queue(says("Yes."))
    write(ask(member, message, conversation_id=conversation.pk))
    assert shown == sent_part(openai_server)


def test_part_of_the_prompt_of_the_api_is_that_of_a_call(
    desk, member, facts, openai_server
):
    MemoryPolicy.objects.create(space=member.space, api_ranking="chat_literal")
    (shown,) = parts(inspect(desk, channel="api"))
    secret = f"sk-meddie-{'k' * 43}"
    ApiKeyFactory(user=member.user, space=member.space, secret=secret)
    question = {"model": "meddie", "messages": [{"role": "user", "content": QUESTION}]}
    headers = {"Authorization": f"Bearer {secret}"}
    url = "/v1/chat/completions"
    answer = Client().post(
        url, question, content_type="application/json", headers=headers
    )
    assert answer.status_code == 200
    (request,) = openai_server.titles.requests
    assert "## Earlier Messages" in shown
    system, last = (message["content"] for message in request.body["messages"])
    assert f"{shown}\n\n{QUESTION}" == f"{system}\n\n{last}"


@pytest.mark.req("B-39")
def test_page_tells_what_was_found_and_why_the_rest_was_not(desk, facts):
    page = inspect(desk)
    (prompt,) = page.context["prompts"]
    rows = {row.text: row for row in prompt.shelves[0].rows}
    found = rows["User is allergic to ibuprofen"]
    assert (str(found.verdict), found.shown) == ("in the prompt", True)
    assert found.score > rows["User has a dog"].score
    assert [str(name) for name in prompt.shelves[0].parts] == ["cosine", "words"]
    assert "too far in meaning" in str(rows["User has a dog"].verdict)
    kinds = {shelf.kind for shelf in prompt.shelves}
    assert kinds >= {"memory", "profile_fact", "message"}


def verdicts(page):
    (prompt,) = page.context["prompts"]
    return {row.text: str(row.verdict) for row in prompt.shelves[0].rows}


@pytest.mark.parametrize(
    ("ranking", "reason"),
    [
        ("chat", "not found: too few shared words, and too far in meaning"),
        ("ranked", "not found: too few shared words, and too far in meaning"),
        ("chat_literal", "not found: its score is below the gate"),
    ],
)
def test_reason_is_that_of_the_ranking(desk, facts, ranking, reason):
    assert verdicts(inspect(desk, ranking=ranking))["User has a dog"] == reason


def test_facts_that_are_shown_without_fitting_are_told_apart(desk, facts):
    found = verdicts(inspect(desk, "Quo vadis?", ranking="ranked"))
    reason = "in the prompt: below the gate, but among the best"
    assert set(found.values()) == {reason}


def test_fact_that_the_last_reply_used_is_told_apart(
    desk, member, facts, openai_server
):
    conversation = Conversation.objects.get()
    openai_server.chat.queue(noting("Better not. Shall I say why?"))
    write(ask(member, QUESTION, conversation_id=conversation.pk))
    found = verdicts(inspect(desk, "Yes, please", conversation=conversation.pk))
    reason = "in the prompt: the last reply used it"
    assert found["User is allergic to ibuprofen"] == reason


@pytest.mark.parametrize(
    "other", ["chat_literal", "fused", "ranked", "strict_semantic"]
)
def test_rankings_are_compared(desk, facts, other):
    page = inspect(desk, ranking="chat", other=other)
    assert [one.ranking for one in page.context["prompts"]] == ["chat", other]
    assert len(parts(page)) == 2


def test_ranking_with_confidence_recency_and_channel_shows_them(desk, facts):
    (prompt,) = inspect(desk, ranking="ranked").context["prompts"]
    names = [str(name) for name in prompt.shelves[0].parts]
    assert names == ["cosine", "words", "recency", "confidence", "channel"]
    row = prompt.shelves[0].rows[0]
    cosine, words, recency, confidence, channel = row.parts
    total = 0.5 * cosine + 0.28 * words + 0.1 * confidence
    assert row.score == pytest.approx(total + 0.07 * recency + 0.05 * channel)


@pytest.mark.parametrize("ranking", ["chat", "ranked"])
def test_lore_is_weighed_and_its_look_recorded(desk, member, viewer, ranking):
    MemoryPolicy.objects.create(space=member.space, lore=True, ranking=ranking)
    text = "Memory line: Movie night is on Friday."
    lore = MemoryFactory(
        user=None, space=member.space, audience="space", content=text, linked=False
    )
    page = inspect(desk, "When is the movie night?")
    (prompt,) = page.context["prompts"]
    (shelf,) = (one for one in prompt.shelves if one.kind == "lore")
    (row,) = shelf.rows
    assert "Movie night is on Friday" in prompt.part
    assert (row.key, row.shown) == (lore.pk, True)
    assert "in the prompt" in str(row.verdict)
    assert row.score is not None
    assert reverse("admin:memory_memory_change", args=[lore.pk]) in page.text
    event = MemoryEvent.objects.get(user=viewer)
    assert event.data["memories"] == [str(lore.pk)]


def test_inspection_writes_nothing_but_its_record(desk, member, facts, viewer):
    rows = Rows()
    inspect(desk)
    inspect(desk, conversation=Conversation.objects.get().pk)
    assert rows.changed() == {"memory_memoryevent"}
    assert Receipt.objects.count() < 10
    events = MemoryEvent.objects.filter(kind="inspection")
    assert {event.user.email for event in events} == {"ann@example.com"}
    for event in events:
        assert event.by_id == viewer.pk
        assert set(event.data["inspected"]) >= {str(fact.pk) for fact in facts}


def test_owner_of_a_lent_fact_has_a_record_of_the_look(desk, member, viewer):
    bob = MembershipFactory(space=member.space).user
    lent = MemoryFactory(user=bob, space=member.space, content="Bob keeps bees")
    member.user.memory_links.create(space=member.space, memory=lent)
    inspect(desk, "Who keeps bees?")
    event = MemoryEvent.objects.get(user=bob)
    assert event.data == {"memories": [str(lent.pk)]}


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"user": "unknown@example.com"}, "No active user has this address."),
        ({"user": "viewer@example.com"}, "The user is in no space."),
        ({"conversation": "nonsense"}, "Enter a valid UUID."),
        ({"channel": "pigeon"}, "Select a valid choice."),
        ({"message": "a\0b"}, "Null characters are not allowed."),
        ({"ranking": "episodes"}, "Select a valid choice."),
    ],
)
def test_wrong_fields_are_refused_with_a_reason(desk, member, fields, error):
    page = inspect(desk, **fields)
    assert error in page.text
    assert page.context["prompts"] == []


def test_space_and_conversation_must_be_those_of_the_user(desk, member):
    other = MembershipFactory()
    foreign = transcripts.start_conversation(other.user, other.space)
    assert "Select a valid choice" in inspect(desk, space=other.space_id).text
    page = inspect(desk, conversation=foreign.pk)
    assert "The user has no such conversation in this space." in page.text
    MembershipFactory(user=member.user)
    assert "Choose one of these spaces." in inspect(desk).text
    assert inspect(desk, space=member.space_id).context["prompts"]


def test_links_fill_the_form(desk, member):
    url = reverse("admin:inspector")
    page = desk.get(url, {"user": member.user_id, "space": member.space_id})
    assert 'value="ann@example.com"' in page.text
    assert f'value="{member.space_id}" selected' in page.text
    assert desk.get(url, {"user": "x", "conversation": "y"}).status_code == 200


def test_memory_that_is_off_gives_nothing(desk, member, facts):
    User.objects.filter(pk=member.user_id).update(memory_on=False)
    page = inspect(desk)
    assert "switched memory off" in page.text
    assert parts(page) == []


@pytest.mark.parametrize("missing", RIGHTS)
def test_page_needs_the_rights_to_all_that_it_shows(desk, viewer, member, missing):
    viewer.user_permissions.remove(Permission.objects.get(codename=missing))
    assert inspect(desk).status_code == 403
    assert reverse("admin:inspector") not in desk.get(reverse("admin:index")).text
    assert not MemoryEvent.objects.exists()


def test_desk_is_listed_for_staff_with_the_rights(desk):
    assert reverse("admin:inspector") in desk.get(reverse("admin:index")).text


def test_retired_facts_are_left_in_the_index_by_an_inspection(desk, member, facts):
    """A turn removes messages about retired facts from the search; a look does not."""
    kept = facts[0]
    kept.source_message = Conversation.objects.get().messages.get(role="user")
    kept.active, kept.retired_reason = False, "retracted"
    kept.retired_at = timezone.now() + timedelta(seconds=1)
    kept.save()
    rows = Rows()
    assert "Gdynia" not in parts(inspect(desk))[0]
    assert rows.changed() == {"memory_memoryevent"}
