"""Calls to the Bot API, against a server that speaks it and misbehaves."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress

import httpx2
import pytest

from conversations.telegram.bot_api import api as calls
from conversations.telegram.bot_api import transport
from conversations.telegram.bot_api.api import Api, Button, Me, api
from meddie.backoff import Patience
from tests.corpus import each_of
from tests.telegram_answers import (
    Answer,
    blocks,
    fails,
    floods,
    garbles,
    hangs_up,
    slow,
    vanishes,
)
from tests.telegram_server import TOKEN, TelegramServer
from tests.waiting import PATIENCE, eventually

CHAT = 7
SAID = "Anna takes iron tablets"
Job = Callable[[Api], Awaitable[object]]


def sends(bot: Api) -> Awaitable[object]:
    return bot.send(CHAT, SAID)


def asks_who(bot: Api) -> Awaitable[object]:
    return bot.get_me()


def types(bot: Api) -> Awaitable[object]:
    return bot.typing(CHAT)


def polls(bot: Api) -> Awaitable[object]:
    return bot.get_updates(0, 0)


METHODS = {
    sends: "sendMessage",
    asks_who: "getMe",
    types: "sendChatAction",
    polls: "getUpdates",
}


@pytest.fixture
def bot(telegram: TelegramServer, monkeypatch: pytest.MonkeyPatch) -> Api:
    """A bot that waits long for answers, and retries after short pauses."""
    limits = transport.Timeouts(PATIENCE, PATIENCE, PATIENCE)
    monkeypatch.setattr(transport, "TIMEOUTS", limits)
    patience = Patience(seconds=PATIENCE, retry_after=0.5, backoff=0.01)
    monkeypatch.setattr(calls, "CALL_PATIENCE", patience)
    return api(TOKEN, telegram.url)


@pytest.fixture
def impatience(bot: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short time-outs."""
    monkeypatch.setattr(transport, "TIMEOUTS", transport.Timeouts(PATIENCE, 0.3, 1))


async def test_get_me_returns_the_bot(bot: Api) -> None:
    assert await bot.get_me() == Me(1001, "meddie_test_bot", "Meddie")


async def test_webhook_is_set_with_its_secret_and_deleted(
    bot: Api, telegram: TelegramServer
) -> None:
    await bot.set_webhook("https://meddie.example/telegram/1001", "s3cret")

    set_to = telegram.bots[TOKEN].webhook
    assert set_to["url"] == "https://meddie.example/telegram/1001"
    assert set_to["secret_token"] == "s3cret"
    asked = '["message", "edited_message", "callback_query"]'
    assert set_to["allowed_updates"] == asked
    assert set_to["drop_pending_updates"] == "false"

    await bot.delete_webhook()
    assert telegram.bots[TOKEN].webhook == {}


async def test_updates_are_returned_until_they_are_confirmed(
    bot: Api, telegram: TelegramServer
) -> None:
    first, second = telegram.message("Hi", unheard_of=[1]), telegram.callback("yes")
    telegram.feed(first, second)

    assert await bot.get_updates(0, 1) == [first, second]
    assert await bot.get_updates(second["update_id"], 1) == [second]
    assert await bot.get_updates(second["update_id"] + 1, 0) == []
    assert await bot.get_updates(0, 0) == []


async def test_poll_ends_when_an_update_arrives(
    bot: Api, telegram: TelegramServer
) -> None:
    poll = asyncio.create_task(bot.get_updates(0, 30))
    await eventually(lambda: telegram.bots[TOKEN].polls)
    update = telegram.voice("file-1")
    telegram.feed(update)
    assert await poll == [update]


async def test_polling_fails_while_a_webhook_is_set(
    bot: Api, telegram: TelegramServer
) -> None:
    await bot.set_webhook("https://meddie.example/", "s")
    with pytest.raises(transport.Elsewhere):
        await bot.get_updates(0, 0)


