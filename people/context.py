"""What every template knows of the space that one is in.

Both values are lazy: a page that does not name them makes no query for them.
"""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from people.models import Space, User
from people.spaces import current_space


def space(request: HttpRequest) -> dict[str, object]:
    """`current_space` (or nothing) and `my_spaces`, by name."""
    return {
        "current_space": SimpleLazyObject(lambda: current_space(request)),
        "my_spaces": SimpleLazyObject(lambda: _spaces(request)),
    }


def _spaces(request: HttpRequest) -> list[Space]:
    if not isinstance(request.user, User):
        return []
    return list(Space.objects.of(request.user))
