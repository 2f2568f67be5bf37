from collections.abc import Callable, Iterator

import pytest

from people import mail


def _wait_for_mail() -> None:
    mail._postman.submit(int).result()


@pytest.fixture(autouse=True)
def _quick(settings):
    """Every test client would look at all static files again."""
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "static" not in name]


@pytest.fixture(autouse=True)
def wait_for_mail() -> Iterator[Callable[[], None]]:
    """Call it before looking; a mail of one test never arrives in the next."""
    yield _wait_for_mail
    _wait_for_mail()
