"""Traces of real processes: what they have, and that they hold no word of a user."""

import subprocess
import sys

import httpx2
import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils import timezone

from meddie import dispatch
from meddie.celery import app as celery_app
from memory import service
from memory.models import CaptureJob, MemoryPolicy
from memory.values import Provenance
from people.scope import scope_for
from tests.browser.conftest import session_of
from tests.conversations.turns import noting
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
)
from tests.openai_answers import says
from tests.otlp_receiver import Receiver, attributes
from tests.stack.processes import Program, environment
from tests.stack.test_streams import read_stream
from tests.stack.web import WebProcess, say
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
WORD = "zanzibarium"  # a user tells it
CHAT = f"chat {settings.CHAT_MODEL}"


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def member():
    member = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    for number in range(3):
        content = f"User takes {WORD} number {number}"
        MemoryFactory(user=member.user, space=member.space, content=content)
    return member


def private_in(receiver, user):
    sent = b"".join(receiver.bodies)
    private = (WORD, settings.OPENAI_API_KEY, user.email, str(user.pk))
    return [one for one in private if one.encode() in sent]


def roots(receiver):
    """The spans that begin a trace here, also one whose beginning was not traced."""
    known = {span.span_id for span in receiver.spans}
    return [span for span in receiver.spans if span.parent_span_id not in known]


@async_to_sync
async def talk(web, session, text):
    async with web.client(session) as client:
        await read_stream(client, await say(client, text))


def test_turn_is_one_trace_without_a_word_of_its_user(member, openai_server, receiver):
    openai_server.chat.queue(noting(f"Take {WORD} at noon.", memory_saves=[]))
    with WebProcess(**receiver.environment) as web:
        talk(web, session_of(member.user), f"When do I take {WORD}?")
        wait_until(lambda: receiver.named(CHAT), lambda: receiver.spans)
    chat = attributes(receiver.named(CHAT)[0])
    assert chat["gen_ai.operation.name"] == "chat"
    assert float(chat["gen_ai.response.time_to_first_chunk"]) > 0
    assert int(chat["gen_ai.usage.output_tokens"]) > 0
    [recalled] = receiver.named("retrieval memories")
    assert attributes(recalled)["gen_ai.operation.name"] == "retrieval"
    [sent] = [span for span in receiver.spans if "chat/send" in span.name]
    turn = [span for span in receiver.spans if span.trace_id == sent.trace_id]
    assert {"prompt", "retrieval memories", CHAT, "POST"} <= {s.name for s in turn}
    systems = {attributes(span).get("db.system") for span in turn}
    assert {"postgresql", "redis"} <= systems
    assert private_in(receiver, member.user) == []
    assert not [span for span in receiver.spans if span.events or span.status.message]


def test_capture_is_traced_in_the_worker(member, openai_server, receiver):
    openai_server.titles.default = lambda _: says('{"facts": [], "profile_facts": []}')
    scope = scope_for(member.user, member.space_id, channel="api")
    told = Provenance("background", timezone.now())
    with Program("worker", **receiver.environment):
        service.capture_later(scope, f"I have {WORD} at home.", told)
        wait_until(
            lambda: receiver.named("capture") and receiver.named("POST"),
            lambda: CaptureJob.objects.values("state", "error"),
        )
    [job] = receiver.named("job extract")
    assert attributes(job) == {"meddie.job.queue": "capture"}
    tasks = [s for s in receiver.spans if "celery.task_name" in attributes(s)]
    assert job.trace_id in {span.trace_id for span in tasks}
    assert private_in(receiver, member.user) == []


def test_health_checks_scrapes_and_their_statements_are_not_traced(receiver):
    with WebProcess(**receiver.environment) as web:
        for page in ("readyz", "metrics", "sign-in", "readyz", "metrics"):
            httpx2.get(f"{web.url}/{page}", timeout=PATIENCE)
        wait_until(lambda: roots(receiver), lambda: receiver.spans)
    assert {span.name for span in roots(receiver)} == {"GET sign-in"}


def test_job_that_a_sweep_finds_is_traced_without_the_sweep(
    member, openai_server, receiver
):
    openai_server.titles.default = lambda _: says('{"facts": [], "profile_facts": []}')
    scope = scope_for(member.user, member.space_id, channel="api")
    told = Provenance("background", timezone.now())
    service.capture_later(scope, f"I have {WORD} at home.", told)
    dispatch._waiting.join()
    celery_app.control.purge()
    with Program("worker", **receiver.environment):
        wait_until(lambda: receiver.named("job extract"), lambda: receiver.spans)
    assert {span.name for span in roots(receiver)} == {"apply_async/jobs.run"}


def test_token_of_a_bot_is_in_no_trace(member, telegram, receiver):
    bot = TelegramBotFactory(
        space=member.space, token=TOKEN, api_url=telegram.url, polled=True
    )
    TelegramLinkFactory(space=member.space, user=member.user, telegram_id=ANNA)
    with Program("chat", **receiver.environment):
        telegram.feed(telegram.message("Hello", sender=ANNA))
        wait_until(lambda: telegram.calls("sendMessage", ANNA) and receiver.spans)
    assert bot.token.encode() not in b"".join(receiver.bodies)


def run_web(code, **more):
    program = f"import sys; from meddie import asgi; {code}"
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_is_loaded_without_the_variable():
    loaded = run_web("print([m for m in sys.modules if 'opentelemetry' in m])")
    assert loaded.stdout.strip() == "[]", loaded.stderr


def test_missing_packages_are_named(tmp_path):
    (tmp_path / "opentelemetry.py").write_text("raise ImportError")
    url = "http://127.0.0.1:9"
    ended = run_web("", OTEL_EXPORTER_OTLP_ENDPOINT=url, PYTHONPATH=str(tmp_path))
    assert ended.returncode != 0
    assert "requirements-tracing.txt are not installed" in ended.stderr
