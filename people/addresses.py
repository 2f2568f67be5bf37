"""Addresses that leave Meddie, in a mail or to be copied."""

from django.conf import settings
from django.http import HttpRequest


def public(request: HttpRequest, path: str = "") -> str:
    """Where the outside reaches a path.

    PUBLIC_URL wins: a request says by itself what its host is called.
    """
    here = settings.PUBLIC_URL or request.build_absolute_uri("/")
    return here.rstrip("/") + path
