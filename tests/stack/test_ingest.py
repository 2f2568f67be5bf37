"""The ingestion API as processes: a web process, and a worker that is killed."""

import httpx2
import pytest

from conversations.api.models import IngestedMessage
from conversations.models import Message
from meddie.jobs.registry import sweep
from memory.models import CaptureJob
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory
from tests.openai_answers import says
from tests.stack.processes import Program
from tests.stack.web import WebProcess
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

AUTHORS = ("ann", "bob")
EACH = 100


def documents(author):
    return [
        {"channel": "group", "thread": "all", "external_id": f"{author} {number}"}
        | {"text": f"{author} says {number}", "author": {"id": author}}
        for number in range(EACH)
    ]


def stored():
    return Message.objects.filter(thread__channel="ingest").count()


def test_no_message_is_lost_or_doubled_by_a_killed_worker(openai_server):
    openai_server.titles.default = lambda _: says('{"facts": [], "profile_facts": []}')
    key = api_for(MembershipFactory(), trusted_proxy=True)
    headers = {"Authorization": f"Bearer {key.secret}"}
    with WebProcess() as web:
        for author in (*AUTHORS, *AUTHORS):  # each batch is sent twice
            answer = httpx2.post(
                f"{web.url}/api/ingest",
                json=documents(author),
                headers=headers,
                timeout=PATIENCE,
            )
            assert answer.status_code == 202, answer.text
    assert IngestedMessage.objects.count() == len(AUTHORS) * EACH
    with Program("worker") as worker:
        wait_until(lambda: stored() > EACH // 4, lambda: f"only {stored()} stored")
        worker.kill()
        worker.start()

        def done():
            sweep()
            return not IngestedMessage.objects.unfinished().exists()

        wait_until(done, lambda: f"only {stored()} stored")
    for author in AUTHORS:
        told = Message.objects.filter(content__startswith=author).in_order()
        texts = list(told.values_list("content", flat=True))
        assert texts == [one["text"] for one in documents(author)]
    assert not IngestedMessage.objects.exclude(state="done").exists()
    jobs = CaptureJob.objects.filter(kind="extract")
    assert jobs.count() == len(AUTHORS) * EACH
