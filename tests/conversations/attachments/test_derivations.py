"""A sent file is read by a job: its texts, its state, its search rows."""

import pytest

from conversations.attachments.surrogate import surrogate
from conversations.models import AttachmentText, DerivationJob
from tests.conversations.attachments.sent import read, send, texts_of

pytestmark = pytest.mark.django_db(transaction=True)

LETTER = b"# Shopping\n\nBuy oats and tea.\n\n# Travel\n\nFly to Lisbon in May.\n"


@pytest.mark.req("S2-22")
def test_text_is_cut_into_embedded_parts_with_their_places(message):
    file = read(message, "letter.md", LETTER)
    assert (file.state, file.error) == ("done", "")
    parts = AttachmentText.objects.filter(attachment=file, kind="chunk")
    assert [(p.number, p.total, p.place) for p in parts.order_by("number")] == [
        (1, 2, "Shopping"),
        (2, 2, "Travel"),
    ]
    assert all(p.searchable and p.embedding_model != "none" for p in parts)
    assert DerivationJob.objects.get().state == "done"


def test_file_that_cannot_be_read_fails_with_a_reason(message):
    file = read(message, "a.html", b"<html><script>run()</script></html>")
    assert (file.state, file.error) == ("failed", "no_text")
    assert DerivationJob.objects.get().state == "dead"


def test_texts_are_not_found_elsewhere_while_memory_is_off(message):
    message.conversation.remember = False
    message.conversation.save()
    file = read(message, "letter.md", LETTER)
    assert texts_of(file) != []
    assert not file.texts.filter(searchable=True).exists()


def test_surrogate_is_the_name_until_the_file_is_described(message):
    file = send(message, "letter.md", LETTER)
    assert surrogate(file) == "[document#A1] letter.md"
