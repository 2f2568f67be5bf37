"""A reply that is written meanwhile, by another task of this process."""

from collections.abc import Iterator
from contextlib import contextmanager

from meddie.ai.client import Endpoint
from meddie.ai.priority import replying
from meddie.threads import run_coroutine


@contextmanager
def reply_in_progress() -> Iterator[None]:
    """From the chat's provider, which counts as a server of one's own."""
    reply = replying(Endpoint.for_chat())
    run_coroutine(reply.__aenter__(), 60)
    try:
        yield
    finally:
        run_coroutine(reply.__aexit__(None, None, None), 60)
