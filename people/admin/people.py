"""The admin of users, spaces and people, without their notes."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from meddie.admin import ReadOnly, ReadOnlyInline
from people import members
from people.deletion import BotConnected, delete_spaces
from people.members import LastAdmin
from people.models import Invitation, Membership, Person, ProfileUpdate, Space, User


class ExplainRefusals:
    """Show LastAdmin and BotConnected as a message; the change is rolled back."""

    def changeform_view(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _or_explain(super().changeform_view, request, *args, **kwargs)  # type: ignore[misc]

    def delete_view(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _or_explain(super().delete_view, request, *args, **kwargs)  # type: ignore[misc]

    def changelist_view(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _or_explain(super().changelist_view, request, *args, **kwargs)  # type: ignore[misc]


def _or_explain(
    view: Callable[..., HttpResponse], request: HttpRequest, *args: Any, **kwargs: Any
) -> HttpResponse:
    try:
        return view(request, *args, **kwargs)
    except LastAdmin as refused:
        text = _(
            "“%(space)s” would be left without an admin. "
            "Make another member an admin first."
        )
        messages.error(request, text % {"space": refused.space.name})
    except BotConnected as refused:
        text = _("“%(space)s” has a Telegram bot. Disconnect it first.")
        messages.error(request, text % {"space": refused.space.name})
    return redirect(request.get_full_path())


class CascadingDelete:
    """Delete rows whose dependants are read-only in the admin.

    They are counted, not listed.
    """

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        found = super().get_deleted_objects(objs, request)  # type: ignore[misc]
        _listed, counts, _refused, protected = found
        return [str(obj) for obj in objs], counts, set(), protected


class MembershipInline(ReadOnlyInline):
    model = Membership
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        memberships: QuerySet[Membership] = super().get_queryset(request)
        listed = memberships.filter(user__external=None)
        return listed.select_related("user", "space").order_by("user__email")


@admin.register(Membership)
class MembershipAdmin(ExplainRefusals, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("user", "space", "role", "created_at")
    list_select_related = ("user", "space")
    list_filter = ("role",)
    search_fields = ("user__email", "user__name", "space__name")
    autocomplete_fields = ("user", "space")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        memberships: QuerySet[Membership] = super().get_queryset(request)
        return memberships.filter(user__external=None)

    def get_readonly_fields(
        self, request: HttpRequest, obj: Membership | None = None
    ) -> tuple[str, ...]:
        """Only the role can change."""
        return ("user", "space", "created_at") if obj else ("created_at",)

    def save_model(
        self,
        request: HttpRequest,
        obj: Membership,
        form: Any,
        change: bool,  # noqa: FBT001 -- Django's
    ) -> None:
        if change:
            members.change_role(obj, obj.role)
        else:
            obj.save()

    def delete_model(self, request: HttpRequest, obj: Membership) -> None:
        members.remove_member(obj)

    @transaction.atomic
    def delete_queryset(
        self, request: HttpRequest, queryset: QuerySet[Membership]
    ) -> None:
        for member in queryset.select_related("space").order_by("space", "pk"):
            members.remove_member(member)


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("email", "name")


@admin.register(User)
class UsersAdmin(ExplainRefusals, CascadingDelete, UserAdmin):  # type: ignore[type-arg]
    add_form = NewUserForm
    ordering = ("email",)
    list_display = ("email", "name", "locale", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff", "memory_on", "locale")
    search_fields = ("email", "name")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Account"), {"fields": ("name", "locale", "time_zone", "memory_on")}),
        (
            _("Rights"),
            {
                "fields": (
                    "is_active",
                    "is_staff",
                    "is_superuser",
                    "groups",
                    "user_permissions",
                )
            },
        ),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": (
                    "email",
                    "name",
                    "usable_password",
                    "password1",
                    "password2",
                ),
            },
        ),
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """External users get no password and no rights."""
        allowed = super().has_change_permission(request, obj)
        return allowed and not (obj and hasattr(obj, "external"))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """List the spaces that would lose their last member, too."""
        listed, counts, refused, protected = super().get_deleted_objects(objs, request)
        alone = list(members.spaces_of_only([user.pk for user in objs]))
        return [*listed, *map(str, alone)], counts, refused, protected

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        members.delete_accounts([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        members.delete_accounts(list(queryset))


@admin.register(Space)
class SpaceAdmin(ExplainRefusals, CascadingDelete, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "members", "people_count", "created_at")
    search_fields = ("name",)
    ordering = ("name", "pk")
    readonly_fields = ("created_at",)
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Space]:
        spaces: QuerySet[Space] = super().get_queryset(request)
        return spaces.annotate(
            member_count=Count(
                "memberships",
                filter=Q(memberships__user__external=None),
                distinct=True,
            ),
            person_count=Count("people", distinct=True),
        )

    @admin.display(description=_("members"), ordering="member_count")
    def members(self, space: Any) -> int:
        return int(space.member_count)

    @admin.display(description=_("people"), ordering="person_count")
    def people_count(self, space: Any) -> int:
        return int(space.person_count)

    def delete_model(self, request: HttpRequest, obj: Space) -> None:
        delete_spaces([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Space]) -> None:
        delete_spaces(list(queryset.values_list("pk", flat=True)))


@admin.register(Person)
class PersonAdmin(CascadingDelete, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "space", "user", "notes_length", "updated_at", "deleted_at")
    list_select_related = ("space", "user")
    list_filter = (
        "sex",
        ("user", admin.EmptyFieldListFilter),
        ("deleted_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("name", "space__name", "user__email")
    autocomplete_fields = ("space", "user")
    exclude = Person.NOTES
    readonly_fields = ("notes_length", "created_at", "updated_at", "deleted_at")

    @admin.display(description=_("characters in the notes"))
    def notes_length(self, person: Person) -> int:
        return sum(len(getattr(person, name)) for name in Person.NOTES)

    def delete_model(self, request: HttpRequest, obj: Person) -> None:
        Person.objects.filter(pk=obj.pk).erase()

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        queryset.erase()


@admin.register(ProfileUpdate)
class ProfileUpdateAdmin(ReadOnly):
    deletable = True
    list_display = ("person", "field", "action", "author", "created_at", "reverted_at")
    list_select_related = ("person", "author")
    list_filter = ("field", "action", ("reverted_at", admin.EmptyFieldListFilter))
    search_fields = ("person__name", "author__email")
    date_hierarchy = "created_at"
    exclude = ("text", "previous_value", "new_value")
    readonly_fields = ("text_length", "length_before", "length_after")

    @admin.display(description=_("characters of the change"))
    def text_length(self, update: ProfileUpdate) -> int:
        return len(update.text)

    @admin.display(description=_("characters before"))
    def length_before(self, update: ProfileUpdate) -> int:
        return len(update.previous_value)

    @admin.display(description=_("characters after"))
    def length_after(self, update: ProfileUpdate) -> int:
        return len(update.new_value)


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    deletable = True
    list_display = ("email", "space", "role", "invited_by", "expires_at", "used_at")
    list_select_related = ("space", "invited_by")
    list_filter = ("role", ("used_at", admin.EmptyFieldListFilter))
    search_fields = ("email", "space__name", "invited_by__email")
    exclude = ("token_hash",)
