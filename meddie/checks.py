"""System checks of the deployment (`manage.py check --deploy`)."""

from collections.abc import Sequence
from typing import Any

import redis
from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured

from meddie import crypto

SHORTEST_SECRET = 32
"""Bytes of a key for HS256 (RFC 7518, section 3.2)."""


@checks.register(checks.Tags.security, deploy=True)
def check_broker(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    if settings.BUNDLED_BROKER:
        return [
            checks.Warning(
                "There is no broker: REDIS_URL is not set.",
                hint="The bundled Redis is there only while `make run` is.",
                id="meddie.W001",
            )
        ]
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
        ) as broker:
            broker.ping()
    except (redis.RedisError, ValueError) as error:
        return [
            checks.Error(
                f"The broker of REDIS_URL does not answer: {error}", id="meddie.E001"
            )
        ]
    return []


@checks.register
def check_former_variables(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    return [
        checks.Warning(
            f"{name} is no longer read.",
            hint="CHANGELOG.md says what counts instead.",
            id="meddie.W004",
        )
        for name in settings.IGNORED_VARIABLES
    ]


@checks.register(checks.Tags.security)
def check_field_keys(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    try:
        crypto.check_keys()
    except ImproperlyConfigured as error:
        return [checks.Error(str(error), id="meddie.E002")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_field_keys_are_set(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """Other machines cannot decrypt with a key in this one's data folder."""
    if settings.FIELD_KEYS:
        return []
    return [
        checks.Warning(
            "FIELD_KEYS is not set: a key in the data folder encrypts bot tokens.",
            hint="Every process needs the same keys; docs/settings.md says how to make one.",
            id="meddie.W002",
        )
    ]


@checks.register(checks.Tags.security, deploy=True)
def check_token_secret(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """Who guesses the secret from a token can name any external user."""
    secret = settings.OPENWEBUI_JWT_SECRET.encode()
    if not secret or len(secret) >= SHORTEST_SECRET:
        return []
    return [
        checks.Warning(
            f"OPENWEBUI_JWT_SECRET has fewer than {SHORTEST_SECRET} bytes.",
            hint="Use a longer one here and in Open WebUI.",
            id="meddie.W003",
        )
    ]
