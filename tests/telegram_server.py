"""A local server of the Bot API that can misbehave.

In a test (fixture `telegram`), with one bot of the token TOKEN::

    telegram.feed(telegram.message("Hello"))                # for getUpdates
    telegram.queue("sendMessage", floods(2), fails(502))    # the next two calls
    telegram.queue("sendMessage", vanishes(), chat=7)       # the next one of that chat
    telegram.blocked.add(7)                                 # 403 from now on
    telegram.wait_until(lambda: telegram.texts(7) == ["Hi"])

By hand::

    python -m tests.telegram_server --port 8901 --token 1001:test --latency 0.05
"""

import argparse
import itertools
import json
import re
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from django.db import connections

from tests.telegram_answers import Answer, Refusal, blocks
from tests.telegram_html import MOST_BYTES, Unparsable, visible, weight
from tests.telegram_http import ApiHandler, ApiServer, Parameters
from tests.telegram_updates import Update, Updates
from tests.waiting import wait_until

TOKEN = "1001:test-token-of-the-bot"
LONGEST = 4096
LARGEST_FILE = 20 * 1024 * 1024


@dataclass(frozen=True)
class Call:
    """One request. `done`: it took effect, even if the answer was lost."""

    order: int
    time: float
    token: str
    method: str
    params: Parameters
    done: bool
    status: int
    result: Any = None

    @property
    def chat(self) -> int:
        return int(self.params.get("chat_id", 0))


@dataclass
class Bot:
    token: str
    username: str
    name: str = "Meddie"
    webhook: Parameters = field(default_factory=dict)
    """The parameters of setWebhook; empty without a webhook."""
    waiting: list[Update] = field(default_factory=list)
    """Updates that are not confirmed yet."""
    polls: int = 0
    """Calls of getUpdates that wait now."""

    @property
    def id(self) -> int:
        return int(self.token.partition(":")[0])


@dataclass(frozen=True)
class StoredFile:
    content: bytes
    told_size: int
    """The size that getFile tells; may be wrong."""


