"""Lists of rows of users: filters by owner, and texts once a user is chosen."""

import uuid
from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from meddie.admin import RecordedPage
from people.models import Space, User

MOST_CHOICES = 200
"""Users or spaces listed in a filter."""


class OwnerFilter(admin.SimpleListFilter):
    """A filter whose list is cut at MOST_CHOICES; the query string takes any key."""

    model: type[User] | type[Space]
    order: str

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        keys = model_admin.model.objects.values(self.parameter_name)
        first = self.model.objects.filter(pk__in=keys).order_by(self.order)[
            :MOST_CHOICES
        ]
        return [(str(owner.pk), str(owner)) for owner in first]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if not self.value():
            return queryset
        key = _as_key(self.value())
        if key is None:
            return queryset.none()
        return queryset.filter(**{str(self.parameter_name): key})


def _as_key(value: str | None) -> uuid.UUID | None:
    try:
        return uuid.UUID(value)
    except (TypeError, ValueError):
        return None


class UserFilter(OwnerFilter):
    title = _("user")
    parameter_name = "user"
    model = User
    order = "email"


class SpaceFilter(OwnerFilter):
    title = _("space")
    parameter_name = "space"
    model = Space
    order = "name"


class OwnedList(RecordedPage):
    """A list that shows texts once a user is chosen, which is recorded once a day.

    `texts` are the columns with texts, `same` those that make room for them; `looks` is
    the manager that records, under the name `recorded_as`.
    """

    texts: tuple[str, ...]
    same: tuple[str, ...] = ("user",)
    searches_texts = False
    looks: Any
    recorded_as: str

    def record_look(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        self.looks.record_look(request.user, rows, self.recorded_as)

    def get_list_display(self, request: HttpRequest) -> Any:
        left_out = self.same if chosen_user(request) else self.texts
        return [name for name in self.list_display if name not in left_out]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None) or {}
        if "cl" in context:  # not the question whether to delete
            self._record_list(request, context["cl"].result_list)
        return response

    def _record_list(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        """Record each search of texts, and once a day that a user was chosen."""
        user = chosen_user(request)
        search = self.searches_texts and request.GET.get(SEARCH_VAR)
        seen = (request.user, user, self.recorded_as)
        if user and rows and not search and self.looks.has_look(*seen):
            return
        if user or search:
            self.record_look(request, rows)


def chosen_user(request: HttpRequest) -> uuid.UUID | None:
    return _as_key(request.GET.get(UserFilter.parameter_name))
