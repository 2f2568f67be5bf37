"""Downloading a conversation."""

from django.urls import reverse

from tests.conversations import transcripts


def test_conversation_is_downloaded_by_its_user_only(anns, bobs, ann, home):
    conversation = transcripts.start_conversation(ann, home, title="Knee pain")
    transcripts.exchange(conversation, "My knee hurts.", "Since when?")
    address = reverse("conversations:export", args=[conversation.pk])
    answer = anns.get(address)
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="knee-pain.md"'
    )
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert "My knee hurts." in answer.content.decode()
    assert bobs.get(address).status_code == 404