async def test_a_message_is_sent_as_html_with_buttons_and_without_a_preview(
    bot: Api, telegram: TelegramServer
) -> None:
    message_id = await bot.send(CHAT, "<b>1 &lt; 2</b>", buttons=[Button("Undo", "u1")])

    (call,) = telegram.calls("sendMessage")
    assert telegram.texts(CHAT) == ["1 < 2"]
    assert call.result["message_id"] == message_id
    assert call.result["reply_markup"]["inline_keyboard"] == [
        [{"text": "Undo", "callback_data": "u1"}]
    ]
    assert call.params["link_preview_options"] == '{"is_disabled": true}'


async def test_edit_removes_buttons_and_may_be_repeated(
    bot: Api, telegram: TelegramServer
) -> None:
    message_id = await bot.send(CHAT, "Saved.", buttons=[Button("Undo", "u1")])
    await bot.edit(CHAT, message_id, "Undone.")
    await bot.edit(CHAT, message_id, "Undone.")

    done, again = telegram.calls("editMessageText")
    assert done.result["text"] == "Undone."
    assert "reply_markup" not in done.result
    assert again.status == 400


async def test_editing_a_missing_message_is_refused(bot: Api) -> None:
    with pytest.raises(transport.TelegramRefused, match="message to edit not found"):
        await bot.edit(CHAT, 1, "x")


async def test_a_pressed_button_is_answered(bot: Api, telegram: TelegramServer) -> None:
    await bot.answer_callback("12", "Done")
    await bot.answer_callback("13")

    with_text, without = telegram.calls("answerCallbackQuery")
    assert with_text.params == {"callback_query_id": "12", "text": "Done"}
    assert without.params == {"callback_query_id": "13"}


async def test_a_file_is_loaded(bot: Api, telegram: TelegramServer) -> None:
    content = bytes(range(256)) * 1000
    assert await bot.download(telegram.add_file(content), len(content)) == content


async def test_path_of_a_file_is_quoted(bot: Api, telegram: TelegramServer) -> None:
    file_id = telegram.add_file(b"x", name="a file?now#or 100%")
    assert await bot.download(file_id, 1) == b"x"


async def test_endless_answer_is_not_read(
    bot: Api, telegram: TelegramServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "LONGEST_ANSWER", 1000)
    answer = b'{"ok": true, "result": true}' + b" " * 1000
    telegram.queue("sendChatAction", garbles(answer))
    with pytest.raises(transport.Unreachable):
        await types(bot)


@pytest.mark.parametrize(
    ("told", "loads"), [(None, 0), (21 * 1024 * 1024, 0), (5, 1), (0, 1)]
)
async def test_a_file_that_is_too_large_is_refused(
    bot: Api, telegram: TelegramServer, told: int | None, loads: int
) -> None:
    """Also where Telegram says nothing of its size, or something wrong."""
    file_id = telegram.add_file(b"x" * 300_000, told_size=told)
    with pytest.raises(transport.TelegramRefused):
        await bot.download(file_id, 200_000)
    assert len(telegram.calls("download")) == loads


@pytest.mark.parametrize(
    ("answer", "raised", "loads"),
    [
        (fails(404), transport.TelegramRefused, 1),
        (fails(401), transport.WrongToken, 1),
        (fails(502), transport.Unreachable, 3),
        (hangs_up(), transport.Unreachable, 3),
    ],
)
async def test_missing_file_raises(
    bot: Api,
    telegram: TelegramServer,
    answer: Answer,
    raised: type[transport.TelegramFailed],
    loads: int,
) -> None:
    telegram.queue("download", answer, answer, answer)
    with pytest.raises(raised):
        await bot.download(telegram.add_file(b"x"), 10)
    assert len(telegram.calls("download")) == loads


