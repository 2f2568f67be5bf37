"""The current space and the theme; lazy, so that unused values cost no query."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from meddie.themes import CHOICES, PAPER, chosen_theme
from people.access import current_space, is_admin_of
from people.models import Space, User


def space(request: HttpRequest) -> dict[str, object]:
    user = request.user
    here = SimpleLazyObject(lambda: current_space(request))
    return {
        "theme": chosen_theme(request),
        "themes": CHOICES,
        "paper": PAPER,
        "current_space": here,
        "is_space_admin": SimpleLazyObject(
            lambda: (
                isinstance(user, User)
                and isinstance(here, Space)
                and is_admin_of(user, here)
            )
        ),
        "my_spaces": SimpleLazyObject(
            lambda: list(Space.objects.of(user)) if isinstance(user, User) else []
        ),
    }
