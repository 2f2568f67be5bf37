"""Photos, documents and voice messages on Telegram."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.attachments.storage import open_file
from conversations.forgetting.deletion import delete_conversation
from conversations.models import (
    Attachment,
    Conversation,
    DailyUse,
    DerivationJob,
    Message,
    Thread,
)
from conversations.telegram import files
from conversations.telegram.models import TelegramNotice, TelegramUpdate
from conversations.telegram.process import INBOX
from meddie import ocr
from meddie.jobs import registry
from memory.models import Memory, MemoryPolicy
from tests.conversations import transcripts
from tests.conversations.attachments import fake_tesseract
from tests.conversations.attachments.documents import pdf_with_pictures
from tests.conversations.attachments.sent import png, texts_of
from tests.conversations.telegram.chat import Chat, post
from tests.conversations.turns import ask, noting, prompt_text, turns_sent, write
from tests.factories import (
    AttachmentFactory,
    MembershipFactory,
    PersonFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
)
from tests.openai_answers import says
from tests.telegram_answers import fails
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA

MEGABYTES = 1024 * 1024


CONTENTS = {
    "photo": b"\xff\xd8\xff What is in it",
    "document": b"%PDF- What is in it",
    "voice": b"OggS What is in it",
}
KINDS = {"photo": "image", "document": "document", "voice": "audio"}


def run_notices():
    for key in TelegramNotice.objects.values_list("pk", flat=True):
        registry.run("telegram_notices", key)


def run_jobs():
    for key in DerivationJob.objects.values_list("pk", flat=True):
        registry.run("files", key)


@pytest.fixture
def file_id(telegram):
    return telegram.add_file(b"What is in it")


@pytest.mark.parametrize(
    ("kind", "name", "content_type", "told"),
    [
        ("photo", "image.jpg", "image/jpeg", "[image#A1] image.jpg"),
        ("document", "letter.pdf", "application/pdf", "[document#A1] letter.pdf"),
        ("voice", "audio.ogg", "audio/ogg", "Buy oats and tea.\n[audio#A1] audio.ogg"),
    ],
)
class TestKept:
    @pytest.fixture(autouse=True)
    def _those(self, chat, telegram, openai_server):
        self.chat, self.telegram, self.server = chat, telegram, openai_server

    @pytest.mark.req("S2-48")
    def test_file_without_text_is_answered(self, kind, name, content_type, told):
        file_id = self.telegram.add_file(CONTENTS[kind])
        self.server.chat.queue(says("Thank you."))
        update = getattr(self.telegram, kind)(file_id)
        assert self.chat.bring(update) == ["Thank you."]
        assert self.chat.bring(update) == []
        file = Attachment.objects.get()
        assert (file.kind, file.name) == (KINDS[kind], name)
        assert file.content_type == content_type
        with open_file(file) as opened:
            assert opened.read() == CONTENTS[kind]
        assert len(self.server.chat.requests) == 1
        assert turns_sent(self.server)[-1].startswith(told)
        assert self.chat.states() == ["done"]

    def test_caption_is_answered_and_the_file_attached_to_it(
        self, kind, name, content_type, told
    ):
        file_id = self.telegram.add_file(CONTENTS[kind])
        self.server.chat.queue(says("Rest it."))
        [reply] = self.chat.bring(
            getattr(self.telegram, kind)(file_id, caption="My knee")
        )
        assert reply == "Rest it."
        sent = Message.objects.get(role="user")
        assert sent.content == "My knee"
        assert sent.attachments.get().kind == KINDS[kind]


def test_words_of_a_recording_are_the_message(chat, telegram, openai_server):
    chat.bring(telegram.voice(telegram.add_file(CONTENTS["voice"])))
    message = Message.objects.get(role="user")
    assert message.content == "Buy oats and tea."
    assert texts_of(message.attachments.get(), "transcript") == [message.content]


@pytest.mark.req("S3-33")
def test_recording_can_tell_what_the_whole_space_should_know(chat, openai_server):
    MemoryPolicy.objects.create(space=chat.bot.space, lore=True)
    openai_server.chat.queue(noting("Noted.", memory_line="Ann buys oats and tea"))
    recording = chat.telegram.add_file(CONTENTS["voice"])
    sent = chat.bring(chat.telegram.voice(recording))
    assert any(
        "Kept for the whole household: Ann buys oats and tea" in one for one in sent
    )
    stored = Memory.objects.get(audience="space")
    assert stored.content == "Memory line: Ann buys oats and tea."
    assert stored.channel == "telegram"


MP4 = b"\x00\x00\x00\x20ftypisom A video"
RECORDINGS = [
    ("audio", b"ID3 A song", "audio/mpeg"),
    ("document", b"ID3 A song", "audio/mpeg"),
    ("video", MP4, "video/mp4"),
    ("video_note", MP4, "video/mp4"),
]


@pytest.mark.req("S2-20", "S2-56")
@pytest.mark.parametrize("caption", ["", "My knee"])
@pytest.mark.parametrize(("kind", "content", "content_type"), RECORDINGS)
def test_recordings_and_videos_are_heard(
    chat, openai_server, kind, content, content_type, caption
):
    openai_server.chat.queue(says("Thank you."))
    sent = {kind: {"file_id": chat.telegram.add_file(content)}, "caption": caption}
    assert chat.bring(chat.telegram.message(**sent)) == ["Thank you."]
    message = Message.objects.get(role="user")
    spoken = "Buy oats and tea." if kind == "video_note" else ""
    assert message.content == (caption or spoken)
    file = message.attachments.get()
    assert (file.kind, file.content_type) == ("audio", content_type)
    assert texts_of(file, "transcript") == ["Buy oats and tea."]
    assert texts_of(file, "caption") == ([caption] if caption else [])
    [request] = openai_server.chat.requests
    asked = request.body["messages"][-1]["content"]
    assert asked.count("Buy oats and tea.") == 1
    [transcription] = openai_server.transcriptions.requests
    assert b'name="language"' not in transcription.body["form"]
    run_jobs()
    assert len(openai_server.transcriptions.requests) == 1


def test_long_voice_message_is_summed_up_and_its_end_found(
    chat, telegram, openai_server
):
    openai_server.chat.default = lambda _body: says("Thank you.")
    walks = " ".join(f"On day {n} I walked {n + 5} miles." for n in range(200))
    words = f"{walks} My appointment is on 14 May 2027."
    openai_server.transcriptions.queue(says(words))
    chat.bring(telegram.voice(telegram.add_file(CONTENTS["voice"])))
    assert Message.objects.get(role="user").content == words
    file = Attachment.objects.get()
    openai_server.titles.default = lambda _body: says('{"summary": "Walks."}')
    run_jobs()
    assert texts_of(file, "file_summary") == ["Walks."]
    assert file.texts.filter(kind="transcript", searchable=True).count() > 3
    chat.say("/new")
    chat.say("When is my appointment?")
    system = prompt_text(openai_server)
    files = system.partition("# Attached Files\n")[2]
    assert "My appointment is on 14 May 2027." in files


def test_voice_message_that_is_too_long_for_a_message_is_a_file(
    chat, telegram, openai_server
):
    openai_server.chat.default = lambda _body: says("Thank you.")
    openai_server.transcriptions.queue(says("We walked. " * 2000))
    sent = chat.bring(telegram.voice(telegram.add_file(CONTENTS["voice"])))
    assert sent == ["Thank you."]
    assert Message.objects.get(role="user").content == ""
    assert len(texts_of(Attachment.objects.get(), "transcript")) > 10


def test_picture_without_a_provider_is_kept_and_its_sender_told(chat, telegram):
    photo = telegram.add_file(png(40, 30))
    note, _reply = chat.bring(telegram.photo(photo, caption="My knee"))
    assert "only with a model provider" in note
    assert Message.objects.get(role="user").attachments.count() == 1
    run_jobs()
    assert not DerivationJob.objects.filter(state="dead").exists()


def test_recording_without_a_provider_is_kept_and_says_so(chat, telegram):
    [sent] = chat.bring(telegram.voice(telegram.add_file(CONTENTS["voice"])))
    assert "couldn’t listen to it" in sent
    assert Message.objects.get(role="user").attachments.count() == 1


def test_unread_parts_of_a_file_are_told_in_the_chat(chat, telegram):
    letter = telegram.add_file(pdf_with_pictures(["Iron", None]))
    first = chat.bring(telegram.document(letter))
    run_jobs()
    run_notices()
    [told] = chat.answers()[len(first) :]
    assert "letter.pdf: Read: 1 page. Not read: page 2" in told
    run_notices()
    assert len(chat.answers()) == len(first) + 1


def test_pictures_without_text_are_told_once_for_an_album(
    chat, telegram, monkeypatch, tmp_path
):
    monkeypatch.setattr(ocr, "PLACES", fake_tesseract.install(tmp_path))
    photos = [telegram.add_file(png(40 + n, 30)) for n in range(3)]
    first = chat.bring(*telegram.album(*photos, caption="My rash"))
    run_jobs()
    run_notices()
    [told] = chat.answers()[len(first) :]
    assert told.count("I found no text in this picture") == 3


def test_file_that_is_read_whole_is_not_told(chat, telegram):
    letter = telegram.add_file(b"Iron 12")
    chat.bring(telegram.document(letter, name="lab.txt", mime="text/plain"))
    run_jobs()
    assert not TelegramNotice.objects.exists()


class TestReplaced:
    @pytest.fixture(autouse=True)
    def _those(self, chat, telegram, openai_server):
        self.chat, self.telegram, self.server = chat, telegram, openai_server
        self.server.chat.default = lambda _body: says("Thank you.")
        self.first = telegram.photo(telegram.add_file(png(40, 30)), caption="My knee")
        chat.bring(self.first)

    def edit(self, content, **fields):
        edited = self.telegram.photo(self.telegram.add_file(content), **fields)
        number = {"message_id": self.first["message"]["message_id"], "edit_date": 1}
        update = self.telegram.update(edited_message=edited["message"] | number)
        return self.chat.bring(update)

    @pytest.mark.parametrize("fields", [{"caption": "My knee"}, {}])
    def test_picture_that_replaces_another_is_read(self, fields):
        assert self.edit(png(50, 30), **fields) == ["Thank you."]
        assert Attachment.objects.exclude(message=None).count() == 2

    def test_same_picture_with_another_caption_is_an_edit(self):
        assert "Thank you." in self.edit(png(40, 30), caption="My left knee")
        current = Message.objects.current().get(role="user")
        assert current.content == "My left knee"
        assert Attachment.objects.get().message == current

    def test_same_picture_without_a_change_is_not_answered(self):
        assert self.edit(png(40, 30), caption="My knee") == []
        assert self.edit(png(40, 30)) == []
        assert Message.objects.current().get(role="user").content == "My knee"


class TestRefused:
    def test_file_with_too_large_a_stated_size_is_not_fetched(
        self, chat, telegram, file_id
    ):
        [sent] = chat.bring(telegram.document(file_id, size=21 * MEGABYTES))
        assert "up to 20 MB" in sent
        assert not telegram.calls("getFile")
        assert not Attachment.objects.exists()

    @pytest.mark.parametrize("told", [0, 1000])
    def test_download_stops_at_the_limit(self, chat, telegram, monkeypatch, told):
        monkeypatch.setattr(files, "MAX_BYTES", MEGABYTES)
        large = telegram.add_file(b"x" * (MEGABYTES + 1), told_size=told)
        [sent] = chat.bring(telegram.document(large, size=1000))
        assert "too large" in sent
        assert not Attachment.objects.exists()

    def test_file_that_telegram_refuses_is_reported(self, chat, telegram):
        [sent] = chat.bring(telegram.document("file-of-nobody"))
        assert "couldn’t get your file" in sent
        assert chat.states() == ["done"]

    def test_caption_of_a_lost_file_is_answered(self, chat, telegram, openai_server):
        openai_server.chat.queue(says("Rest it."))
        update = telegram.photo("x", size=21 * MEGABYTES, caption="My knee")
        note, reply = chat.bring(update)
        assert reply == "Rest it."
        assert "too large" in note
        assert not Attachment.objects.exists()

    @pytest.mark.parametrize("what", ["sticker", "location", "animation", "contact"])
    def test_other_kinds_are_told_which_files_are_kept(self, chat, telegram, what):
        [sent] = chat.bring(telegram.message(**{what: {"file_id": "x"}}))
        assert sent.startswith("I can read text")
        assert not Message.objects.exists()

    @pytest.mark.req("S2-20")
    @pytest.mark.parametrize(
        ("what", "told"),
        [("paid_media", "I can read text"), ("document", "can’t read this kind")],
    )
    def test_caption_of_what_cannot_be_read_is_answered(
        self, chat, telegram, openai_server, what, told
    ):
        openai_server.chat.queue(says("Rest it."))
        unknown = telegram.add_file(b"\x00\x01\x02")
        sent = {what: {"file_id": unknown}, "caption": "My knee"}
        note, reply = chat.bring(telegram.message(**sent))
        assert reply == "Rest it."
        assert told in note
        assert Message.objects.get(role="user").content == "My knee"


class TestQuota:
    @pytest.fixture(autouse=True)
    def one_megabyte(self, settings):
        settings.QUOTA_MB = 1

    def test_file_without_room_is_refused_and_says_why(self, chat, telegram):
        full, small = (telegram.add_file(b"x" * n) for n in (MEGABYTES, 1))
        assert "limit" not in chat.bring(telegram.document(full))[0]
        [refused] = chat.bring(telegram.document(small))
        assert "memories and files have reached their limit" in refused
        assert Attachment.objects.count() == 1
        assert Message.objects.filter(role="user").count() == 1

    @pytest.mark.parametrize("stated", [MEGABYTES + 1, 0], ids=["known", "unknown"])
    def test_caption_of_a_file_without_room_is_answered(
        self, chat, telegram, openai_server, stated
    ):
        openai_server.chat.queue(says("Rest it."))
        large = telegram.add_file(b"x" * (MEGABYTES + 1))
        update = telegram.document(large, size=stated, caption="My knee")
        refused, reply = chat.bring(update)
        assert reply == "Rest it."
        assert "memories and files have reached their limit" in refused
        assert not Attachment.objects.exists()

    @pytest.mark.slow
    def test_deleted_conversation_makes_room(self, chat, telegram):
        full = telegram.add_file(b"x" * MEGABYTES)
        chat.bring(telegram.document(full))
        delete_conversation(Conversation.objects.get())
        assert "limit" not in chat.bring(telegram.document(full))[0]

    def test_files_of_all_spaces_count_also_after_leaving_and_those_of_others_do_not(
        self, chat, telegram, member
    ):
        elsewhere = MembershipFactory(user=member.user)
        for owner, content in (
            (elsewhere, b"x" * MEGABYTES),
            (MembershipFactory(), b""),
        ):
            other = transcripts.start_conversation(owner.user, owner.space)
            transcripts.exchange(other, "Question", "Answer")
            AttachmentFactory(message=other.messages.first(), content=content)
        today = timezone.now().date()
        DailyUse.objects.create(user=member.user, day=today, stored=MEGABYTES)
        small = telegram.add_file(b"x")
        assert "reached their limit" in chat.bring(telegram.document(small))[0]
        elsewhere.delete()
        assert "reached their limit" in chat.bring(telegram.document(small))[0]

    def test_guest_has_a_quota_too(self, telegram, bot):
        person = PersonFactory(space=bot.space)
        TelegramLinkFactory(space=bot.space, user=None, person=person, telegram_id=4242)
        guest = Chat(telegram, bot, 4242)
        full, small = (telegram.add_file(b"x" * n) for n in (MEGABYTES, 1))
        [kept] = guest.bring(telegram.document(full, sender=4242))
        [refused] = guest.bring(telegram.document(small, sender=4242))
        assert "limit" not in kept
        assert "files of this chat have reached their limit" in refused
        assert "account page" not in refused

    def test_files_at_the_same_time_do_not_exceed_the_quota(
        self, chat, telegram, member
    ):
        other = MembershipFactory(user=member.user)
        bot = TelegramBotFactory(space=other.space, token=TOKEN, api_url=telegram.url)
        TelegramLinkFactory(space=other.space, user=member.user, telegram_id=ANNA)
        for place in (chat.bot, bot):
            for letter in (b"x", b"y"):
                content = telegram.add_file(letter * (MEGABYTES * 2 // 3))
                post(place, telegram.document(content, sender=ANNA))

        def work(thread):
            try:
                INBOX.run(thread.pk)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as threads:
            list(threads.map(work, Thread.objects.filter(channel="telegram")))
        assert Attachment.objects.values("sha256").distinct().count() == 1


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en", "Your messages, memories and files: 3.2\xa0MB of 200 MB"),
        ("pl", "Twoje wiadomości, pamięć i pliki: 3,2\xa0MB z 200 MB"),
    ],
)
def test_account_page_shows_how_much_room_files_take(member, locale, told):
    member.user.locale = locale
    member.user.save()
    conversation = transcripts.start_conversation(member.user, member.space)
    transcripts.exchange(conversation, "Question", "Answer")
    message = conversation.messages.first()
    AttachmentFactory(message=message, size=int(3.2 * MEGABYTES))
    client = Client()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    assert told in client.get("/account").text


def test_failed_download_is_retried(chat, telegram, file_id):
    telegram.queue("download", *[fails(502)] * 3)
    assert chat.bring(telegram.document(file_id)) == []
    assert TelegramUpdate.objects.get().stage == "received"
    assert not Message.objects.exists()
    chat.make_due()
    chat.work()
    assert len(chat.answers()) == 1
    assert Attachment.objects.count() == 1


@pytest.mark.req("S2-20")
def test_caption_is_answered_if_all_downloads_fail(
    chat, telegram, file_id, openai_server
):
    openai_server.chat.queue(says("Rest it."))
    telegram.queue("download", *[fails(502)] * 3 * TelegramUpdate.MOST_ATTEMPTS)
    assert chat.bring(telegram.document(file_id, caption="My knee")) == []
    for _attempt in range(TelegramUpdate.MOST_ATTEMPTS - 1):
        chat.make_due()
        chat.work()
    note, reply = chat.answers()
    assert "couldn’t get your file" in note
    assert reply == "Rest it."
    assert Message.objects.get(role="user").content == "My knee"
    assert chat.states() == ["done"]


def test_file_of_an_unlinked_account_is_not_fetched(telegram, bot, file_id):
    [sent] = Chat(telegram, bot, 4242).bring(telegram.photo(file_id, sender=4242))
    assert "I don't recognise" in sent
    assert not telegram.calls("getFile")
    assert not Attachment.objects.exists()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Windows\\win.ini", "win.ini"),
        ("..", "document.txt"),
        ("", "document.txt"),
        ("a\r\nSet-Cookie: x\0.pdf", "aSet-Cookie: x.pdf"),
        ("\u202efdp.exe", "fdp.exe"),
        ("<b>.pdf", "<b>.pdf"),
        ("x" * 300, "x" * 255),
        ("zażółć 🧪.pdf", "zażółć 🧪.pdf"),
    ],
)
def test_file_name_has_no_path_and_no_direction_marks(
    chat, telegram, member, file_id, given, kept
):
    chat.bring(telegram.document(file_id, name=given))
    file = Attachment.objects.get()
    assert file.name == kept
    client = Client()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(f"/chat/attachment/{file.pk}").content == b"What is in it"
    page = reverse("conversations:show", args=[Conversation.objects.get().pk])
    assert "<b>.pdf" not in client.get(page).text


def test_conversation_continues_on_the_web_and_on_telegram(chat, member, openai_server):
    openai_server.chat.queue(says("One."), says("Two."), says("Three."))
    chat.say("On Telegram")
    conversation = Conversation.objects.get()
    write(ask(member, "On the web", conversation_id=conversation.pk))
    chat.say("On Telegram again")
    assert Conversation.objects.count() == 1
    messages = conversation.messages.filter(role="user").in_order()
    assert [m.content for m in messages] == [
        "On Telegram",
        "On the web",
        "On Telegram again",
    ]