@pytest.mark.parametrize(
    ("job", "answers", "raised", "calls"),
    [
        # Telegram asks to wait: so it is done, as long as that is short.
        (sends, [floods(0.1), floods(0.1)], None, 3),
        (sends, [floods(60)], transport.TooMany, 1),
        (sends, [fails(429)], transport.TooMany, 1),
        (types, [floods(0.1)], transport.TooMany, 1),
        # Telegram's own fault: nothing was done.
        (sends, [fails(500), fails(502)], None, 3),
        (sends, [fails(500)] * 3, transport.Unreachable, 3),
        (asks_who, [fails(503), hangs_up()], None, 3),
        (types, [fails(502)], transport.Unreachable, 1),
        (polls, [fails(502)], transport.Unreachable, 1),
        # It may have been done: only what may happen twice is tried again.
        (sends, [fails(504)], transport.Unreachable, 1),
        (sends, [vanishes()], transport.Unreachable, 1),
        (sends, [hangs_up()], transport.Unreachable, 1),
        (sends, [garbles()], transport.Unreachable, 1),
        (sends, [garbles(b'{"ok": true, "result": "what"}')], transport.Unreachable, 1),
        (sends, [garbles(b"[1]")], transport.Unreachable, 1),
        (sends, [garbles(b"\xff\xfe")], transport.Unreachable, 1),
        (asks_who, [vanishes(), garbles()], None, 3),
        (asks_who, [garbles(b'{"ok": true, "result": 1}')], None, 2),
        (polls, [garbles(b'{"ok": true, "result": [1]}')], transport.Unreachable, 1),
        # Trying again cannot help.
        (sends, [blocks()], transport.Blocked, 1),
        (
            sends,
            [fails(400, "Bad Request: chat not found")],
            transport.TelegramRefused,
            1,
        ),
        (sends, [fails(413)], transport.TelegramRefused, 1),
        (asks_who, [fails(401, "Unauthorized")], transport.WrongToken, 1),
        (asks_who, [fails(404, "Not Found")], transport.WrongToken, 1),
        (polls, [fails(409)], transport.Elsewhere, 1),
        (polls, [fails(404)], transport.WrongToken, 1),
    ],
)
async def test_call_is_repeated_only_where_that_is_safe(
    bot: Api,
    telegram: TelegramServer,
    job: Job,
    answers: list[Answer],
    raised: type[transport.TelegramFailed] | None,
    calls: int,
) -> None:
    """What the caller gets, and how many calls were made for it."""
    method = METHODS[job]  # type: ignore[index]
    telegram.queue(method, *answers)
    if raised is None:
        await job(bot)
    else:
        with pytest.raises(raised) as caught:
            await job(bot)
        assert type(caught.value) is raised
    telegram.wait_until(lambda: len(telegram.calls(method)) >= calls)
    assert len(telegram.calls(method)) == calls


@pytest.mark.parametrize(
    ("answer", "maybe"),
    [(fails(502), False), (fails(504), True), (vanishes(), True)],
)
async def test_error_tells_whether_the_message_may_have_arrived(
    bot: Api, telegram: TelegramServer, answer: Answer, maybe: bool
) -> None:
    telegram.queue("sendMessage", *[answer] * 3)
    with pytest.raises(transport.Unreachable) as caught:
        await sends(bot)
    assert caught.value.maybe_done is maybe


async def test_timed_out_message_is_not_sent_again(
    bot: Api, impatience: None, telegram: TelegramServer
) -> None:
    telegram.queue("sendMessage", slow(1))
    with pytest.raises(transport.Unreachable) as caught:
        await sends(bot)
    assert caught.value.maybe_done
    telegram.wait_until(lambda: len(telegram.texts(CHAT)) == 1)


async def test_timed_out_question_is_asked_again(
    bot: Api, impatience: None, telegram: TelegramServer
) -> None:
    telegram.queue("getMe", slow(1))
    assert (await bot.get_me()).id == 1001


async def test_retries_end_after_the_time_limit(
    bot: Api, telegram: TelegramServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "CALL_PATIENCE", Patience(seconds=0, backoff=0.01))
    telegram.queue("sendMessage", *[floods(0.1)] * 3)
    with pytest.raises(transport.TooMany):
        await sends(bot)
    assert len(telegram.calls("sendMessage")) == 1


