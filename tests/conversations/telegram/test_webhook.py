"""Answers of the webhook, and the stored updates."""

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connections
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.models import Message, Thread
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.models import TelegramUpdate
from conversations.telegram.process import INBOX
from meddie.asgi import application
from meddie.threads import run_db
from tests.conversations.telegram.chat import post
from tests.openai_answers import says
from tests.stack.processes import environment
from tests.telegram_updates import ANNA, Updates, user
from tests.waiting import PATIENCE


def stored():
    return TelegramUpdate.objects.count() + Thread.objects.count()


class TestAccess:
    @pytest.fixture
    def knock(self, bot, telegram):
        """One update for a path, with a secret or without."""

        def knock(path, secret=None, method="POST"):
            body = json.dumps(telegram.message("Hello"))
            headers = {"X-Telegram-Bot-Api-Secret-Token": secret} if secret else {}
            answer = Client().generic(
                method, path, body, "application/json", headers=headers
            )
            return answer.status_code, answer.content

        return knock

    @pytest.mark.parametrize("secret", [None, "wrong", "ż", "x" * 5000])
    def test_wrong_secret_looks_like_an_unknown_bot(self, bot, knock, secret):
        refused = knock(f"/telegram/{bot.bot_id}", secret)
        assert refused[0] == 404
        for number in (bot.bot_id + 1, 0, 2**64, "9" * 1000):
            assert knock(f"/telegram/{number}", secret) == refused
            assert knock(f"/telegram/{number}", bot.secret) == refused
        assert not stored()

    @pytest.mark.parametrize("path", ["-1", "x", "1.5", "9" * 5000, "1001:a-token", ""])
    def test_invalid_bot_number_is_not_found(self, bot, knock, path):
        assert knock(f"/telegram/{path}", bot.secret)[0] == 404
        assert not stored()

    @pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])
    def test_only_post_is_allowed(self, bot, knock, method):
        for number in (bot.bot_id, bot.bot_id + 1):
            path = f"/telegram/{number}"
            assert knock(path, bot.secret, method)[0] == 405
        assert not stored()

    @pytest.mark.req("B-15")
    def test_path_contains_no_token(self, bot, knock):
        assert knock(f"/telegram/{bot.token}", bot.secret)[0] == 404
        assert knock(f"/telegram/{bot.bot_id}", bot.secret)[0] == 200


class TestSize:
    @pytest.fixture
    def bring(self, bot):
        """An update in pieces, through the whole application."""

        async def bring(*pieces):
            secret = (b"x-telegram-bot-api-secret-token", bot.secret.encode())
            scope = {
                "type": "http",
                "http_version": "1.1",
                "method": "POST",
                "path": f"/telegram/{bot.bot_id}",
                "query_string": b"",
                "headers": [(b"host", b"testserver"), secret],
            }
            connection = ApplicationCommunicator(application, scope)
            for piece in pieces:
                event = {"type": "http.request", "body": piece, "more_body": True}
                await connection.send_input(event)
            await connection.send_input({"type": "http.request"})
            start = await connection.receive_output(PATIENCE)
            await connection.receive_output(PATIENCE)
            await connection.wait()
            return start["status"]

        return bring

    async def test_body_of_the_maximum_size_is_accepted(self, bring, telegram):
        update = telegram.message("")
        most = 256 * 1024 - len(json.dumps(update))
        update["message"]["text"] = "x" * most
        assert await bring(json.dumps(update).encode()) == 200
        update["message"]["text"] += "x"
        assert await bring(json.dumps(update).encode()) == 413
        assert await run_db(TelegramUpdate.objects.count) == 1

    async def test_chunked_body_of_a_megabyte_is_refused(self, bring):
        assert await bring(*[b" " * 65536] * 16, b"{}") == 413


