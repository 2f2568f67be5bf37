"""Files are uploaded one by one, and sent with a message."""

import io
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from conversations.attachments import picture_copies
from conversations.attachments.extraction.run_child import extract_pieces
from conversations.attachments.file_removal import clean_up_files, remove_files
from conversations.models import (
    Attachment,
    Conversation,
    DerivationJob,
    Message,
    Thread,
)
from conversations.models.attachment import attachment_storage
from meddie.file_storage import all_files
from meddie.jobs.registry import run
from tests.conversations.attachments.sent import png, read
from tests.factories import AttachmentFactory, SpaceFactory
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

HTMX = {"HX-Request": "true"}


def letter(name="letter.txt", content=b"Buy oats."):
    return SimpleUploadedFile(name, content)


def upload(client, file=None, **data):
    url = reverse("conversations:upload")
    return client.post(url, {"file": file or letter(), **data}, headers=HTMX)


def send(client, *keys, text="", **data):
    url = reverse("conversations:send")
    data |= {"text": text, "attached": [str(key) for key in keys]}
    return client.post(url, data, headers=HTMX)


def end_reply():
    Message.objects.filter(role="assistant").update(status="done")
    Thread.objects.update(lease_holder=None, leased_until=None)


def test_uploaded_file_is_a_chip_that_names_its_key(anns, home):
    answer = upload(anns, letter("żółw <b>.txt"), space=home.pk)
    file = Attachment.objects.get()
    assert answer.status_code == 200
    assert f'name="attached" value="{file.pk}"' in answer.text
    assert "żółw &lt;b&gt;.txt" in answer.text
    assert (file.message, file.space) == (None, home)


def test_file_belongs_to_the_space_of_the_page(anns, ann, home):
    other = SpaceFactory(members=[ann])
    upload(anns, space=other.pk)
    assert Attachment.objects.get().space == other
    assert upload(anns, space=SpaceFactory().pk).status_code == 404


@pytest.mark.parametrize(
    ("content", "status", "told"),
    [
        (b"", 422, "This file is empty"),
        (b"\x00\x01", 415, "can’t read this kind of file"),
        (b"x" * 1_100_000, 413, "up to 1 MB"),
    ],
)
def test_refused_file_is_told_in_one_sentence(
    anns, home, settings, content, status, told
):
    settings.FILE_MB = 1
    answer = upload(anns, letter(content=content), space=home.pk)
    assert (answer.status_code, "<" in answer.text) == (status, False)
    assert told in answer.text
    assert answer["HX-Retarget"]


def test_file_without_room_is_refused(anns, home, settings):
    settings.QUOTA_MB = 0
    answer = upload(anns, space=home.pk)
    assert answer.status_code == 413
    assert "have reached their limit" in answer.text


def test_request_without_a_file_is_refused(anns, home):
    url = reverse("conversations:upload")
    assert anns.post(url, {"space": home.pk}).status_code == 422
    assert anns.post(url, {"space": "no key"}).status_code == 422


def test_removed_file_is_gone(anns, home):
    upload(anns, space=home.pk)
    url = reverse("conversations:remove_file", args=[Attachment.objects.get().pk])
    assert anns.post(url).status_code == 200
    assert not Attachment.objects.exists()
    assert anns.post(url).status_code == 404


@pytest.mark.req("S2-05")
def test_message_may_be_only_files(anns, home):
    for name in ("one.txt", "two.txt"):
        upload(anns, letter(name, name.encode()), space=home.pk)
    answer = send(anns, *Attachment.objects.values_list("pk", flat=True))
    assert answer.status_code == 200
    assert "one.txt" in answer.text
    assert "Reading…" in answer.text
    message = Message.objects.get(role="user")
    assert (message.content, message.attachments.count()) == ("", 2)
    assert Conversation.objects.get().title == "one.txt"
    assert DerivationJob.objects.count() == 2


def test_message_sent_again_is_stored_once_with_its_files(anns, home):
    upload(anns, space=home.pk)
    file = Attachment.objects.get()
    key = "11111111-1111-4111-8111-111111111111"
    for _ in range(2):
        assert send(anns, file.pk, text="Read it", key=key).status_code == 200
    assert Message.objects.filter(role="user").count() == 1


def test_file_sent_before_is_refused_and_the_message_is_not_stored(anns, home):
    upload(anns, space=home.pk)
    file = Attachment.objects.get()
    send(anns, file.pk, text="Read it")
    end_reply()
    answer = send(anns, file.pk, text="And again")
    assert answer.status_code == 422
    assert "no longer here" in answer.text
    assert not Message.objects.filter(content="And again").exists()


def test_form_without_scripts_carries_its_files(anns, home):
    url = reverse("conversations:send")
    files = [letter("one.txt"), letter("two.txt")]
    answer = anns.post(url, {"text": "Read", "space": home.pk, "upload": files})
    assert answer.status_code == 302
    assert Message.objects.get(role="user").attachments.count() == 2


def test_refused_form_without_scripts_keeps_its_files(anns, home, settings):
    settings.DAILY_MESSAGES = 0
    url = reverse("conversations:send")
    answer = anns.post(url, {"text": "Read", "space": home.pk, "upload": [letter()]})
    assert answer.status_code == 429
    assert f'value="{Attachment.objects.get().pk}"' in answer.text


def test_edited_message_keeps_its_files(anns, home):
    upload(anns, space=home.pk)
    send(anns, Attachment.objects.get().pk, text="Read it")
    end_reply()
    old = Message.objects.get(role="user")
    anns.post(reverse("conversations:edit", args=[old.pk]), {"text": "Sum it up"})
    assert Attachment.objects.get().message.content == "Sum it up"


