"""The SDK of OpenTelemetry, its instrumentations, and what of their spans is sent.

Statements, addresses, errors and arguments may hold words of users, keys or tokens. So spans
are copied with the attributes of `SENT` alone, without events and descriptions. Read only by
`meddie.tracing`, since its packages are an extra.
"""

from collections.abc import Sequence
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.celery import CeleryInstrumentor
from opentelemetry.instrumentation.django import DjangoInstrumentor
from opentelemetry.instrumentation.httpx import HTTPX2ClientInstrumentor
from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.sdk.resources import (
    SERVICE_NAME,
    SERVICE_VERSION,
    OTELResourceDetector,
    Resource,
)
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    SpanExporter,
    SpanExportResult,
)
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace import SpanKind, Status
from opentelemetry.util.types import Attributes

from meddie.celery import SCHEDULE
from meddie.version import VERSION

SENT = frozenset(
    {
        # Both names: OTEL_SEMCONV_STABILITY_OPT_IN chooses.
        *("http.method", "http.request.method"),
        *("http.status_code", "http.response.status_code", "http.route"),
        *("db.system", "db.system.name", "db.operation.name"),
        *("celery.action", "celery.state", "celery.task_name"),
        *("messaging.destination", "messaging.destination.name", "error.type"),
        *("gen_ai.operation.name", "gen_ai.request.model"),
        *("gen_ai.response.time_to_first_chunk", "gen_ai.request.stream"),
        *("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"),
        "meddie.job.queue",
    }
)


JOB = "jobs.run"
HOUSEKEEPING = {"readyz", "metrics", *SCHEDULE}
"""Routes and tasks whose spans would be most of all."""


class WithoutHousekeeping(Sampler):
    """Drops traces that begin with housekeeping, or with a statement outside of any.

    A job that a scheduled task found is traced by itself. The others are left to the SDK's
    sampler, which its variables choose.
    """

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler

    def should_sample(  # noqa: PLR0913, PLR0917 -- as the SDK has it
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[trace.Link] | None = None,
        trace_state: trace.TraceState | None = None,
    ) -> SamplingResult:
        parent = trace.get_current_span(parent_context).get_span_context()
        what = name.replace("/", " ", 1).partition(" ")[2]
        if what == JOB and not parent.trace_flags.sampled:
            parent_context = Context()
        # Only the spans of statements begin without attributes.
        is_statement = kind == SpanKind.CLIENT and not attributes
        if not parent.is_valid and (what in HOUSEKEEPING or is_statement):
            return SamplingResult(Decision.DROP)
        more = kind, attributes, links, trace_state
        return self._sampler.should_sample(parent_context, trace_id, name, *more)

    def get_description(self) -> str:
        return f"WithoutHousekeeping({self._sampler.get_description()})"


class Cleaned(SpanExporter):
    """Sends spans without what may be private."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return self._exporter.export([_cleaned(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._exporter.force_flush(timeout_millis)


def _cleaned(span: ReadableSpan) -> ReadableSpan:
    kept = {name: v for name, v in (span.attributes or {}).items() if name in SENT}
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=kept,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def start_sdk() -> Any:
    """Instrument the process; its tracer. The variables OTEL_* of the SDK hold, too."""
    ours = Resource({SERVICE_NAME: "meddie", SERVICE_VERSION: VERSION})
    provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()))
    provider.sampler = WithoutHousekeeping(provider.sampler)
    provider.add_span_processor(BatchSpanProcessor(Cleaned(OTLPSpanExporter())))
    trace.set_tracer_provider(provider)
    for instrumentor in (
        *(DjangoInstrumentor, PsycopgInstrumentor),
        *(RedisInstrumentor, CeleryInstrumentor),
    ):
        instrumentor().instrument()
    return trace.get_tracer("meddie", VERSION)


def instrument_client(http: Any) -> None:
    HTTPX2ClientInstrumentor.instrument_client(http)
