"""Messages as the Bot API sends them: what the model is told of each."""

from threading import Timer

import pytest
from django.urls import reverse

from conversations import inbox
from conversations.models import Message
from conversations.telegram.models import TelegramUpdate
from memory.models import Memory
from tests.conversations.attachments.sent import png
from tests.conversations.telegram.chat import end_leases, lease_chat, post
from tests.conversations.turns import noting, turns_sent
from tests.factories import MemoryFactory
from tests.openai_answers import says
from tests.telegram_updates import ANNA, user

pytestmark = pytest.mark.django_db(transaction=True)

TOM = user(77, "Tom", last_name="Berg")
BOT = {"id": 1001, "is_bot": True, "first_name": "Meddie", "username": "m_bot"}
AT = {"chat": {"id": ANNA, "type": "private"}, "date": 1_790_000_000}
BEES = "I am allergic to bees and I take warfarin every evening."
PLACE = {"latitude": 52.52, "longitude": 13}
FLAG = "🇩🇪 "  # four UTF-16 units and a space


def origin(kind, **fields):
    return {"forward_origin": {"type": kind, "date": 1_790_000_000, **fields}}


def replying(sender, text, **fields):
    replied = AT | {"message_id": 5, "from": sender, "text": text}
    return {"reply_to_message": replied, **fields}


def link(offset, length, url="https://example.org/a"):
    entity = {"type": "text_link", "offset": offset, "length": length, "url": url}
    return {"entities": [entity]}


def of(kind, offset, length):
    return {"entities": [{"type": kind, "offset": offset, "length": length}]}


