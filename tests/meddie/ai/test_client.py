import asyncio
import gc
import weakref

import pytest

from meddie.ai import client
from meddie.ai.client import Endpoint
from meddie.ai.errors import ProviderDown, Refused, TimedOut, WrongKey
from tests.meddie.ai.talk import listen
from tests.openai_answers import fails, stalls
from tests.waiting import wait_until

HERE = Endpoint("http://127.0.0.1:9/v1", "key")
THERE = Endpoint("http://127.0.0.1:9/v2", "key")


def test_a_loop_has_one_client_for_each_endpoint():
    async def clients():
        return [await client.async_client(endpoint) for endpoint in (HERE, HERE, THERE)]

    first, again, other = asyncio.run(clients())
    elsewhere, _, _ = asyncio.run(clients())

    assert first is again
    assert first is not other
    assert first is not elsewhere


def test_a_loop_closes_its_client_when_it_ends(openai_server):
    async def talk():
        await listen()
        loop = asyncio.get_running_loop()
        return await client.async_client(Endpoint.for_chat()), weakref.ref(loop)

    sdk, loop = asyncio.run(talk())

    assert sdk.is_closed()
    del sdk
    gc.collect()
    assert loop() is None
    wait_until(lambda: not openai_server.open)


def test_each_of_many_loops_gets_an_answer(openai_server):
    for _ in range(10):
        assert asyncio.run(listen()).outcome == "done"


def test_the_process_has_one_client_for_each_endpoint():
    assert client.sync_client(HERE) is client.sync_client(HERE)
    assert client.sync_client(HERE) is not client.sync_client(THERE)
    client.close_clients()


def test_a_valid_key_is_accepted(openai_server):
    client.verify()

    assert len(openai_server.models.requests) == 1


def test_both_keys_are_verified(openai_server, settings):
    settings.EMBEDDING_API_KEY = "another"

    with pytest.raises(WrongKey):
        client.verify()


def test_without_a_key_nothing_is_asked(openai_server, settings):
    settings.OPENAI_API_KEY = settings.EMBEDDING_API_KEY = ""

    client.verify()

    assert openai_server.models.requests == []


@pytest.mark.parametrize(
    ("planned", "error"),
    [
        (fails(401), WrongKey),
        (fails(403), WrongKey),
        (fails(500), ProviderDown),
    ],
)
def test_a_failed_check_raises_its_error(openai_server, planned, error):
    openai_server.models.queue(planned)

    with pytest.raises(error):
        client.verify()


def test_check_that_stalls_times_out(openai_server, impatience):
    openai_server.models.queue(stalls())

    with pytest.raises(TimedOut):
        client.verify()


def test_a_provider_without_a_list_of_models_has_not_refused_the_key(openai_server):
    openai_server.models.queue(fails(404))

    client.verify()

    assert openai_server.models.unused == 0


def test_a_closed_port_is_the_provider_down(openai_server, settings):
    settings.OPENAI_BASE_URL = "http://127.0.0.1:9/v1"

    with pytest.raises(ProviderDown):
        client.verify()


def test_an_invalid_url_is_refused_by_its_setting(openai_server, settings):
    settings.OPENAI_BASE_URL = "127.0.0.1"

    with pytest.raises(Refused, match=r"OPENAI_BASE_URL .*must begin with http"):
        client.verify()


def test_errors_have_the_status_and_the_code_of_the_provider(openai_server):
    openai_server.models.queue(fails(400, error_code="bad_thing"))

    with pytest.raises(Refused) as caught:
        client.verify()

    assert str(caught.value) == "400 bad_thing"
