"""`make fuzz`: the long form. It prints its seed; ARGS=--seed=7 repeats a run."""

import random
import time
from pathlib import Path

import httpx2
import pytest

from people.models import Membership
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.fuzz import campaign
from tests.fuzz.attack import LONG
from tests.fuzz.raw import REQUESTS, exchange
from tests.packages import install_from_pypi, run
from tests.stack.web import WebProcess

SCHEMATHESIS = "schemathesis==4.32.5"
KEY = "sk-meddie-schemathesis"


def chosen_seed(request, capsys):
    seed = request.config.getoption("--seed") or random.randrange(10**6)  # noqa: S311 -- to be repeatable
    with capsys.disabled():
        print(f"\nSeed {seed}")  # noqa: T201 -- to repeat the run
    return seed


def test_hostile_requests_reach_no_row_of_others_and_fail_nowhere(
    api_url, request, capsys
):
    seed = chosen_seed(request, capsys)
    began = time.monotonic()
    findings, count = campaign.run(api_url, seed, LONG)
    took = time.monotonic() - began
    with capsys.disabled():
        print(f"{count} requests in {took:.0f} s, {len(findings)} findings")  # noqa: T201 -- the figures
    assert not findings, "\n".join(findings)


@pytest.mark.django_db(transaction=True)
def test_answers_are_as_the_document_says(openai_server, request, capsys, tmp_path):
    """All checks of schemathesis, but what schemathesis.toml gives a reason for."""
    seed = chosen_seed(request, capsys)
    member = MembershipFactory(role=Membership.Role.ADMIN)
    ApiKeyFactory(
        user=member.user, space=member.space, secret=KEY, calls_per_minute=1_000_000
    )
    programs = install_from_pypi(tmp_path, SCHEMATHESIS)
    config = Path(__file__).with_name("schemathesis.toml")
    command = (programs / "schemathesis", "--config-file", config, "run")
    key = ("--header", f"Authorization: Bearer {KEY}")
    bounds = ("--max-time", "150", "--request-timeout", "20", "--seed", str(seed))
    with WebProcess(DAILY_MESSAGES="1000000") as web:
        document = f"{web.url}/api/openapi.json"
        told = run(*command, document, *key, *bounds, folder=tmp_path)
    with capsys.disabled():
        print(told[-1500:])  # noqa: T201 -- the figures


@pytest.mark.django_db(transaction=True)
def test_malformed_requests_are_refused_by_a_web_process_that_goes_on(capfd):
    with WebProcess() as web:
        for request in REQUESTS:
            answer = exchange(web.port, request)
            assert b"HTTP/1.1 5" not in answer, (request[:300], answer[:300])
            assert b"root:" not in answer, request[:300]
            assert httpx2.get(f"{web.url}/healthz").is_success, request[:300]
    assert "Traceback" not in capfd.readouterr().err
