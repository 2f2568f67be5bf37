"""The span of an answer: its model, the time to the first words, and its tokens."""

import time
from contextlib import aclosing

from meddie.ai.errors import AIError
from meddie.ai.events import Delta, Events, Usage
from meddie.tracing import begin_span, is_tracing


def traced(model: str, events: Events) -> Events:
    """The same events."""
    return _with_span(model, events) if is_tracing() else events


async def _with_span(model: str, events: Events) -> Events:
    span = begin_span(
        f"chat {model[:100]}",
        gen_ai__operation__name="chat",
        gen_ai__request__model=model[:100],
        gen_ai__request__stream=True,
    )
    began, first = time.monotonic(), True
    try:
        async with aclosing(events):
            async for event in events:
                if first and isinstance(event, Delta):
                    first = False
                    name = "gen_ai.response.time_to_first_chunk"
                    span.set_attribute(name, time.monotonic() - began)
                if isinstance(event, Usage):
                    span.set_attribute("gen_ai.usage.input_tokens", event.tokens_in)
                    span.set_attribute("gen_ai.usage.output_tokens", event.tokens_out)
                yield event
    except AIError as error:
        span.set_attribute("error.type", error.code)
        raise
    finally:
        span.end()
