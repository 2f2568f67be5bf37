"""Checks of the configuration before anything is started."""

import errno
import socket
from typing import Any

import psycopg
import redis
from django.conf import settings
from django.db import connection

from meddie.ai import client, errors
from meddie.embedded.refusal import Refusal

HOST = "127.0.0.1"
PGVECTOR = (0, 8)


def check_all(port: int) -> str | None:
    """Raise Refusal for wrong configuration; return a warning or None."""
    require_port(port)
    if not settings.BUNDLED_DATABASE:
        require_database()
    if not settings.BUNDLED_BROKER:
        require_broker()
    return require_provider()


def require_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            reason = "is taken" if taken else f"cannot be used ({error.strerror})"
            raise Refusal(
                f"Port {port} {reason}; choose another: PORT={port % 60000 + 123} make run"
            ) from error


def require_database() -> None:
    if connection.vendor != "postgresql":
        raise Refusal("DATABASE_URL has to name a PostgreSQL database (postgres://…).")
    values = connection.get_connection_params()
    name = f"{values.get('host') or 'localhost'}/{values.get('dbname')}"
    try:
        with psycopg.connect(**values) as opened:
            _check_versions(name, opened)
    except psycopg.OperationalError as error:
        reason = str(error).partition("\n")[0]
        raise Refusal(
            f"DATABASE_URL: the database {name} cannot be reached: {reason}"
        ) from error


def _check_versions(name: str, opened: psycopg.Connection[Any]) -> None:
    if opened.info.server_version < 150000:
        raise Refusal(f"DATABASE_URL: {name} is older than PostgreSQL 15.")
    row = opened.execute(
        "SELECT installed_version, default_version FROM pg_available_extensions"
        " WHERE name = 'vector'"
    ).fetchone()
    if row is None:
        raise Refusal(
            f"DATABASE_URL: the server of {name} has no pgvector; install pgvector 0.8 "
            "or newer there."
        )
    version = row[0] or row[1]
    if tuple(int(part) for part in version.split(".")[:2]) < PGVECTOR:
        raise Refusal(f"DATABASE_URL: {name} has pgvector {version}; 0.8 is needed.")
    may_create = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
    allowed = opened.execute(may_create).fetchone()
    if row[0] is None and not (allowed and allowed[0]):
        raise Refusal(
            f"DATABASE_URL: {name} does not have the extension pgvector yet; have a "
            "superuser run CREATE EXTENSION vector there."
        )


def require_broker() -> None:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3
        ) as broker:
            broker.ping()
    except (redis.RedisError, ValueError) as error:
        raise Refusal(f"REDIS_URL: the broker does not answer: {error}") from error


def require_provider() -> str | None:
    """Refuse a rejected key; return a warning for other provider errors."""
    try:
        client.verify()
    except errors.WrongKey as error:
        raise Refusal(
            "The model provider refuses the key of OPENAI_API_KEY (or "
            f"EMBEDDING_API_KEY): {error}. Correct it, or leave it out to use the "
            "offline provider."
        ) from error
    except errors.AIError as error:
        return f"Warning: the model provider does not answer now ({error.code})."
    finally:
        client.close_clients()
    return None