async def test_failed_connection_means_nothing_was_sent(bot: Api) -> None:
    with pytest.raises(transport.Unreachable) as caught:
        await api(TOKEN, "http://127.0.0.1:9").send(CHAT, SAID)
    assert not caught.value.maybe_done


async def test_flood_error_has_its_seconds(bot: Api, telegram: TelegramServer) -> None:
    telegram.queue("sendMessage", floods(35))
    with pytest.raises(transport.TooMany) as caught:
        await sends(bot)
    assert caught.value.retry_after == 35
    assert not caught.value.permanent


@each_of("token", ["", "x", "1:", "12:a b", "12:a\n", "1/../2:a", "1:ż"])
def test_malformed_token_is_refused_without_a_call(token: str) -> None:
    with pytest.raises(transport.WrongToken) as caught:
        api(token, "https://api.telegram.org")
    assert not token or token not in str(caught.value)


@pytest.mark.parametrize("address", ["", "nowhere", "ftp://x", "http://x:y"])
async def test_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(transport.InvalidApiUrl):
        await api(TOKEN, address).get_me()


def test_every_event_loop_has_its_own_connections_and_closes_them(
    telegram: TelegramServer,
) -> None:
    async def used() -> transport.Transport:
        await api(TOKEN, telegram.url).get_me()
        await api("2002:other", telegram.url).delete_webhook()
        return await transport.transports.get()

    telegram.add_bot("2002:other")
    first, second = asyncio.run(used()), asyncio.run(used())
    assert first is not second
    assert first.closed
    assert second.closed


async def test_logs_and_errors_contain_no_token_and_no_text(
    bot: Api, telegram: TelegramServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f'Bad Request: can\'t parse entities: Unsupported start tag "{SAID}"'
    garbled = garbles(f'{{"ok": "{SAID}'.encode())
    telegram.queue("sendMessage", fails(400, echo), garbled, blocks(), Answer())
    telegram.queue("getMe", fails(404), fails(418))
    unreachable = api(TOKEN, "http://127.0.0.1:9")
    jobs: list[Awaitable[object]] = [sends(bot) for _ in range(4)]
    jobs += [asks_who(bot), asks_who(bot), asks_who(unreachable), types(bot)]
    jobs += [bot.download(telegram.add_file(b"x" * 9), 5), bot.get_updates(0, 0)]
    jobs += [api(TOKEN, "http://[").get_me(), bot.download("x", 5)]
    told = [repr(bot)]
    for job in jobs:
        try:
            await job
        except transport.TelegramFailed:
            told.append(traceback.format_exc())

    everything = "\n".join([*told, caplog.text])
    assert len(told) == 10
    assert TOKEN.partition(":")[2] not in everything
    assert SAID not in everything


@pytest.mark.parametrize("kind", ["json", "form", "multipart", "query"])
async def test_server_accepts_every_kind_of_call(
    telegram: TelegramServer, kind: str
) -> None:
    url, values = f"{telegram.url}/bot{TOKEN}/SENDMESSAGE", {"chat_id": 7, "text": "é"}
    ways = {
        "json": {"json": values},
        "form": {"data": values},
        "multipart": {"files": {name: (None, str(v)) for name, v in values.items()}},
        "query": {"params": values},
    }
    async with httpx2.AsyncClient() as client:
        answer = await client.post(url, **ways[kind])  # type: ignore[arg-type]
    assert answer.json()["ok"]
    assert telegram.texts(7) == ["é"]


@pytest.mark.parametrize(
    "html",
    ["<b>", "</b>", "<b><i></b></i>", "<h1>x</h1>", "1 < 2", "<br>", " ", "x" * 4097],
)
async def test_server_refuses_what_telegram_refuses(bot: Api, html: str) -> None:
    with pytest.raises(transport.TelegramRefused):
        await bot.send(CHAT, html)


async def test_a_blocked_bot_stays_blocked(bot: Api, telegram: TelegramServer) -> None:
    telegram.blocked.add(CHAT)
    for _ in range(2):
        with suppress(transport.Blocked):
            await sends(bot)
    assert [call.done for call in telegram.calls("sendMessage")] == [False, False]
