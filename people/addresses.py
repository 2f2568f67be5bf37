"""Absolute URLs for mails and for copying."""

from django.conf import settings
from django.http import HttpRequest


def public_url(request: HttpRequest, path: str = "") -> str:
    """PUBLIC_URL before the request's own host."""
    here = settings.PUBLIC_URL or request.build_absolute_uri("/")
    return here.rstrip("/") + path
