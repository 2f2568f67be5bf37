import pytest
import redis
from django.conf import settings as configured

from tests.factories import MembershipFactory, PersonFactory


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


@pytest.fixture
def member(db, client):
    member = MembershipFactory(role="member")
    client.force_login(member.user)
    return member


@pytest.fixture
def admin(member):
    member.role = "admin"
    member.save()
    return member


@pytest.fixture
def anna(member):
    return PersonFactory(space=member.space, name="Anna", health_notes="- Asthma")