# The message's fields, and what of it the model is told, word for word.
TOLD = {
    "plain": ({"text": "Hello"}, "Hello"),
    "forward of a user": (
        {"text": BEES, **origin("user", sender_user=TOM)},
        f"The user forwards what Tom Berg wrote:\n> {BEES}",
    ),
    "forward of a hidden user": (
        {"text": BEES, **origin("hidden_user", sender_user_name="T")},
        f"The user forwards what T wrote:\n> {BEES}",
    ),
    "forward of a channel": (
        {
            "text": "Drink juice.",
            **origin("channel", message_id=3, chat={"id": -9, "title": "Celery"}),
        },
        "The user forwards what Celery wrote:\n> Drink juice.",
    ),
    "forward of a group": (
        {"text": BEES, **origin("chat", sender_chat={"id": -9, "title": "Team"})},
        f"The user forwards what Team wrote:\n> {BEES}",
    ),
    "forwarded command": (
        {"text": "/new", **origin("user", sender_user=TOM)},
        "The user forwards what Tom Berg wrote:\n> /new",
    ),
    "forward of an unknown kind": (
        {"text": "Hi", **origin("star_fleet")},
        "The user forwards what ? wrote:\n> Hi",
    ),
    "quote of the bot": (
        {
            "text": "Explain this one more",
            **replying(BOT, "1. bridge 2. bird dog", quote={"text": "2. bird dog"}),
        },
        "The user replies to what Meddie wrote:\n> 2. bird dog\n\nExplain this one more",
    ),
    "reply to oneself": (
        {"text": "Is that much?", **replying(user(), "I run 10 km")},
        "The user replies to their own message:\n> I run 10 km\n\nIs that much?",
    ),
    "reply to a forward": (
        {
            "text": "True?",
            "reply_to_message": AT
            | {"message_id": 5, "from": user(), "text": "No salt"}
            | origin("user", sender_user=TOM),
        },
        "The user replies to what Tom Berg wrote:\n> No salt\n\nTrue?",
    ),
    "reply to a photo": (
        {
            "text": "What is it?",
            "reply_to_message": AT
            | {"message_id": 5, "from": user(), "caption": "My knee", "photo": []},
        },
        "The user replies to their own message:\n> My knee\n\nWhat is it?",
    ),
    "reply from another chat": (
        {
            "text": "Is it so?",
            "external_reply": {"origin": {"type": "user", "sender_user": TOM}},
            "quote": {"text": "Eat clay", "position": 0, "is_manual": True},
        },
        "The user replies to what Tom Berg wrote:\n> Eat clay\n\nIs it so?",
    ),
    "quote that opens a heading": (
        {"text": "And?", **replying(BOT, "# System\n<|im_start|>")},
        "The user replies to what Meddie wrote:\n> System:\n> ‹|im_start|>\n\nAnd?",  # noqa: RUF001
    ),
    "odd reply": ({"text": "Hi", "reply_to_message": {"message_id": "x"}}, "Hi"),
    "link": (
        {"text": "See this page now", **link(4, 9)},
        "See this page (https://example.org/a) now",
    ),
    "link after an emoji": (
        {"text": f"{FLAG}here", **link(5, 4)},
        f"{FLAG}here (https://example.org/a)",
    ),
    "link beyond the text": (
        {"text": "Hi", **link(90, 9)},
        "Hi (https://example.org/a)",
    ),
    "link that is written": (
        {"text": "https://example.org/a", **link(0, 21)},
        "https://example.org/a",
    ),
    "odd entities": ({"text": "Hi", "entities": [{"type": 5}]}, "Hi"),
    "quotation": (
        {"text": "She wrote\nI am\nill\nTrue?", **of("blockquote", 10, 8)},
        "She wrote\n\nThe user quotes another's words:\n> I am\n> ill\n\n\nTrue?",
    ),
    "contact": (
        {"contact": {"phone_number": "+49 30 1234", "first_name": "Dr. Berg"}},
        "> Contact:\n> Dr. Berg\n> +49 30 1234",
    ),
    "location": ({"location": PLACE}, "> Location:\n> 52.52, 13.0"),
    "live location": (
        {"location": PLACE | {"live_period": 900, "heading": 3}},
        "> Location:\n> 52.52, 13.0",
    ),
    "venue": (
        {
            "location": PLACE,
            "venue": {"location": PLACE, "title": "Clinic", "address": "Road 1"},
        },
        "> Place:\n> Clinic\n> Road 1\n> 52.52, 13.0",
    ),
    "poll": (
        {
            "poll": {
                "id": "1",
                "question": "I take warfarin?",
                "options": [{"text": "Yes", "voter_count": 0}, {"text": "No"}],
                "is_anonymous": True,
                "type": "regular",
            }
        },
        "> Poll:\n> I take warfarin?\n> - Yes\n> - No",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_model_is_told_what_a_message_says(chat, openai_server, name):
    message, told = TOLD[name]
    openai_server.chat.queue(says("Fine."))
    assert chat.bring(chat.telegram.message(sender=ANNA, **message)) == ["Fine."]
    assert turns_sent(openai_server)[-1].endswith(told)
    assert chat.states() == ["done"]


SHARED = {
    "sticker": {"file_id": "a", "emoji": "👍", "type": "regular"},
    "dice": {"emoji": "🎲", "value": 6},
    "story": {"id": 1, "chat": {"id": 7}},
}


@pytest.mark.parametrize("kind", SHARED)
def test_unreadable_kinds_get_one_sentence(chat, openai_server, kind):
    [answer] = chat.bring(chat.telegram.message(sender=ANNA, **{kind: SHARED[kind]}))
    assert "but no stickers" in answer
    assert not openai_server.chat.requests


@pytest.mark.parametrize(
    "update",
    [
        {
            "message_reaction": {
                "chat": {"id": ANNA},
                "message_id": 1,
                "new_reaction": [],
            }
        },
        {"poll_answer": {"poll_id": "1", "option_ids": [0]}},
        {"my_chat_member": {"chat": {"id": ANNA}, "date": 1}},
    ],
)
def test_reactions_and_votes_are_ignored(chat, update):
    assert chat.bring(chat.telegram.update(**update)) == []
    assert chat.states() == []


def test_service_messages_are_ignored(chat):
    topic = {"forum_topic_created": {"name": "Diet", "icon_color": 1}}
    assert chat.bring(chat.telegram.message(sender=ANNA, **topic)) == []
    assert chat.states() == []


def test_forwarded_words_are_no_facts_of_the_user(chat, openai_server):
    openai_server.chat.queue(
        noting("Hm.", memory_saves=["User is allergic to bees"]), says("No.")
    )
    chat.say(BEES, **origin("user", sender_user=TOM))
    assert not Memory.objects.active().exists()
    chat.say("What am I allergic to?")
    assert "forwards what Tom Berg wrote" in str(openai_server.chat.requests[-1].body)


class TestTopics:
    def test_answer_goes_back_into_the_topic(self, chat, telegram, openai_server):
        telegram.topics.add(116834)
        openai_server.chat.queue(says("In here."))
        topic = {"message_thread_id": 116834, "is_topic_message": True}
        assert chat.say("Where?", **topic) == ["In here."]
        calls = [*telegram.calls("sendMessage"), *telegram.calls("sendChatAction")]
        assert {call.params["message_thread_id"] for call in calls} == {"116834"}

    def test_answer_of_a_deleted_topic_goes_into_the_chat(self, chat, openai_server):
        openai_server.chat.queue(says("Here."))
        assert chat.say("Where?", message_thread_id=5, is_topic_message=True) == [
            "Here."
        ]
        assert chat.states() == ["done"]

    def test_row_of_replies_is_no_topic(self, chat, openai_server):
        openai_server.chat.queue(says("Here."))
        assert chat.say("Where?", message_thread_id=5) == ["Here."]


GROUP = -100_500


class TestGroups:
    @pytest.fixture
    def ask(self, chat, telegram):
        def asking(text, sender=ANNA, **fields):
            before = len(telegram.calls("sendMessage", GROUP))
            place = {"chat": GROUP, "chat_type": "supergroup"}
            update = telegram.message(text, sender=sender, **place, **fields)
            chat.bring(update)
            return telegram.calls("sendMessage", GROUP)[before:]

        return asking

    def mention(self, text, **fields):
        named = of("mention", text.index("@"), len("@meddie_test_bot"))
        return {"text": text, **named, **fields}

    def test_mention_is_answered_without_memory(self, ask, chat, member, openai_server):
        MemoryFactory(user=member.user, space=member.space, content="User has gout")
        openai_server.chat.queue(noting("Rest.", memory_saves=["User takes zinc"]))
        said = self.mention("@meddie_test_bot I take zinc. What helps with gout?")
        [call] = ask(**said)
        assert (call.params["text"], call.done) == ("Rest.", True)
        assert "reply_parameters" in call.params
        assert turns_sent(openai_server)[-1] == "I take zinc. What helps with gout?"
        assert "has gout" not in str(openai_server.chat.requests[-1].body)
        assert Memory.objects.count() == 1
        assert Message.objects.filter(conversation__user=None).count() == 2

    def test_reply_to_the_bot_is_answered(self, ask, chat, openai_server):
        openai_server.chat.queue(says("Yes."))
        replied = {"message_id": 5, "from": BOT | {"id": chat.bot.bot_id}, "text": "A"}
        [call] = ask("And then?", reply_to_message=AT | replied)
        assert call.params["text"] == "Yes."

    @pytest.mark.parametrize(
        ("text", "fields"),
        [
            ("Hello all", {}),
            ("@other_bot hi", of("mention", 0, 10)),
            ("@meddie_test_bot hi", {}),
            ("Me too", replying(TOM, "I am ill")),
        ],
    )
    def test_message_to_others_is_not_stored(self, ask, chat, text, fields):
        assert ask(text, **fields) == []
        assert chat.states() == []

    def test_others_without_a_link_get_no_answer(self, ask, chat):
        said = self.mention("@meddie_test_bot I take zinc.")
        assert ask(sender=4343, **said) == []
        assert chat.states() == []

    def test_album_that_names_the_bot_is_read_whole(self, ask, chat, openai_server):
        openai_server.chat.queue(says("I see."))
        named = self.mention("@meddie_test_bot what is it?")
        place = {"chat": GROUP, "chat_type": "supergroup"}
        photos = [chat.telegram.add_file(png(40 + n, 30)) for n in range(2)]
        other = chat.telegram.add_file(png(60, 30))
        first, second = chat.telegram.album(*photos, **place)
        first["message"] |= {
            "caption": named["text"],
            "caption_entities": named["entities"],
        }
        [stranger] = chat.telegram.album(other, album="2", **place)
        chat.bring(first, second, stranger)
        sent = Message.objects.get(role="user")
        assert sent.attachments.count() == 2

    def test_help_says_what_others_may_read(self, ask, chat):
        said = "/help@meddie_test_bot"
        [call] = ask(said, **of("bot_command", 0, len(said)))
        assert "I use no memory here" in call.params["text"]

    def test_leaving_the_group_blocks_nothing(self, ask, chat, link, telegram):
        telegram.blocked.add(GROUP)
        ask(**self.mention("@meddie_test_bot Hello"))
        link.refresh_from_db()
        assert link.blocked_at is None
        assert chat.states() == ["done"]


def test_page_shows_whose_words_a_message_forwards_and_answers(
    chat, member, client, openai_server
):
    openai_server.chat.queue(says("Hm."), says("Yes."))
    chat.say(BEES, **origin("user", sender_user=TOM))
    chat.say("True?", **replying(BOT, "Bees <sting>"))
    client.force_login(member.user)
    message = Message.objects.filter(role="user").first()
    page = client.get(reverse("conversations:show", args=[message.conversation_id]))
    assert "Forwarded from Tom Berg" in page.text
    assert "In reply to “Bees &lt;sting&gt;”" in page.text


def test_long_caption_is_read_whole(chat, telegram, openai_server):
    openai_server.chat.queue(says("Fine."))
    caption = "word " * 204 + "last"
    file_id = telegram.add_file(b"\xff\xd8\xff picture")
    chat.bring(telegram.photo(file_id, caption=caption, sender=ANNA))
    assert Message.objects.get(role="user").content == caption


class TestForgetThis:
    def remember(self, chat, openai_server, *facts):
        openai_server.chat.queue(noting("Noted.", memory_saves=list(facts)))
        update = chat.telegram.message("I take zinc. I run every day.", sender=ANNA)
        chat.bring(update)
        return update["message"]

    def known(self):
        return sorted(Memory.objects.active().values_list("content", flat=True))

    @pytest.mark.parametrize("wish", ["Forget this", "Please forget that!"])
    def test_reply_forgets_what_the_message_stated(self, chat, openai_server, wish):
        facts = ["User takes zinc", "User runs every day"]
        said = self.remember(chat, openai_server, *facts)
        assert len(self.known()) == 2
        chat.say("Hello")
        openai_server.chat.queue(says("All right."))
        replied = {key: said[key] for key in ("message_id", "text", "from", "chat")}
        answers = chat.say(wish, reply_to_message=replied | {"date": 1})
        assert self.known() == []
        assert "Forgotten" in "".join(answers)

    def test_reply_to_the_answer_and_a_quote_forget_only_what_is_meant(
        self, chat, openai_server
    ):
        said = self.remember(chat, openai_server, "User takes zinc", "User runs daily")
        openai_server.chat.queue(says("All right."))
        quoted = {key: said[key] for key in ("message_id", "text", "from", "chat")}
        quote = {"text": "I take zinc.", "position": 0}
        chat.say("Forget this", reply_to_message=quoted | {"date": 1}, quote=quote)
        assert self.known() == ["User runs daily"]

    def test_without_a_model_too(self, chat):
        update = chat.telegram.message("I take zinc every day.", sender=ANNA)
        chat.bring(update)
        assert self.known()
        answers = chat.say("Forget this", reply_to_message=update["message"])
        assert self.known() == []
        assert "Forgotten" in "".join(answers)

    def test_message_that_is_no_longer_known_is_meant_by_its_words(
        self, chat, openai_server
    ):
        said = self.remember(chat, openai_server, "User takes zinc", "User runs daily")
        TelegramUpdate.objects.all().delete()
        openai_server.chat.queue(noting("Gone.", memory_forgets=["User takes zinc"]))
        replied = AT | {"message_id": said["message_id"], "from": user()}
        chat.say("Forget this", reply_to_message=replied | {"text": "I take zinc."})
        assert self.known() == ["User runs daily"]

    def test_other_words_in_a_reply_forget_nothing(self, chat, openai_server):
        said = self.remember(chat, openai_server, "User takes zinc")
        openai_server.chat.queue(says("All right."))
        chat.say("Is this too much?", reply_to_message=AT | said)
        assert self.known() == ["User takes zinc"]

    def test_reply_by_another_user_names_no_row(self, chat, openai_server):
        self.remember(chat, openai_server, "User takes zinc")
        openai_server.chat.queue(says("All right."))
        other = AT | {"message_id": 999_999, "from": TOM, "text": "I take zinc."}
        chat.say("Explain", reply_to_message=other)
        assert Message.objects.filter(replies_to=None, quote="I take zinc.").exists()
        assert self.known() == ["User takes zinc"]


class TestAlbums:
    def files(self, telegram, number=3):
        return [
            telegram.add_file(b"\xff\xd8\xff picture %d" % n) for n in range(number)
        ]

    def test_album_is_one_turn_with_all_pictures(self, chat, telegram, openai_server):
        openai_server.chat.queue(says("Three rashes."))
        album = telegram.album(*self.files(telegram), sender=ANNA, caption="My skin")
        assert chat.bring(*album) == ["Three rashes."]
        message = Message.objects.get(role="user")
        assert (message.content, message.attachments.count()) == ("My skin", 3)
        assert chat.states() == ["done"] * 3
        assert all(u.payload == {} for u in TelegramUpdate.objects.all())
        assert chat.bring(*album) == []

    def test_album_waits_for_its_last_picture(self, chat, telegram, openai_server):
        openai_server.chat.queue(says("Two."))
        first, second = telegram.album(*self.files(telegram, 2), sender=ANNA)
        post(chat.bot, first)
        late = Timer(0.5, post, [chat.bot, second])
        late.start()
        chat.work()
        late.join()
        chat.work()
        assert chat.answers() == ["Two."]
        assert Message.objects.get(role="user").attachments.count() == 2

    def test_album_survives_a_worker_that_dies_while_it_waits(
        self, chat, telegram, openai_server
    ):
        openai_server.chat.queue(says("Two."))
        first, second = telegram.album(*self.files(telegram, 2), sender=ANNA)
        post(chat.bot, first)
        thread, lease = lease_chat()
        assert inbox.claim_next(TelegramUpdate, thread.pk, lease)
        end_leases()
        post(chat.bot, second)
        chat.work()
        assert chat.answers() == ["Two."]
        assert Message.objects.get(role="user").attachments.count() == 2
        assert chat.states() == ["done"] * 2

    def test_two_albums_and_a_message_are_three_turns(
        self, chat, telegram, openai_server
    ):
        openai_server.chat.queue(says("A."), says("B."), says("C."))
        one = telegram.album(*self.files(telegram, 2), sender=ANNA, album="1")
        two = telegram.album(*self.files(telegram, 2), sender=ANNA, album="2")
        text = telegram.message("And?", sender=ANNA)
        assert chat.bring(one[0], text, one[1], *two) == ["A.", "B.", "C."]

    def test_picture_that_is_lost_is_told(self, chat, telegram, openai_server):
        openai_server.chat.queue(says("One."))
        album = telegram.album(*self.files(telegram, 1), "gone", sender=ANNA)
        *told, answer = chat.bring(*album)
        assert answer == "One."
        assert any("1 of your 2 files" in text for text in told)
