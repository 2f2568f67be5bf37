"""What staff see of users, spaces and people: who and how many, not their notes."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from people.models import Invitation, Membership, Person, ProfileUpdate, Space, User


class WithAllThatHangsOnIt:
    """Deleting goes through, also where rows below may not be deleted one by one.

    Memories and messages are read-only in the admin; without this, nobody could delete
    the user or space that they belong to. They are counted, not listed.
    """

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        found = super().get_deleted_objects(objs, request)  # type: ignore[misc]
        _listed, counts, _refused, protected = found
        return [str(one) for one in objs], counts, set(), protected


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    """Roles and leaving; who joins is added in the list of memberships.

    A field to choose a user would make a query a row.
    """

    model = Membership
    extra = 0
    readonly_fields = ("user", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        memberships: QuerySet[Membership] = super().get_queryset(request)
        return memberships.select_related("user").order_by("user__email")

    def has_add_permission(
        self, request: HttpRequest, obj: object | None = None
    ) -> bool:
        return False


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("user", "space", "role", "created_at")
    list_select_related = ("user", "space")
    list_filter = ("role",)
    search_fields = ("user__email", "user__name", "space__name")
    autocomplete_fields = ("user", "space")
    readonly_fields = ("created_at",)


class NewUserForm(AdminUserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("email", "name")


@admin.register(User)
class UsersAdmin(WithAllThatHangsOnIt, UserAdmin):  # type: ignore[type-arg]
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


@admin.register(Space)
class SpaceAdmin(WithAllThatHangsOnIt, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "members", "people_count", "created_at")
    search_fields = ("name",)
    readonly_fields = ("created_at",)
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Space]:
        """Count with the list, not once a row."""
        spaces: QuerySet[Space] = super().get_queryset(request)
        return spaces.annotate(
            member_count=Count("memberships", distinct=True),
            person_count=Count("people", distinct=True),
        )

    @admin.display(description=_("members"), ordering="member_count")
    def members(self, space: Any) -> int:
        return int(space.member_count)

    @admin.display(description=_("people"), ordering="person_count")
    def people_count(self, space: Any) -> int:
        return int(space.person_count)


@admin.register(Person)
class PersonAdmin(WithAllThatHangsOnIt, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "space", "user", "notes_length", "updated_at")
    list_select_related = ("space", "user")
    list_filter = ("sex", ("user", admin.EmptyFieldListFilter))
    search_fields = ("name", "space__name", "user__email")
    autocomplete_fields = ("space", "user")
    exclude = ("health_notes", "supplements", "medications")
    readonly_fields = ("notes_length", "created_at", "updated_at")

    @admin.display(description=_("characters in the notes"))
    def notes_length(self, person: Person) -> int:
        return sum(
            len(text)
            for text in (person.health_notes, person.supplements, person.medications)
        )


class WrittenByMeddie(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that the application writes: staff look, nobody edits."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: object | None = None
    ) -> bool:
        return False


@admin.register(ProfileUpdate)
class ProfileUpdateAdmin(WrittenByMeddie):
    list_display = ("person", "field", "action", "author", "created_at", "reverted_at")
    list_select_related = ("person", "author")
    list_filter = ("field", "action", ("reverted_at", admin.EmptyFieldListFilter))
    search_fields = ("person__name", "author__email", "text")
    date_hierarchy = "created_at"
    exclude = ("previous_value", "new_value")


@admin.register(Invitation)
class InvitationAdmin(WrittenByMeddie):
    list_display = ("email", "space", "role", "invited_by", "expires_at", "accepted_at")
    list_select_related = ("space", "invited_by")
    list_filter = ("role", ("accepted_at", admin.EmptyFieldListFilter))
    search_fields = ("email", "space__name", "invited_by__email")
    exclude = ("token_hash",)
