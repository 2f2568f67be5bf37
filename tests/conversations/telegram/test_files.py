"""Photos, documents and voice messages on Telegram."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from conversations.attachments.storage import open_file
from conversations.forgetting.deletion import delete_conversation
from conversations.models import Attachment, Conversation, Message, Thread
from conversations.telegram import files
from conversations.telegram.models import TelegramUpdate
from conversations.telegram.process import INBOX
from memory.models import Memory, MemoryPolicy
from tests.conversations import transcripts
from tests.conversations.attachments.sent import texts_of
from tests.conversations.telegram.chat import Chat, post
from tests.conversations.turns import ask, noting, write
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
        [request] = self.server.chat.requests
        assert request.body["messages"][-1]["content"].startswith(told)
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
    assert any("Kept for the whole space: Ann buys oats and tea" in one for one in sent)
    stored = Memory.objects.get(audience="space")
    assert stored.content == "Memory line: Ann buys oats and tea."
    assert stored.channel == "telegram"


def test_recording_without_a_provider_is_kept_and_says_so(chat, telegram):
    [sent] = chat.bring(telegram.voice(telegram.add_file(CONTENTS["voice"])))
    assert "couldn’t listen to it" in sent
    assert Message.objects.get(role="user").attachments.count() == 1


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

    @pytest.mark.parametrize("what", ["sticker", "location", "video", "contact"])
    def test_other_kinds_are_told_which_files_are_kept(self, chat, telegram, what):
        [sent] = chat.bring(telegram.message(**{what: {"file_id": "x"}}))
        assert sent.startswith("I can read text")
        assert not Message.objects.exists()


class TestQuota:
    @pytest.fixture(autouse=True)
    def one_megabyte(self, settings):
        settings.FILE_QUOTA_MB = 1

    def test_file_without_room_is_refused_and_says_why(self, chat, telegram):
        full, small = (telegram.add_file(b"x" * n) for n in (MEGABYTES, 1))
        assert "limit" not in chat.bring(telegram.document(full))[0]
        [refused] = chat.bring(telegram.document(small))
        assert "your files have reached their limit" in refused
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
        assert "your files have reached their limit" in refused
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
        ("en", "Your files: 3.2\xa0MB of 200 MB"),
        ("pl", "Twoje pliki: 3,2\xa0MB z 200 MB"),
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
