"""Encrypted columns: unreadable where they lie, readable with any key that is known."""

import json

import pytest
from cryptography.fernet import Fernet
from django.core import serializers
from django.core.exceptions import FieldError, ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.forms import modelform_factory

from conversations.telegram.models import TelegramBot
from meddie import crypto
from meddie.checks import check_field_keys, check_field_keys_are_set
from meddie.embedded.locations import Locations
from meddie.management.commands import rotate_keys
from tests.factories import TelegramBotFactory

TOKEN = "7000000000:a token that nobody else may read ąęł"
OLD, NEW, OTHER = (Fernet.generate_key().decode() for _ in range(3))


@pytest.fixture
def keys(settings):
    settings.FIELD_KEYS = [OLD]
    return settings


@pytest.fixture
def bot(db, keys):
    return TelegramBotFactory(token=TOKEN)


def stored(bot):
    with connection.cursor() as cursor:
        cursor.execute("SELECT token FROM telegram_telegrambot WHERE id = %s", [bot.pk])
        return cursor.fetchone()[0]


def read(bot):
    return TelegramBot.objects.values_list("token", flat=True).get(pk=bot.pk)


@pytest.mark.req("B-15")
def test_the_stored_value_is_encrypted(bot):
    assert TOKEN not in stored(bot)
    assert stored(bot).startswith(crypto.ENCRYPTED_BEGINNING)
    assert read(bot) == TOKEN
    bot.refresh_from_db()
    assert bot.token == TOKEN


def test_the_same_text_is_stored_differently_each_time(bot):
    before = stored(bot)
    bot.save()
    assert stored(bot) != before


def test_an_empty_text_is_one_too(keys):
    assert crypto.decrypt(crypto.encrypt("")) == ""


def test_neither_the_rows_name_nor_a_form_shows_it(bot):
    assert TOKEN not in f"{bot!r} {bot}"
    assert "token" not in modelform_factory(TelegramBot, exclude=[])().fields


def test_fixtures_hold_it_encrypted_and_bring_it_back(bot):
    fixture = serializers.serialize("json", [bot])
    assert TOKEN not in json.dumps(json.loads(fixture), ensure_ascii=False)
    (again,) = serializers.deserialize("json", fixture)
    again.save()
    assert read(bot) == TOKEN


def test_rows_cannot_be_looked_for_by_it(bot):
    with pytest.raises(FieldError):
        TelegramBot.objects.filter(token=TOKEN).exists()
    assert TelegramBot.objects.filter(token__isnull=False).exists()


def test_a_key_put_in_front_encrypts_and_the_old_one_still_opens(bot, keys):
    keys.FIELD_KEYS = [NEW, OLD]
    assert read(bot) == TOKEN
    bot.save()
    keys.FIELD_KEYS = [NEW]
    assert read(bot) == TOKEN


def test_a_value_that_no_key_opens_is_an_error_and_no_garbage(bot, keys):
    keys.FIELD_KEYS = [OTHER]
    with pytest.raises(crypto.KeyLost, match="no key of FIELD_KEYS"):
        read(bot)


class TestRotating:
    def test_afterwards_the_old_key_can_go(self, bot, keys, capsys):
        more = TelegramBotFactory.create_batch(3)
        keys.FIELD_KEYS = [NEW, OLD]
        call_command("rotate_keys")
        assert "TelegramBot.token: 4 re-encrypted" in capsys.readouterr().out
        keys.FIELD_KEYS = [NEW]
        assert {read(one) for one in more} == {one.token for one in more}
        assert read(bot) == TOKEN

    def test_it_goes_through_batches(self, bot, keys, monkeypatch):
        monkeypatch.setattr(rotate_keys, "BATCH", 2)
        bots = [bot, *TelegramBotFactory.create_batch(4)]
        keys.FIELD_KEYS = [NEW, OLD]
        call_command("rotate_keys", verbosity=0)
        assert all(crypto.is_current(stored(one)) for one in bots)

    def test_a_second_run_changes_nothing(self, bot, keys, capsys):
        keys.FIELD_KEYS = [NEW, OLD]
        call_command("rotate_keys")
        before = stored(bot)
        call_command("rotate_keys")
        assert stored(bot) == before
        assert "0 re-encrypted, 1 up to date" in capsys.readouterr().out

    def test_one_lost_value_is_named_and_holds_up_no_other(self, bot, keys):
        keys.FIELD_KEYS = [OTHER]
        lost = TelegramBotFactory()
        keys.FIELD_KEYS = [NEW, OLD]
        with pytest.raises(CommandError, match="decrypts 2 values"):
            call_command("rotate_keys", verbosity=0)
        assert read(bot) == TOKEN
        assert crypto.is_current(stored(bot))
        assert not crypto.is_current(stored(lost))


@pytest.mark.parametrize("key", ["", "short", "ą" * 44, "x" * 44])
def test_a_key_that_is_none_is_named_by_a_check_and_where_it_is_used(settings, key):
    settings.FIELD_KEYS = [OLD, key]
    assert [found.id for found in check_field_keys(None)] == ["meddie.E002"]
    with pytest.raises(ImproperlyConfigured, match="FIELD_KEYS"):
        crypto.encrypt("x")


def test_good_keys_pass(keys):
    assert check_field_keys(None) == []


@pytest.mark.parametrize(("keys", "ids"), [([], ["meddie.W002"]), ([NEW], [])])
def test_a_deployment_is_told_to_set_its_keys(settings, keys, ids):
    settings.FIELD_KEYS = keys
    assert [found.id for found in check_field_keys_are_set(None)] == ids


def test_without_a_key_one_is_made_when_it_is_needed_and_not_before(
    settings, tmp_path, monkeypatch
):
    settings.FIELD_KEYS = []
    monkeypatch.setenv("MEDDIE_DATA", str(tmp_path))
    assert check_field_keys(None) == []
    assert list(tmp_path.iterdir()) == []
    assert crypto.decrypt(crypto.encrypt("x")) == "x"
    assert [file.name for file in tmp_path.iterdir()] == ["field_key"]


def test_such_a_key_stays_and_can_be_moved_into_the_setting(settings, tmp_path):
    key = Locations(tmp_path).field_key()
    assert Locations(tmp_path).field_key() == key
    settings.FIELD_KEYS = [(tmp_path / "field_key").read_text()]
    stored = crypto.encrypt("x")
    settings.FIELD_KEYS = [NEW, key]
    assert crypto.decrypt(stored) == "x"
    assert (tmp_path / "field_key").stat().st_mode & 0o077 == 0
