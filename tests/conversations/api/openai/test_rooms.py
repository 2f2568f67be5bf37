"""A bot says in which channel and thread it speaks."""

import pytest

from memory.models import CaptureJob, MemoryPolicy
from tests.conversations.api.openai.client import facts_of
from tests.factories import MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Which tea does the user like?"
BY_HEADER = {"headers": {"X-Meddie-Channel": "discord", "X-Meddie-Thread": "caf%C3%A9"}}


@pytest.mark.req("S3-54")
@pytest.mark.parametrize(
    "named",
    [
        {"metadata": {"thread": "café"}},
        {"metadata": {"channel": "discord"}},
        BY_HEADER,
    ],
)
def test_fact_of_the_room_is_lifted(api, member, named):
    MemoryPolicy.objects.create(space=member.space, api_ranking="ranked")
    where = {"channel": "discord", "room": "café"}
    content = "User likes green tea"
    MemoryFactory(user=member.user, space=member.space, content=content, **where)
    [elsewhere] = facts_of(api.ask(QUESTION))
    [here] = facts_of(api.ask(QUESTION, **named))
    assert here["score"] > elsewhere["score"]


def test_learnt_facts_are_of_the_thread(api, openai_server):
    api.ask("I like green tea", metadata={"thread": "general", "run": "1"})
    api.ask("I live in Gdynia", **BY_HEADER)
    jobs = CaptureJob.objects.filter(kind=CaptureJob.EXTRACT).order_by("stated_at")
    assert list(jobs.values_list("room", flat=True)) == ["general", "café"]
    bodies = [request.body for request in openai_server.titles.requests]
    assert [body.get("metadata") for body in bodies] == [{"run": "1"}, None]


def test_name_of_a_room_is_plain_text(api):
    answer = api.post("Hi", metadata={"thread": 7})
    assert answer.status_code == 400
    assert answer.json()["error"]["param"].startswith("thread")
