"""System checks of the deployment (`manage.py check --deploy`)."""

from collections.abc import Sequence
from typing import Any

import redis
from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured

from meddie import crypto


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
            hint="Every process needs the same keys; README.md says how to make one.",
            id="meddie.W002",
        )
    ]
