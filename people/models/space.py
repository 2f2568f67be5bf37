"""A space (household or group, the tenant), its members and invitations."""

import uuid
from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.token import Token, TokenQuerySet
from people.models.user import User


class SpaceQuerySet(models.QuerySet["Space"]):
    def of(self, user: User) -> Self:
        return self.filter(memberships__user=user).order_by("name", "pk")

    def administered_by(self, user: User) -> Self:
        admins = {"memberships__user": user, "memberships__role": Membership.Role.ADMIN}
        return self.filter(**admins).order_by("name", "pk")


class Space(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    memory_page = models.BooleanField(
        _("Show members what Meddie remembers about them"),
        default=False,
        help_text=_(
            "On the page “Memory” they can search, edit and forget what they told Meddie."
            " Under each reply they see which of it was used. Members see only their own."
        ),
    )

    memory_on = models.BooleanField(
        _("Remember what members tell Meddie"),
        default=True,
        db_default=True,
        help_text=_(
            "When off, nothing is remembered or brought back for anyone here, also"
            " through programs. What is known is kept, is shown to its owner, and is"
            " used again when this is switched on."
        ),
    )

    objects = SpaceQuerySet.as_manager()

    class Meta:
        verbose_name = _("space")
        verbose_name_plural = _("spaces")

    def __str__(self) -> str:
        return self.name

    def lock(self) -> None:
        """Lock the row until the commit, before any row of its people.

        Rows that refer to the space can still be inserted.
        """
        list(Space.objects.select_for_update(no_key=True).filter(pk=self.pk))


class MembershipQuerySet(models.QuerySet["Membership"]):
    def active(self, user_id: Any, space_id: Any) -> Self:
        """Of an active user in a space; also by references to an outer row."""
        return self.filter(user=user_id, user__is_active=True, space=space_id)

    def memory_on(self) -> "models.QuerySet[Membership, bool]":
        """Whether the memory of their spaces is on."""
        return self.values_list("space__memory_on", flat=True)

    def remembering(self) -> Self:
        """Of active users, where neither they nor the space switched memory off."""
        return self.filter(
            user__is_active=True, user__memory_on=True, space__memory_on=True
        )

    def with_account(self) -> Self:
        """Memberships of people who can sign in, not of external users."""
        return self.filter(user__external=None)


class Membership(models.Model):
    class Role(models.TextChoices):
        ADMIN = "admin", _("admin")
        MEMBER = "member", _("member")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="memberships",
        limit_choices_to={"external": None},
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=16, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    chosen_at = models.DateTimeField(_("last chosen"), null=True, editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space"], name="people_membership_user_space_unique"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["admin", "member"]),
                name="people_membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} / {self.space}"

    @property
    def is_admin(self) -> bool:
        return self.role == self.Role.ADMIN


class Invitation(Token):
    """A way into a space, for one email address."""

    LIFETIME = timedelta(days=7)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="invitations")
    email = models.EmailField(_("email address"))
    role = models.CharField(
        _("role"),
        max_length=16,
        choices=Membership.Role,
        default=Membership.Role.MEMBER,
    )
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="invitations_sent",
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = TokenQuerySet["Invitation"].as_manager()

    class Meta(Token.Meta):
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.email} / {self.space}"

    @property
    def inviter(self) -> str:
        return self.invited_by.get_short_name() if self.invited_by else "Meddie"
