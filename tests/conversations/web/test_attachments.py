"""Files of messages, and conversations from Telegram, on the page."""

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Attachment, Conversation, Message, Thread
from people.models import Membership
from tests.conversations import transcripts
from tests.factories import AttachmentFactory, SpaceFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def conversation(ann, home):
    conversation = transcripts.start_conversation(ann, home, title="Letter")
    transcripts.exchange(conversation, "Here it is.", "I've kept your document.")
    return conversation


@pytest.fixture
def file(conversation):
    message = conversation.messages.get(role="user")
    return AttachmentFactory(message=message, name="Letter.pdf", content=b"x" * 2048)


def address(file):
    return reverse("conversations:attachment", args=[file.pk])


def page(client, conversation):
    return client.get(reverse("conversations:show", args=[conversation.pk])).text


def test_a_file_is_shown_under_its_message(anns, conversation, file):
    shown = page(anns, conversation)
    assert f'href="{address(file)}" download' in shown
    assert "Letter.pdf" in shown
    assert "document, 2.0\xa0KB" in shown


def test_file_without_text_shows_no_empty_bubble(anns, conversation, file):
    conversation.messages.filter(role="user").update(content="")
    shown = page(anns, conversation)
    log = shown[shown.index('id="log"') : shown.index('id="composer"')]
    assert "Letter.pdf" in log
    assert "bubble" not in log
    assert 'aria-label="Edit"' not in log
    assert "Try again" in log


@pytest.mark.parametrize("count", [1, 20])
def test_files_cost_one_query_however_many_messages(
    anns, conversation, file, django_assert_num_queries, count
):
    for number in range(count):
        transcripts.exchange(conversation, f"Question {number}", "Answer")
        AttachmentFactory(message=Message.objects.filter(role="user").last())
    path = reverse("conversations:show", args=[conversation.pk])
    anns.get(path)
    with django_assert_num_queries(13) as seen:
        anns.get(path)
    assert not any('"content" FROM' in q["sql"] for q in seen.captured_queries)
    assert not any('_attachment"."content"' in q["sql"] for q in seen.captured_queries)


class TestDownload:
    def test_file_is_downloaded_and_never_shown(self, anns, file):
        answer = anns.get(address(file))
        assert answer.content == b"x" * 2048
        assert answer["Content-Disposition"] == 'attachment; filename="Letter.pdf"'
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cache-Control"] == "private, no-store"

    @pytest.mark.parametrize(
        ("told", "served"),
        [
            ("image/jpeg", "image/jpeg"),
            ("application/pdf", "application/pdf"),
            ("text/html", "application/octet-stream"),
            ("image/svg+xml", "application/octet-stream"),
            ("text/javascript", "application/octet-stream"),
            ("image/png; x=y\nSet-Cookie: a=b", "application/octet-stream"),
            ("", "application/octet-stream"),
        ],
    )
    def test_only_harmless_content_types_are_served(self, anns, file, told, served):
        Attachment.objects.update(content_type=told)
        assert anns.get(address(file))["Content-Type"] == served

    def test_page_that_is_called_a_picture_runs_no_script(self, anns, file):
        """Files that were stored before their type was found in their bytes."""
        Attachment.objects.update(content_type="image/png")
        answer = anns.get(address(file), {"inline": "1"})
        assert answer["Content-Type"] == "image/png"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"

    @pytest.mark.parametrize("name", ['a"b.pdf', "żółć.pdf", "🧪;x=y.pdf", "a\\b.pdf"])
    def test_any_characters_can_be_a_file_name(self, anns, file, name):
        Attachment.objects.update(name=name)
        answer = anns.get(address(file))
        assert answer.status_code == 200
        assert answer["Content-Disposition"].startswith("attachment; filename")

    def test_other_members_get_404(self, bobs, file):
        """Every way of others is in test_isolation."""
        assert bobs.get(address(file)).status_code == 404

    def test_former_member_cannot_download_a_file(self, anns, ann, file, conversation):
        SpaceFactory(members=[ann])
        Membership.objects.filter(user=ann, space=conversation.space).delete()
        assert anns.get(address(file)).status_code == 404

    def test_visitor_is_asked_to_sign_in(self, db, file):
        answer = Client().get(address(file))
        assert answer["Location"].startswith("/sign-in")

    def test_file_of_a_superseded_message_is_not_found(self, anns, conversation, file):
        conversation.messages.update(status="superseded")
        assert anns.get(address(file)).status_code == 404


def test_edited_message_keeps_its_file(anns, conversation, file):
    path = reverse("conversations:edit", args=[file.message_id])
    anns.post(path, {"text": "Here is my letter."})
    message = conversation.messages.current().get(role="user")
    assert message.content == "Here is my letter."
    assert list(message.attachments.all()) == [file]


@pytest.mark.req("B-21")
def test_files_are_deleted_with_their_conversation(anns, conversation, file):
    anns.post(reverse("conversations:delete", args=[conversation.pk]))
    assert not Conversation.objects.exists()
    assert not Attachment.objects.exists()


def test_telegram_conversation_is_labelled_as_such(anns, conversation):
    marks = "<span>Telegram</span>"
    assert marks not in page(anns, conversation)
    Thread.objects.update(channel="telegram")
    shown = page(anns, conversation)
    assert marks in shown
    assert '<span class="badge channel">Telegram</span>' in shown
