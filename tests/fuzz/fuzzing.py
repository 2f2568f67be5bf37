"""`make fuzz`: the long form. It prints its seed; ARGS=--seed=7 repeats a run."""

import random
import time

import httpx2
import pytest

from tests.fuzz import campaign
from tests.fuzz.attack import LONG
from tests.fuzz.raw import REQUESTS, exchange
from tests.stack.web import WebProcess


def test_hostile_requests_reach_no_row_of_others_and_fail_nowhere(
    api_url, request, capsys
):
    seed = request.config.getoption("--seed") or random.randrange(10**6)  # noqa: S311 -- to be repeatable
    with capsys.disabled():
        print(f"\nSeed {seed}")  # noqa: T201 -- to repeat the run
    began = time.monotonic()
    findings, count = campaign.run(api_url, seed, LONG)
    took = time.monotonic() - began
    with capsys.disabled():
        print(f"{count} requests in {took:.0f} s, {len(findings)} findings")  # noqa: T201 -- the figures
    assert not findings, "\n".join(findings)


@pytest.mark.django_db(transaction=True)
def test_malformed_requests_are_refused_by_a_web_process_that_goes_on(capfd):
    with WebProcess() as web:
        for request in REQUESTS:
            answer = exchange(web.port, request)
            assert b"HTTP/1.1 5" not in answer, (request[:300], answer[:300])
            assert b"root:" not in answer, request[:300]
            assert httpx2.get(f"{web.url}/healthz").is_success, request[:300]
    assert "Traceback" not in capfd.readouterr().err
