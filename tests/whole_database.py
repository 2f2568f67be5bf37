"""Everything that PostgreSQL, Redis and the storage of files hold, as text."""

from itertools import chain
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db import connection

from conversations.models.attachment import attachment_storage


def places_of(word: str) -> set[str]:
    """The tables and kinds of Redis keys that contain the word, "files", "journals"."""
    files = _files("files", Path(attachment_storage().path("")), word)
    journals = _files("journals", Path(settings.JOURNALS_FOLDER), word)
    return _tables(word) | _keys(word) | files | journals


def _files(name: str, folder: Path, word: str) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {name for path in files if word.encode() in path.read_bytes()}


def _tables(word: str) -> set[str]:
    found = set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables"
            " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        )
        for (table,) in cursor.fetchall():
            name = connection.ops.quote_name(table)
            # Bytes are written in hexadecimal digits.
            cursor.execute(
                f"SELECT 1 FROM {name} t WHERE t::text ILIKE %s OR t::text LIKE %s",  # noqa: S608 -- a table's name
                [f"%{word}%", f"%{word.encode().hex()}%"],
            )
            if cursor.fetchone():
                found.add(table)
    return found


def _keys(word: str) -> set[str]:
    with redis.Redis.from_url(settings.REDIS_URL, decode_responses=True) as client:
        return {
            key.partition(":")[0]
            for key in client.scan_iter()
            if word.lower() in f"{key} {_value(client, key)}".lower()
        }


def _value(client: Any, key: str) -> object:
    match client.type(key):
        case "stream":  # a word may begin in one event and end in the next
            values = [list(fields.values()) for _, fields in client.xrange(key)]
            return "".join(chain.from_iterable(values))
        case "list":
            return client.lrange(key, 0, -1)
        case "hash":
            return client.hgetall(key)
        case "set":
            return client.smembers(key)
        case "zset":
            return client.zrange(key, 0, -1)
    return client.get(key)