class TestStates:
    @pytest.fixture
    def message(self, anns, home):
        upload(anns, space=home.pk)
        send(anns, Attachment.objects.get().pk, text="Read it")
        end_reply()
        return Message.objects.get(role="user")

    def states(self, client, message):
        return client.get(reverse("conversations:files", args=[message.pk])).text

    def test_page_asks_again_while_a_file_is_read(self, anns, message):
        shown = self.states(anns, message)
        assert "Reading…" in shown
        assert "load delay:1500ms" in shown

    def test_page_asks_less_often_the_older_the_message(self, anns, message):
        Message.objects.update(created_at=timezone.now() - timedelta(minutes=4))
        assert "load delay:30" in self.states(anns, message)

    def test_file_that_was_read_has_no_state_and_is_not_asked_for(self, anns, message):
        Attachment.objects.update(state="done")
        shown = self.states(anns, message)
        assert "Reading" not in shown
        assert "hx-trigger" not in shown

    def test_file_that_cannot_be_read_says_why(self, anns, message):
        run("files", DerivationJob.objects.get().pk)  # the files of a user wait in line
        file = read(message, "page.html", b"<html><script>1</script></html>")
        assert file.error == "no_text"
        assert "I found no text in this file." in self.states(anns, message)


def test_message_has_at_most_ten_files(anns, ann, home):
    files = [AttachmentFactory(user=ann, space=home, message=None) for _ in range(11)]
    answer = send(anns, *(file.pk for file in files), text="All")
    assert answer.status_code == 422
    assert "A message may have 10 files." in answer.text


def files_of(picture):
    names = sorted(all_files(attachment_storage()))
    return [name for name in names if name.startswith(picture.file.name)]


class Drawing:
    """Six thumbnails of one picture at once, whose children have all ended."""

    def __init__(self, picture, monkeypatch):
        self._begun, self._released = threading.Barrier(7), threading.Event()
        monkeypatch.setattr(picture_copies, "extract_pieces", self._draw)
        self._pool = ThreadPoolExecutor(6)
        copies = [Attachment.objects.get(pk=picture.pk) for _ in range(6)]
        self._drawn = [self._pool.submit(self._shown, one) for one in copies]
        self._begun.wait(PATIENCE)

    def _shown(self, picture):
        try:
            return picture_copies.thumbnail_of(picture)
        finally:
            connections.close_all()

    def _draw(self, *given):
        found = extract_pieces(*given)
        self._begun.wait(PATIENCE)
        self._released.wait(PATIENCE)
        return found

    def release(self):
        self._released.set()

    def all_drawn(self):
        with self._pool:
            return [one.result() for one in self._drawn]


class TestThumbnail:
    @pytest.fixture
    def drawing(self, picture, monkeypatch):
        return Drawing(picture, monkeypatch)

    @pytest.fixture
    def picture(self, anns, home):
        upload(anns, letter("a.png", png(1600, 900)), space=home.pk)
        return Attachment.objects.get()

    def ask(self, client, file):
        return client.get(reverse("conversations:thumbnail", args=[file.pk]))

    def test_picture_is_shown_small_private_and_as_jpeg(self, anns, picture):
        for _ in range(2):
            answer = self.ask(anns, picture)
            assert answer["Content-Type"] == "image/jpeg"
            assert answer["Cache-Control"] == "private, no-store"
            with Image.open(io.BytesIO(answer.content)) as shown:
                assert shown.size == (640, 360)

    def test_other_member_gets_404(self, bobs, picture):
        assert self.ask(bobs, picture).status_code == 404

    def test_thumbnail_leaves_with_its_file(self, anns, picture):
        self.ask(anns, picture)
        name = f"{picture.file.name}.thumbnail"
        assert attachment_storage().exists(name)
        clean_up_files()
        assert attachment_storage().exists(name)
        picture.delete()
        remove_files()
        assert not attachment_storage().exists(name)

    def test_parallel_copies_are_one_and_leave_with_their_file(self, picture, drawing):
        drawing.release()
        assert len(set(drawing.all_drawn())) == 1
        ends = ("", ".picture", ".thumbnail")
        assert files_of(picture) == [f"{picture.file.name}{end}" for end in ends]
        picture.delete()
        remove_files()
        assert not files_of(picture)

    def test_picture_deleted_while_it_is_drawn_leaves_no_copy(self, picture, drawing):
        picture.delete()
        remove_files()
        drawing.release()
        assert all(drawing.all_drawn())
        assert not files_of(picture)

    @pytest.mark.parametrize("content", [b"\xff\xd8\xff cut off", b"<svg>", b"Tea"])
    def test_nothing_else_has_a_thumbnail(self, anns, home, content):
        upload(anns, letter("a.jpg", content), space=home.pk)
        assert self.ask(anns, Attachment.objects.get()).status_code == 404

    def test_damaged_picture_is_drawn_once(self, anns, home):
        upload(anns, letter("a.jpg", b"\xff\xd8\xff cut off"), space=home.pk)
        file = Attachment.objects.get()
        assert self.ask(anns, file).status_code == 404
        storage = attachment_storage()
        storage.delete(file.file.name)
        storage.save(file.file.name, ContentFile(png(40, 30)))
        assert self.ask(anns, file).status_code == 404
        file.refresh_from_db()
        assert (file.state, file.error) == ("failed", "broken")
