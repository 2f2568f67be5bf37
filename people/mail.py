"""Mail sent by a background thread, so that no response time reveals an address.

And the absolute URLs for it.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest

logger = logging.getLogger(__name__)


_room = BoundedSemaphore(200)
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def is_set_up() -> bool:
    """Whether mail is sent, and not printed in the terminal."""
    return not settings.EMAIL_BACKEND.endswith("console.EmailBackend")


def send_later(subject: str, body: str, to: str) -> None:
    """Failures are logged, without the address."""
    if not _room.acquire(blocking=False):
        logger.error("Too many mails wait to be sent; one was dropped")
        return
    line = " ".join(subject.split())
    sending = _sender.submit(_send, EmailMessage(line, body, to=[to]))
    sending.add_done_callback(lambda _: _room.release())


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        # The outermost edge of its thread.
        logger.exception("A mail could not be sent")


def public_url(request: HttpRequest, path: str = "") -> str:
    """PUBLIC_URL before the request's own host."""
    here = settings.PUBLIC_URL or request.build_absolute_uri("/")
    return here.rstrip("/") + path