class TestContent:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"\xff\xfe\x00",
            b"update_id=1",
            b"null",
            b"[]",
            b'"a"',
            b"[" * 100_000,
            b'{"update_id":' * 20_000,
            b'{"update_id": ' + b"9" * 5000 + b"}",
            b'{"update_id": NaN}',
        ],
    )
    def test_body_that_is_no_update_is_refused(self, bot, body):
        answer = post(bot, body)
        assert (answer.status_code, answer.text) == (
            400,
            "The body is not an update.\n",
        )
        assert not stored()

    @pytest.mark.req("B-15")
    def test_ignored_updates_are_accepted_and_not_stored(self, bot, telegram):
        """Else Telegram would resend them."""
        robot = user(ANNA, is_bot=True)
        located = telegram.message(location={"latitude": 54.5})["message"]
        channel = {"channel_post": {"message_id": 1, "chat": {"id": -1}, "text": "x"}}
        for update in (
            *(
                telegram.message("/start", chat=-100, chat_type=kind)
                for kind in ("group", "supergroup", "channel")
            ),
            telegram.message("Hello", chat=ANNA + 1),
            telegram.message("Hello", sender=robot),
            telegram.edited_message("Hello again", chat=-100, chat_type="group"),
            telegram.update(edited_message=located),
            telegram.callback("undo:x", chat=-100, chat_type="group"),
            telegram.update(),
            telegram.update(**channel),
            telegram.update(poll={"id": "1", "options": []}),
            telegram.update(something_new={"message": {"text": "x"}}),
            telegram.update(message=telegram.message("x")["message"] | {"from": None}),
        ):
            answer = post(bot, update)
            assert (answer.status_code, answer.text) == (200, "OK\n"), update
        assert not stored()

    @pytest.mark.parametrize(
        "text",
        ["a\0b", "a\x01\x1b[31mb\x7f", "\u202egnirts", "<b>&amp;</i>", "🧪" * 5000],
    )
    def test_any_characters_can_be_sent(self, chat, openai_server, text):
        openai_server.chat.queue(says("Fine."))
        assert chat.say(text) == ["Fine."]
        assert "\0" not in Message.objects.get(role="user").content

    @pytest.mark.parametrize("text", ["\0", " \0\n", "\ud800", ""])
    def test_invisible_characters_cause_no_server_error(self, chat, text):
        answer = post(chat.bot, chat.telegram.message(text))
        assert answer.status_code in {200, 400}
        chat.work()
        assert chat.states() in ([], ["done"])

    def test_too_long_message_is_answered(self, chat):
        [answer] = chat.say("x" * 20_001)
        assert "20,000 characters" in answer
        assert not Message.objects.exists()

    def test_html_in_names_is_escaped(self, chat, member):
        member.user.name = "<b>Anna & Co</b>"
        member.user.save()
        member.space.name = "<a href='x'>Home</a>"
        member.space.save()
        sender = user(ANNA, "<script>", username="<i>")
        [answer] = chat.bring(chat.telegram.message("/start", sender=sender))
        assert "&lt;b&gt;Anna" in answer
        assert "<a " not in answer
        assert "script" not in answer


UPDATES = Updates()
NUMBERS = count(10**9)
"""Ids that no two examples share."""
WORDS = st.text(st.characters(categories=["Cs", "Cc", "L", "P", "So"]), max_size=20)
ODD = (
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.sampled_from([0, -1, 2**31, 2**52, 2**63, 2**64, 10**400])
    | WORDS
)
JSON = st.recursive(
    ODD,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value, before=()):
    """Every place in a payload, as a path of keys."""
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, one in inner:
        yield (*before, key)
        yield from places(one, (*before, key))


def with_odd(payload, place, odd):
    """A copy with something else in one place."""
    changed = json.loads(json.dumps(payload))
    target = changed
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = odd
    return changed


@st.composite
def broken_updates(draw):
    """Real ones with up to three fields gone wrong."""
    number = next(NUMBERS)
    kinds = [
        UPDATES.message("Hello", sender=number, caption="x"),
        UPDATES.photo("file-1", sender=number),
        UPDATES.document("file-1", sender=number),
        UPDATES.voice("file-1", sender=number),
        UPDATES.callback("undo:x", sender=number),
    ]
    update = draw(st.sampled_from(kinds)) | {"update_id": number}
    for _ in range(draw(st.integers(1, 3))):
        found = st.sampled_from(sorted(places(update), key=str))
        update = with_odd(update, draw(found), draw(JSON))
    return update


@settings(max_examples=100)
@given(broken_updates() | JSON)
def test_any_payload_gets_200_or_400_and_only_valid_ones_are_stored(bot, payload):
    before = stored()
    answer = post(bot, json.dumps(payload).encode())
    assert answer.status_code in {200, 400}, payload
    if answer.status_code == 400:
        assert stored() == before
    for update in TelegramUpdate.objects.select_related("thread"):
        kept = restored(update.payload)
        assert update.thread.external_id == str(kept.sender.id)
        assert "\0" not in json.dumps(kept.stored())
    TelegramUpdate.objects.all().delete()


@pytest.mark.req("B-15", "S3-15")
def test_simultaneous_copies_of_an_update_are_one_message(chat, openai_server):
    openai_server.chat.queue(says("Once."))
    update = chat.telegram.message("Hello", sender=ANNA)

    def bring(_number):
        try:
            status = post(chat.bot, update).status_code
            INBOX.run(Thread.objects.get(channel="telegram").pk)
            return status
        finally:
            connections.close_all()

    with ThreadPoolExecutor(5) as threads:
        assert list(threads.map(bring, range(5))) == [200] * 5
    chat.work()
    assert chat.answers() == ["Once."]
    assert chat.states() == ["done"]
    assert Message.objects.filter(role="user").count() == 1
    assert len(openai_server.chat.requests) == 1


BRING = """
import json, sys
import django; django.setup()
from django.test import Client
from meddie import dispatch
path, secret, update = sys.argv[1:]
answer = Client().post(path, update, content_type="application/json",
    headers={"X-Telegram-Bot-Api-Secret-Token": secret, "Host": "localhost"})
print(answer.status_code, dispatch._waiting.unfinished_tasks, flush=True)
"""


def test_hanging_broker_does_not_delay_the_webhook(bot, telegram):
    """In a process of its own, because Celery keeps its connections."""
    with socket.create_server(("127.0.0.1", 0)) as hole:
        address = f"redis://127.0.0.1:{hole.getsockname()[1]}/0"
        update = json.dumps(telegram.message("Hello"))
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                BRING,
                f"/telegram/{bot.bot_id}",
                bot.secret,
                update,
            ],
            env=environment(REDIS_URL=address),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.stdout == "200 1\n", done.stderr
    assert TelegramUpdate.objects.count() == 1
