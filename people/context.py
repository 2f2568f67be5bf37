"""What every template knows of the space that one is in."""

from django.http import HttpRequest


def space(request: HttpRequest) -> dict[str, object]:
    return {}
