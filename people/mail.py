"""Mail that nobody waits for.

A page answers in the same time whether a mail goes out or not, so that its time does
not tell whether an address is known; and a mail server that is down fails no page.
"""

import logging
from concurrent.futures import Future, ThreadPoolExecutor

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

_postman = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def post(subject: str, body: str, to: str) -> Future[None]:
    """Send a mail soon; a failure is logged, without the address."""
    line = " ".join(subject.split())
    return _postman.submit(_send, EmailMessage(line, body, to=[to]))


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        # The outermost edge of its thread: there is nobody to tell but the log.
        logger.exception("a mail could not be sent")
