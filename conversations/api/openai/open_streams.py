"""The number of open streams that a key may have in this process."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext_lazy as _

from meddie.http.api_edge import ApiError

MOST_STREAMS = 200  # of a key and the user that it is for
_open: Counter[str] = Counter()


class TooManyStreams(ApiError):
    def __init__(self) -> None:
        text = _("This API key has too many open streams.")
        super().__init__(429, text, {"Retry-After": "5"}, code="too_many_streams")


@contextmanager
def open_stream(payer: str) -> Iterator[None]:
    """Raises TooManyStreams."""
    if _open[payer] >= MOST_STREAMS:
        raise TooManyStreams
    _open[payer] += 1
    try:
        yield
    finally:
        _open[payer] -= 1
        if not _open[payer]:
            del _open[payer]
