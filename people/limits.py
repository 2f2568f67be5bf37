"""How often somebody may try: what a stranger can ask for without an end."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest


def name_of_who_signs_in(
    request: HttpRequest, credentials: Mapping[str, Any] | None = None
) -> str:
    """What failed attempts are counted under: the address as accounts are looked up by
    it. Every form that signs in goes through here, the admin's too."""
    given = credentials or {}
    typed = given.get("username") or request.POST.get("username")
    return str(typed or "").strip().lower()
