import pytest

from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory
from tests.openai_answers import says


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


@pytest.fixture
def api(member, openai_server):
    """The member's key, and a provider that says "Hello"."""
    openai_server.chat.default = lambda _body: says("Hello")
    openai_server.titles.default = lambda _body: says("Hello")
    return api_for(member)
