"""System checks of the deployment as a whole (`manage.py check --deploy`)."""

from collections.abc import Sequence
from typing import Any

import redis
from django.apps import AppConfig
from django.conf import settings
from django.core import checks


@checks.register(checks.Tags.security, deploy=True)
def check_broker(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """A deployment has a broker of its own, and it answers."""
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
