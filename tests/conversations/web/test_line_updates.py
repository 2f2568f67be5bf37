"""Where the lines of a reply are, and how one turns into an update."""

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from conversations.models import Message
from conversations.reply.append_messages import append_line
from memory.models import MemoryUpdate
from tests.conversations import transcripts
from tests.factories import MemoryFactory


@pytest.fixture
def conversation(ann, home):
    return transcripts.start_conversation(ann, home, title="Pills")


@pytest.fixture
def reply(conversation):
    return transcripts.exchange(conversation, "I take ramipril.", "All right.")


@pytest.fixture
def memory(ann, home):
    return MemoryFactory(user=ann, space=home, content="User takes ramipril")


@pytest.fixture
def line(reply, memory):
    with transaction.atomic():
        kind = Message.LineKind.REMEMBERED
        return append_line(reply, "", [memory.pk], line_kind=kind)


def show(client, conversation):
    return client.get(f"/chat/{conversation.pk}").text


def test_lines_are_part_of_the_reply_before_its_buttons(anns, line, conversation):
    shown = show(anns, conversation)
    article = shown[shown.index("All right.") :].partition("</article>")[0]
    place = article.index(f'id="message-{line.pk}"')
    assert place < article.index("message-foot")


def test_page_that_has_the_last_line_is_told_of_nothing_new(anns, line, conversation):
    query, htmx = {"last": f"message-{line.pk}"}, {"HX-Request": "true"}
    address = f"/chat/{conversation.pk}"
    assert anns.get(address, query, headers=htmx).status_code == 204


def test_line_turns_into_an_update_on_the_page_that_followed_the_reply(
    anns, ann, reply, line, memory, conversation
):
    address = reverse("conversations:line", args=[line.pk])
    assert address in anns.get(f"/chat/reply/{reply.pk}").text
    assert address not in show(anns, conversation)
    assert anns.get(address).status_code == 204
    old = MemoryFactory(
        user=ann,
        space=conversation.space,
        content="User takes aspirin",
        active=False,
        retired_reason="superseded",
        retired_at=timezone.now(),
    )
    MemoryUpdate.objects.create(user=ann, old=old, new=memory, reason="newer")
    updated = anns.get(address).text
    assert "Updated: Takes ramipril (before: Takes aspirin)" in updated


def test_line_of_another_user_is_not_found(bobs, line):
    assert bobs.get(reverse("conversations:line", args=[line.pk])).status_code == 404
