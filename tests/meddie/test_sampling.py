"""Which traces begin, and which are housekeeping."""

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, ParentBased
from opentelemetry.trace import SpanKind

from meddie.celery import SCHEDULE
from meddie.otlp import WithoutHousekeeping

CLIENT = {"kind": SpanKind.CLIENT}


@pytest.fixture
def traced():
    """The names of the spans that are sent of some, each inside of the one before."""

    def traced(*spans, sampler=ALWAYS_ON):
        sent = InMemorySpanExporter()
        provider = TracerProvider(sampler=WithoutHousekeeping(ParentBased(sampler)))
        provider.add_span_processor(SimpleSpanProcessor(sent))
        tracer, context = provider.get_tracer("test"), None
        begun = []
        for name, options in spans:
            begun.append(tracer.start_span(name, context=context, **options))
            context = trace.set_span_in_context(begun[-1])
        for span in reversed(begun):
            span.end()
        return {span.name for span in sent.get_finished_spans()}

    return traced


@pytest.mark.parametrize(
    "name",
    [
        *("GET readyz", "HEAD readyz", "GET metrics"),
        *(f"run/{task}" for task in SCHEDULE),
        *(f"apply_async/{task}" for task in SCHEDULE),
    ],
)
def test_housekeeping_is_dropped_with_all_that_it_does(traced, name):
    assert traced((name, {}), ("SELECT", CLIENT), ("POST", {})) == set()


@pytest.mark.parametrize(
    "name", ["POST chat/send", "GET ", "GET", "job extract", "chat"]
)
def test_other_work_is_traced_with_its_statements(traced, name):
    assert traced((name, {}), ("SELECT", CLIENT)) == {name, "SELECT"}


def test_scheduled_task_that_a_turn_asks_for_is_traced(traced):
    names = ("POST chat/send", "apply_async/memory.embed", "run/memory.embed")
    assert traced(*((name, {}) for name in names)) == set(names)


def test_statement_alone_is_dropped_and_a_call_of_a_model_is_not(traced):
    assert traced(("SELECT", CLIENT)) == set()
    attributes = {"http.request.method": "POST"}
    assert traced(("POST", CLIENT | {"attributes": attributes})) == {"POST"}


def test_job_that_a_sweep_finds_begins_a_trace(traced):
    inside = (("job extract", {}), ("SELECT", CLIENT))
    found = traced(("run/jobs.sweep", {}), ("run/jobs.run", {}), *inside)
    assert found == {"run/jobs.run", "job extract", "SELECT"}


def test_sampler_that_is_set_decides_on_the_rest(traced):
    spans = ("run/jobs.sweep", {}), ("run/jobs.run", {}), ("job extract", {})
    assert traced(*spans, sampler=ALWAYS_OFF) == set()
    assert traced(("POST chat/send", {}), sampler=ALWAYS_OFF) == set()
