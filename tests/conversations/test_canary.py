"""A word told on every channel, as text, file and voice, is in no byte after erasing.

The statements of docs/deletion.md remove what PostgreSQL keeps.
"""

import os
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from conversations.models.attachment import attachment_storage
from meddie.embedded import backup
from memory.models import MemoryPolicy
from memory.tasks import refresh_snapshots
from tests.conversations.api.ingest.conftest import work
from tests.conversations.api.openai.client import api_for
from tests.conversations.attachments.sent import read
from tests.conversations.telegram.chat import Chat
from tests.conversations.turns import ask, noting, write
from tests.factories import MembershipFactory, TelegramBotFactory, TelegramLinkFactory
from tests.openai_answers import says
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA
from tests.waiting import wait_until
from tests.whole_database import places_of

pytestmark = pytest.mark.django_db(transaction=True)
# Processes that test side by side share a server.
WORD = f"canary{os.getpid()}ril"
FACT = f"User takes {WORD}"
ADDRESS = "ann@example.com"
REMOVAL = (
    "ALTER SYSTEM SET wal_recycle = off",
    "SELECT pg_reload_conf()",
    "DELETE FROM pg_statistic",
    "VACUUM FULL",
    "SELECT pg_switch_wal()",
    "CHECKPOINT",
    "SELECT pg_switch_wal()",
    "CHECKPOINT",
)
OPEN_TRANSACTIONS = """
SELECT pid FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid()
   AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
"""


@pytest.fixture
def member(transactional_db, settings, tmp_path):
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    member = MembershipFactory(user__email=ADDRESS)
    MembershipFactory(space=member.space, role="admin")
    MemoryPolicy.objects.create(
        space=member.space, journal="all", lore=True, background_capture="always"
    )
    return member


@pytest.fixture
def database():
    """A connection outside of transactions; the setting is put back."""
    names = ("host", "port", "user", "password", "dbname")
    values = connection.get_connection_params()
    place = {name: values[name] for name in names if values.get(name)}
    with psycopg.connect(**place, autocommit=True) as opened:
        yield opened
        opened.execute("ALTER SYSTEM RESET wal_recycle")
        opened.execute("SELECT pg_reload_conf()")


def tell_on_every_channel(member, telegram, server):
    block = {"memory_saves": [FACT], "memory_line": f"{WORD} is ours"}
    name = {"category": "identity", "key": "name", "value": WORD}
    server.chat.queue(noting(f"All right, {WORD}.", **block, profile_facts=[name]))
    web = write(ask(member, f"I take {WORD}, I am {WORD}, and {WORD} is ours."))
    read(web.answers, f"{WORD}.txt", f"My list: {WORD}".encode())

    bot = TelegramBotFactory(space=member.space, token=TOKEN, api_url=telegram.url)
    TelegramLinkFactory(space=member.space, user=member.user, telegram_id=ANNA)
    server.transcriptions.default = lambda _body: says(f"Buy {WORD}.")
    chat = Chat(telegram, bot)
    chat.say(f"I take {WORD} here, too.")
    chat.bring(telegram.voice(telegram.add_file(b"OggS What is in it")))

    api = api_for(member)
    api.ask(f"I have {WORD} at home", chat="one")
    message = {"channel": "group", "thread": "all", "external_id": "7"}
    api.send("POST", "/api/ingest", json=message | {"text": f"I saw {WORD}."})
    work()
    refresh_snapshots()


def server_files(database):
    (folder,) = database.execute("SHOW data_directory").fetchone()
    (key,) = database.execute(
        "SELECT oid FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    return [Path(folder) / "base" / str(key), Path(folder) / "pg_wal"]


def bytes_with_word(*folders):
    files = (file for folder in folders for file in folder.rglob("*"))
    return [file for file in files if file.is_file() and WORD.encode() in content(file)]


def content(file):
    try:
        return file.read_bytes()
    except FileNotFoundError:  # a server removes its files
        return b""


def removed(database):
    """Whether the statements leave nothing in the server's files.

    VACUUM leaves what a transaction may still see: an ANALYZE that begins meanwhile.
    """
    wait_until(lambda: not database.execute(OPEN_TRANSACTIONS).fetchall())
    for statement in REMOVAL:
        database.execute(statement)
    return bytes_with_word(*server_files(database)) == []


@pytest.mark.slow
def test_no_byte_has_the_word_of_an_erased_user(
    member, telegram, openai_server, database, tmp_path, caplog
):
    tell_on_every_channel(member, telegram, openai_server)
    found = places_of(WORD)
    assert found >= {
        *("memories", "memory_profilefact", "memory_capturejob", "message_index"),
        *("attachment_texts", "files", "journals", "reply", "conversations_message"),
    }
    assert bytes_with_word(*server_files(database))
    database.execute("ANALYZE")  # keeps samples, as autovacuum does at any time
    call_command("erase_user", "--user", ADDRESS)
    assert places_of(WORD) == set()
    files = server_files(database)
    wait_until(lambda: removed(database), lambda: bytes_with_word(*files))
    backup.run_program("pg_dump", "--file", str(tmp_path / "whole.sql"))
    assert "COPY public.memories" in (tmp_path / "whole.sql").read_text()
    attached = Path(attachment_storage().path(""))
    assert bytes_with_word(tmp_path, attached) == []
    assert WORD not in caplog.text