class TelegramServer(Updates):
    """The server in threads of this process; a context manager."""

    def __init__(self, port: int = 0, *, latency: float = 0) -> None:
        super().__init__()
        self.latency = latency
        self.bots: dict[str, Bot] = {}
        self.blocked: set[int] = set()
        self.topics: set[int] = set()
        """Those of all chats; another one is refused."""
        self.files: dict[str, StoredFile] = {}
        self.closing = False
        self.changed = threading.Condition()
        self.open: set[socket.socket] = set()
        self._calls: list[Call] = []
        self._messages: dict[tuple[str, int, int], Parameters] = {}
        self._ids = itertools.count(1000)
        self._next: dict[tuple[str, int | None], deque[Answer]] = defaultdict(deque)
        self.add_bot(TOKEN)
        self._http = ApiServer(("127.0.0.1", port), ApiHandler)
        self._http.owner = self
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        """The `api_url` of a bot."""
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.02,), daemon=True
        )

    def __enter__(self) -> "TelegramServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self.changed:
            self.closing = True
            self.changed.notify_all()
        self._http.shutdown()
        for connection in list(self.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()
        self._thread.join()

    # What a test does.

    def add_bot(self, token: str, username: str = "meddie_test_bot") -> Bot:
        bot = self.bots[token] = Bot(token, username)
        return bot

    def add_file(
        self, content: bytes, *, told_size: int | None = None, name: str = "file"
    ) -> str:
        file_id = f"{name}-{next(self._ids)}"
        size = len(content) if told_size is None else told_size
        self.files[file_id] = StoredFile(content, size)
        return file_id

    def feed(self, *updates: Update, token: str = TOKEN) -> None:
        """Add updates for getUpdates."""
        with self.changed:
            self.bots[token].waiting.extend(updates)
            self.changed.notify_all()

    def queue(self, method: str, *answers: Answer, chat: int | None = None) -> None:
        """Set the answers to the next calls of a method; "download" for files."""
        with self.changed:
            self._next[method.lower(), chat].extend(answers)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition; its failure shows the last calls."""
        wait_until(condition, lambda: f"in vain; calls: {self.sent[-20:]}")

    @property
    def sent(self) -> list[Call]:
        """All calls so far, ordered by their end."""
        with self.changed:
            return list(self._calls)

    def calls(self, method: str, chat: int | None = None) -> list[Call]:
        """Calls of one method, done or not."""
        return [
            call
            for call in self.sent
            if call.method == method and chat in (None, call.chat)
        ]

    def texts(self, chat: int, token: str | None = None) -> list[str]:
        """The texts sent to a chat, without markup."""
        return [
            call.result["text"]
            for call in self.calls("sendMessage", chat)
            if call.done and token in (None, call.token)
        ]

    # What the threads do.

    def serve(self, token: str, method: str, params: Parameters) -> tuple[Answer, Any]:
        """Handle one call and record it before the answer is sent."""
        canonical = _names.get(method.lower(), method)
        answer, result = self._planned(canonical, params), None
        pause = self.latency + answer.slow
        if pause:
            time.sleep(pause)
        done = not answer.status and answer.then != "hang up"
        if done:
            try:
                result = self._do(token, canonical, params)
            except Refusal as refusal:
                answer, done = refusal.answer, False
        with self.changed:
            self._calls.append(
                Call(
                    order=len(self._calls),
                    time=time.time(),
                    token=token,
                    method=canonical,
                    params=params,
                    done=done,
                    status=answer.status or 200,
                    result=result,
                )
            )
            self.changed.notify_all()
        if answer.meanwhile is not None:
            answer.meanwhile()
            connections.close_all()  # it may have used the test's database
        return answer, result

    def _planned(self, method: str, params: Parameters) -> Answer:
        chat = _chat(params)
        with self.changed:
            for key in ((method.lower(), chat), (method.lower(), None)):
                if self._next[key]:
                    return self._next[key].popleft()
        return blocks() if chat in self.blocked else Answer()

    def _do(self, token: str, method: str, params: Parameters) -> Any:
        bot = self.bots.get(token)
        if bot is None:
            raise Refusal(401, "Unauthorized")
        do = _methods.get(method)
        if do is None:
            raise Refusal(404, "Not Found: method not found")
        return do(self, bot, params)

    def _get_me(self, bot: Bot, _: Parameters) -> Any:
        privacy = {"can_read_all_group_messages": False, "has_topics_enabled": True}
        return _user(bot) | {"can_join_groups": True} | privacy

    def _set_webhook(self, bot: Bot, params: Parameters) -> bool:
        secret = params.get("secret_token", "")
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", secret):
            raise Refusal(
                400, "Bad Request: secret token contains unallowed characters"
            )
        bot.webhook = dict(params) if params.get("url") else {}
        return True

    def _delete_webhook(self, bot: Bot, _: Parameters) -> bool:
        bot.webhook = {}
        return True

    def _get_updates(self, bot: Bot, params: Parameters) -> list[Update]:
        if bot.webhook:
            raise Refusal(
                409, "Conflict: can't use getUpdates method while webhook is active"
            )
        offset = int(params.get("offset", 0))
        allowed = set(json.loads(params.get("allowed_updates", "[]")))
        with self.changed:
            bot.waiting = [
                update
                for update in bot.waiting
                if update["update_id"] >= offset and allowed & set(update)
            ]
            bot.polls += 1
            self.changed.wait_for(
                lambda: bot.waiting or self.closing, float(params.get("timeout", 0))
            )
            bot.polls -= 1
            return bot.waiting[: int(params.get("limit", 100))]

    def _send_message(self, bot: Bot, params: Parameters) -> Any:
        chat, content = _required_chat(params), self._content(params)
        with self.changed:
            message_id = next(self._ids)
            self._messages[bot.token, chat, message_id] = content
        return _message(bot, chat, message_id, content)

    def _edit_message_text(self, bot: Bot, params: Parameters) -> Any:
        chat, message_id = _required_chat(params), int(params.get("message_id", 0))
        content, key = self._content(params), (bot.token, chat, message_id)
        with self.changed:
            if key not in self._messages:
                raise Refusal(400, "Bad Request: message to edit not found")
            if self._messages[key] == content:
                raise Refusal(
                    400,
                    "Bad Request: message is not modified: specified new message"
                    " content and reply markup are exactly the same",
                )
            self._messages[key] = content
        return _message(bot, chat, message_id, content)

    def _content(self, params: Parameters) -> Parameters:
        text = str(params.get("text", ""))
        if params.get("parse_mode", "").upper() == "HTML":
            if weight(text) > MOST_BYTES:
                raise Refusal(400, "Bad Request: ENTITIES_TOO_LONG")
            try:
                text = visible(text)
            except Unparsable as error:
                words = f"Bad Request: can't parse entities: {error}"
                raise Refusal(400, words) from None
        topic = params.get("message_thread_id")
        if topic is not None and int(topic) not in self.topics:
            raise Refusal(400, "Bad Request: message thread not found")
        if not text.strip():
            raise Refusal(400, "Bad Request: message text is empty")
        if len(text.encode("utf-16-le")) // 2 > LONGEST:
            raise Refusal(400, "Bad Request: message is too long")
        return {"text": text.strip()} | _markup(params)

    def _send_chat_action(self, _: Bot, params: Parameters) -> bool:
        _required_chat(params)
        if int(params.get("message_thread_id", 0)) not in {0, *self.topics}:
            raise Refusal(400, "Bad Request: message thread not found")
        if params.get("action") != "typing":
            raise Refusal(400, "Bad Request: wrong parameter action in request")
        return True

    def _answer_callback_query(self, _: Bot, params: Parameters) -> bool:
        if not params.get("callback_query_id"):
            raise Refusal(400, "Bad Request: query is too old or query ID is invalid")
        return True

    def _download(self, _: Bot, params: Parameters) -> bytes:
        file = self.files.get(unquote(params["file_path"]).rpartition("/")[2])
        if file is None:
            raise Refusal(404, "Not Found")
        return file.content

    def _get_file(self, _: Bot, params: Parameters) -> Any:
        file_id = str(params.get("file_id", ""))
        file = self.files.get(file_id)
        if file is None:
            raise Refusal(400, "Bad Request: invalid file_id")
        if file.told_size > LARGEST_FILE:
            raise Refusal(400, "Bad Request: file is too big")
        told = {"file_id": file_id, "file_unique_id": f"u-{file_id}"}
        sizes = {"file_size": file.told_size} if file.told_size else {}
        return told | sizes | {"file_path": f"documents/{file_id}"}


_methods: dict[str, Callable[[TelegramServer, Bot, Parameters], Any]] = {
    "getMe": TelegramServer._get_me,
    "setWebhook": TelegramServer._set_webhook,
    "deleteWebhook": TelegramServer._delete_webhook,
    "getUpdates": TelegramServer._get_updates,
    "sendMessage": TelegramServer._send_message,
    "editMessageText": TelegramServer._edit_message_text,
    "sendChatAction": TelegramServer._send_chat_action,
    "answerCallbackQuery": TelegramServer._answer_callback_query,
    "getFile": TelegramServer._get_file,
    "download": TelegramServer._download,
}
_names = {name.lower(): name for name in _methods}


def _chat(params: Parameters) -> int | None:
    chat = str(params.get("chat_id", ""))
    return int(chat) if re.fullmatch(r"-?\d+", chat) else None


def _required_chat(params: Parameters) -> int:
    chat = _chat(params)
    if chat is None:
        raise Refusal(400, "Bad Request: chat_id is empty")
    if chat == 0:
        raise Refusal(400, "Bad Request: chat not found")
    return chat


def _markup(params: Parameters) -> Parameters:
    given = params.get("reply_markup")
    if not given:
        return {}
    markup = json.loads(given) if isinstance(given, str) else given
    for row in markup["inline_keyboard"]:
        for button in row:
            if not 1 <= len(button.get("callback_data", "").encode()) <= 64:
                raise Refusal(400, "Bad Request: BUTTON_DATA_INVALID")
    return {"reply_markup": markup}


def _user(bot: Bot) -> Parameters:
    told = {"first_name": bot.name, "username": bot.username}
    return {"id": bot.id, "is_bot": True} | told


def _message(bot: Bot, chat: int, message_id: int, content: Parameters) -> Parameters:
    where = {"id": chat, "type": "private", "first_name": "Somebody"}
    head = {"message_id": message_id, "date": int(time.time()), "chat": where}
    return head | {"from": _user(bot)} | content


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8901)
    parser.add_argument("--token", default=TOKEN)
    parser.add_argument("--latency", type=float, default=0)
    options = parser.parse_args()
    server = TelegramServer(options.port, latency=options.latency)
    server.add_bot(options.token)
    with server, suppress(KeyboardInterrupt):
        print(server.url, flush=True)  # noqa: T201 -- its one line of output
        threading.Event().wait()


if __name__ == "__main__":
    main()
