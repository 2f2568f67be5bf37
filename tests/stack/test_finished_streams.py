"""What a client of the API got whole is stored whole, though the process is killed."""

import pytest

from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory
from tests.kill.finished_streams import play_round

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.mark.parametrize("streams", [True, False])
def test_answer_whose_client_got_its_end_is_stored_whole(openai_server, streams):
    finished = play_round(
        openai_server, api_for(MembershipFactory()), "a kill", streams=streams
    )
    assert finished.told
    assert not finished.lost
