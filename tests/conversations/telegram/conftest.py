import pytest

from tests.conversations.telegram.chat import Chat
from tests.factories import MembershipFactory, TelegramBotFactory, TelegramLinkFactory
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA


@pytest.fixture
def member(transactional_db):
    return MembershipFactory(user__name="Anna", space__name="Home & garden")


@pytest.fixture
def bot(member, telegram):
    """The space's bot, which lives on a Bot API of the test's own."""
    return TelegramBotFactory(
        space=member.space,
        token=TOKEN,
        username="meddie_test_bot",
        api_url=telegram.url,
    )


@pytest.fixture
def link(bot, member):
    """The member's Telegram."""
    return TelegramLinkFactory(space=member.space, user=member.user, telegram_id=ANNA)


@pytest.fixture
def chat(telegram, bot, link):
    """The member's chat with the bot."""
    return Chat(telegram, bot)
