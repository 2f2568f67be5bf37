"""Spans of OpenTelemetry: nothing is loaded without OTEL_EXPORTER_OTLP_ENDPOINT."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

_tracer: Any = None


def start_tracing() -> None:
    """Trace this process, if it is wanted. Call it once, before Django's middleware is read.

    Raises ImproperlyConfigured without the packages of requirements-tracing.txt.
    """
    global _tracer  # noqa: PLW0603 -- one of the process
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        return
    try:
        from meddie import otlp  # noqa: PLC0415
    except ImportError as error:
        raise ImproperlyConfigured(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of"
            " requirements-tracing.txt are not installed."
        ) from error
    _tracer = otlp.start_sdk()


def is_tracing() -> bool:
    return _tracer is not None


@contextmanager
def span(name: str, **attributes: str | float) -> Iterator[None]:
    """Nothing without tracing. A `__` in an attribute's name is a dot."""
    if _tracer is None:
        yield
        return
    with _tracer.start_as_current_span(name, attributes=_dotted(attributes)):
        yield


def begin_span(name: str, **attributes: str | float) -> Any:
    """A span that the caller ends; only where `is_tracing`."""
    return _tracer.start_span(name, attributes=_dotted(attributes))


def _dotted(values: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("__", "."): value for name, value in values.items()}


def trace_client(http: Any) -> None:
    """Trace the calls of a provider's HTTP client, and no other: Telegram's have tokens."""
    if _tracer is not None:
        from meddie import otlp  # noqa: PLC0415

        otlp.instrument_client(http)
