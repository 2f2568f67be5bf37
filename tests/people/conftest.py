import pytest
import redis
from django.conf import settings as configured


@pytest.fixture(autouse=True)
def _quick(settings):
    """Every test client would look at all static files again."""
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "static" not in name]


@pytest.fixture(autouse=True)
def _no_attempts_yet():
    """Counters in Redis outlive a test."""
    with redis.Redis.from_url(configured.REDIS_URL) as client:
        for key in client.scan_iter("limit:*"):
            client.delete(key)
