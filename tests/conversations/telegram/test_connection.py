"""Connecting a bot: Telegram agrees first, then it is stored."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection as database

from conversations.telegram import connection
from conversations.telegram.connection import (
    NotConnected,
    bot_of,
    connect,
    disconnect,
    reconnect,
)
from conversations.telegram.models import TelegramBot
from tests.factories import SpaceFactory, TelegramBotFactory, TelegramLinkFactory
from tests.telegram_answers import fails, floods, hangs_up, slow
from tests.telegram_server import TOKEN

pytestmark = pytest.mark.django_db

OTHER = "2002:another-token"
PUBLIC = "https://meddie.example"
LOST_KEY = "x" * 43 + "="


@pytest.fixture
def server(telegram, settings):
    settings.TELEGRAM_API_URL = telegram.url
    settings.PUBLIC_URL = PUBLIC
    return telegram


@pytest.fixture
def space(db):
    return SpaceFactory()


def webhook(server, token=TOKEN):
    return server.bots[token].webhook


class TestConnecting:
    @pytest.mark.req("B-15")
    def test_webhook_is_registered_with_its_secret(self, server, space):
        connect(space, TOKEN)
        bot = TelegramBot.objects.get()
        assert (bot.space, bot.bot_id, bot.username) == (space, 1001, "meddie_test_bot")
        assert (bot.polled, bot.error) == (False, "")
        assert re.fullmatch(r"[A-Za-z0-9_-]{43}", bot.secret)
        assert webhook(server)["url"] == f"{PUBLIC}/telegram/1001"
        assert webhook(server)["secret_token"] == bot.secret
        assert TOKEN not in webhook(server)["url"]

    @pytest.mark.parametrize("address", ["", "http://192.168.0.7:8000"])
    def test_bot_is_polled_without_a_public_https_address(
        self, server, space, settings, address
    ):
        webhook(server)["url"] = "https://old.example"
        settings.PUBLIC_URL = address
        assert connect(space, TOKEN).polled
        assert webhook(server) == {}

    @pytest.mark.parametrize(
        "token", ["", "nonsense", "1001:wrong", "1001:\x00", "1:a/../x", "ą" * 200]
    )
    def test_token_of_no_bot_is_refused(self, server, space, token):
        with pytest.raises(NotConnected, match="does not know this token"):
            connect(space, token)
        assert not TelegramBot.objects.exists()

    @pytest.mark.parametrize(
        ("method", "answer", "sentence"),
        [
            ("getMe", fails(401), "does not know this token"),
            ("getMe", fails(502), "could not be reached"),
            ("setWebhook", fails(400, "Bad Request: bad webhook"), "refused: 400 Bad"),
            ("setWebhook", hangs_up(), "could not be reached"),
            ("setWebhook", floods(60), "limiting requests"),
        ],
        ids=["401", "502", "400", "hangs up", "429"],
    )
    def test_telegrams_error_becomes_a_sentence_and_nothing_is_stored(
        self, server, space, method, answer, sentence
    ):
        server.queue(method, *[answer] * 3)
        with pytest.raises(NotConnected, match=sentence) as refused:
            connect(space, TOKEN)
        assert "test-token" not in str(refused.value)
        assert not TelegramBot.objects.exists()

    def test_hanging_telegram_ends_in_a_sentence(self, server, space, monkeypatch):
        monkeypatch.setattr(connection, "TIMEOUT", 0.1)
        server.queue("getMe", slow(1))
        with pytest.raises(NotConnected, match="could not be reached"):
            connect(space, TOKEN)

    def test_invalid_address_becomes_a_sentence(self, space, settings):
        settings.TELEGRAM_API_URL = "http://"
        with pytest.raises(NotConnected, match="Telegram refused"):
            connect(space, TOKEN)

    def test_bot_of_another_space_is_refused_without_naming_it(self, server, space):
        hers = SpaceFactory(name="SECRET")
        connect(hers, TOKEN)
        before = dict(webhook(server))
        with pytest.raises(
            NotConnected, match="already connected to another household"
        ) as no:
            connect(space, TOKEN)
        assert "SECRET" not in str(no.value)
        assert TelegramBot.objects.get().space == hers
        assert webhook(server) == before

    def test_token_is_not_logged(self, server, space, caplog):
        caplog.set_level(logging.DEBUG)
        connect(space, TOKEN)
        server.queue("getMe", fails(401))
        with pytest.raises(NotConnected):
            connect(space, TOKEN)
        secret = TelegramBot.objects.get().secret
        assert TOKEN not in caplog.text
        assert secret not in caplog.text


class TestReplacing:
    def test_new_token_of_the_same_bot_keeps_its_updates(self, server, space):
        connect(space, TOKEN)
        TelegramBot.objects.update(error="wrong_token")
        before = TelegramBot.objects.get()
        server.add_bot("1001:rotated", "renamed_bot")
        connect(space, "1001:rotated")
        after = TelegramBot.objects.get()
        assert (after.pk, after.secret) == (before.pk, before.secret)
        assert (after.token, after.username) == ("1001:rotated", "renamed_bot")
        assert after.error == ""
        assert webhook(server, "1001:rotated")["secret_token"] == after.secret

    def test_another_bot_replaces_the_first_and_links_stay(self, server, space):
        server.add_bot(OTHER)
        link = TelegramLinkFactory(space=space)
        connect(space, TOKEN)
        connect(space, OTHER)
        bot = TelegramBot.objects.get()
        assert bot.bot_id == 2002
        assert webhook(server) == {}
        assert webhook(server, OTHER)["secret_token"] == bot.secret
        assert list(space.telegram_links.all()) == [link]

    def test_api_address_given_by_staff_stays(self, telegram, space):
        bot = TelegramBotFactory(space=space, bot_id=1001, api_url=telegram.url)
        connect(space, TOKEN)
        bot.refresh_from_db()
        assert (bot.token, bot.api_url) == (TOKEN, telegram.url)

    def test_wrong_token_keeps_the_connected_bot(self, server, space):
        connect(space, TOKEN)
        with pytest.raises(NotConnected):
            connect(space, OTHER)
        assert TelegramBot.objects.get().token == TOKEN

    def test_bot_with_an_unreadable_token_is_reconnected_by_its_token(
        self, server, space, settings
    ):
        connect(space, TOKEN)
        settings.FIELD_KEYS = [LOST_KEY]
        with pytest.raises(NotConnected, match="Paste it again"):
            reconnect(bot_of(space))
        connect(space, TOKEN)
        bot = TelegramBot.objects.get()
        assert bot.token == TOKEN
        assert webhook(server)["secret_token"] == bot.secret


class TestRegisteringAgain:
    def test_reconnecting_registers_a_new_public_address(self, server, space, settings):
        bot = connect(space, TOKEN)
        TelegramBot.objects.update(error="elsewhere")
        settings.PUBLIC_URL = "https://new.example/"
        reconnect(bot)
        bot.refresh_from_db()
        assert (bot.polled, bot.error) == (False, "")
        assert webhook(server)["url"] == "https://new.example/telegram/1001"
        settings.PUBLIC_URL = ""
        reconnect(bot)
        bot.refresh_from_db()
        assert bot.polled
        assert webhook(server) == {}

    def test_refused_reconnection_changes_nothing(self, server, space, settings):
        bot = connect(space, TOKEN)
        settings.PUBLIC_URL = ""
        server.queue("deleteWebhook", fails(400))
        with pytest.raises(NotConnected):
            reconnect(bot)
        assert not TelegramBot.objects.get().polled


class TestDisconnecting:
    def test_disconnecting_removes_webhook_and_token(self, server, space):
        disconnect(connect(space, TOKEN))
        assert webhook(server) == {}
        assert not TelegramBot.objects.exists()

    def test_disconnecting_works_without_telegram(self, server, space):
        bot = connect(space, TOKEN)
        server.queue("deleteWebhook", *[fails(502)] * 3)
        disconnect(bot)
        assert not TelegramBot.objects.exists()

    def test_disconnecting_works_with_an_unreadable_token(
        self, server, space, settings
    ):
        connect(space, TOKEN)
        settings.FIELD_KEYS = [LOST_KEY]
        disconnect(bot_of(space))
        assert not TelegramBot.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("same_space", [False, True])
def test_only_one_of_two_simultaneous_connections_wins(server, same_space):
    """And Telegram has the secret of the one who did."""
    first = SpaceFactory()
    spaces = [first, first if same_space else SpaceFactory()]
    server.queue("setWebhook", slow(0.3), slow(0.4))
    ready = Barrier(2)

    def attempt(space):
        ready.wait()
        try:
            return connect(space, TOKEN).pk is not None
        except NotConnected:
            return False
        finally:
            database.close()

    with ThreadPoolExecutor(2) as pool:
        connected = sorted(pool.map(attempt, spaces))
    bot = TelegramBot.objects.get()
    assert True in connected
    assert webhook(server)["secret_token"] == bot.secret
