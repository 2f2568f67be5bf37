"""The current space and the theme; lazy, so that unused values cost no query."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from meddie.themes import CHOICES, chosen_theme
from people.models import Space, User
from people.spaces import current_space


def space(request: HttpRequest) -> dict[str, object]:
    here = SimpleLazyObject(lambda: current_space(request))
    return {
        "theme": chosen_theme(request),
        "themes": CHOICES,
        "current_space": here,
        "is_space_admin": SimpleLazyObject(lambda: _is_admin(request, here)),
        "my_spaces": SimpleLazyObject(lambda: _spaces(request)),
    }


def _is_admin(request: HttpRequest, here: object) -> bool:
    if not isinstance(request.user, User) or not isinstance(here, Space):
        return False
    return Space.objects.administered_by(request.user).filter(pk=here.pk).exists()


def _spaces(request: HttpRequest) -> list[Space]:
    if not isinstance(request.user, User):
        return []
    return list(Space.objects.of(request.user))
