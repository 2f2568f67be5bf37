"""Mail that nobody waits for.

A page answers in the same time whether a mail goes out or not, so that its time does
not tell whether an address is known; and a mail server that is down fails no page.
When too many wait for one, the next are not sent.
"""

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

MOST_WAITING = 200

_room = BoundedSemaphore(MOST_WAITING)
_postman = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def post(subject: str, body: str, to: str) -> None:
    """Send a mail soon; a failure is logged, without the address."""
    if not _room.acquire(blocking=False):
        logger.error("Too many mails wait to be sent; one was dropped")
        return
    line = " ".join(subject.split())
    sending = _postman.submit(_send, EmailMessage(line, body, to=[to]))
    sending.add_done_callback(lambda _: _room.release())


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        # The outermost edge of its thread: there is nobody to tell but the log.
        logger.exception("a mail could not be sent")
