"""A person whom a space keeps notes on."""

import uuid
from datetime import date
from typing import Self

from django.conf import settings
from django.core.validators import MaxLengthValidator, MinValueValidator
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from meddie.admin_log import remove_deleted_names
from people.models.space import Space
from people.person_text import PersonValues, age

FIELD_LIMIT = 50_000
"""Characters in each of the three Markdown fields."""


class PersonQuerySet(models.QuerySet["Person"]):
    def in_space(self, space_id: uuid.UUID) -> Self:
        """Without those who are deleted."""
        here = self.filter(space_id=space_id, deleted_at=None)
        return here.order_by("position", "name", "pk")

    def deleted(self) -> Self:
        return self.filter(deleted_at__isnull=False)

    @transaction.atomic
    def erase(self) -> None:
        """Delete people and their dependants for good.

        People are locked first, as in a reply that changes notes; else both could
        deadlock.
        """
        locked = self.order_by("pk").select_for_update(of=("self",))
        keys = list(locked.values_list("pk", flat=True))
        Person.objects.filter(pk__in=keys).delete()
        remove_deleted_names(Person)


class Person(models.Model):
    class Sex(models.TextChoices):
        FEMALE = "female", _("female")
        MALE = "male", _("male")
        NOT_SAID = "", _("prefer not to say")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="people")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="people",
        limit_choices_to={"external": None},
        verbose_name=_("linked account"),
    )
    name = models.CharField(pgettext_lazy("person", "name"), max_length=255)
    sex = models.CharField(_("sex"), max_length=6, choices=Sex, blank=True)
    date_of_birth = models.DateField(_("date of birth"), null=True, blank=True)
    height_cm = models.DecimalField(
        _("height in cm"),
        max_digits=4,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
    )
    weight_kg = models.DecimalField(
        _("weight in kg"),
        max_digits=4,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
    )
    health_notes = models.TextField(
        _("health notes"), blank=True, validators=[MaxLengthValidator(FIELD_LIMIT)]
    )
    supplements = models.TextField(
        _("supplements"), blank=True, validators=[MaxLengthValidator(FIELD_LIMIT)]
    )
    medications = models.TextField(
        _("medications"), blank=True, validators=[MaxLengthValidator(FIELD_LIMIT)]
    )
    position = models.PositiveIntegerField(_("position"), default=0)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)
    deleted_at = models.DateTimeField(
        _("deleted"),
        null=True,
        blank=True,
        help_text=_("Admins of the space can restore the person for 30 days."),
    )

    objects = PersonQuerySet.as_manager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space"],
                condition=models.Q(user__isnull=False, deleted_at__isnull=True),
                name="people_person_user_space_unique",
                violation_error_message=_(
                    "This account is already linked to another person in this space."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(sex__in=["female", "male", ""]),
                name="people_person_sex_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["space", "position", "name"], name="people_person_order"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def details(self, today: date) -> PersonValues:
        born = self.date_of_birth
        return PersonValues(
            name=self.name,
            sex=self.sex,
            age=age(born, today) if born else None,
            date_of_birth=born,
            height_cm=self.height_cm,
            weight_kg=self.weight_kg,
            health_notes=self.health_notes,
            supplements=self.supplements,
            medications=self.medications,
        )
