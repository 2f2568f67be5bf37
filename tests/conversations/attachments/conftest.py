import pytest

from tests.conversations import transcripts
from tests.factories import MembershipFactory


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


@pytest.fixture
def conversation(member):
    return transcripts.start_conversation(member.user, member.space)


@pytest.fixture
def message(conversation):
    transcripts.exchange(conversation, "Here it is.", "Thank you.")
    return conversation.messages.get(role="user")
