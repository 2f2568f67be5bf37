"""What the kinds of facts have in common."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.copies import check_copies, withhold_copies
from memory.subjects import SUBJECT_LIMIT, Subject
from people.models import Person, User

CHANNEL_LIMIT = 64
ROOM_LIMIT = 255
TEXT_KEPT = timedelta(days=30)  # of what was forgotten, for Undo
SHARE = (MinValueValidator(0.0), MaxValueValidator(1.0))
FactType = TypeVar("FactType", bound="Fact")


class FactQuerySet(models.QuerySet[FactType]):
    BLANKED: ClassVar[Mapping[str, str | None]]
    """The columns made of what a person said, and what they are once it is erased."""

    def active(self) -> Self:
        return self.filter(active=True)

    def true_at(self, moment: datetime) -> Self:
        """Those that are or were true then: active ones, and what was replaced since."""
        begun = models.Q(valid_from__lte=moment)
        begun |= models.Q(valid_from=None, stated_at__lte=moment)
        lasting = models.Q(valid_until__gt=moment)
        lasting |= models.Q(valid_until=None, active=True)
        kept = models.Q(active=True) | models.Q(
            retired_reason=Fact.RetiredReason.SUPERSEDED
        )
        return self.filter(begun, lasting, kept)

    def unread(self) -> Self:
        """Facts of users of which it is not known yet whom they are about."""
        owned = self.filter(subject=None, user__isnull=False, space__isnull=False)
        return owned.exclude(retired_reason=Fact.RetiredReason.RETRACTED)

    def retracted(self) -> Self:
        return self.filter(retired_reason=Fact.RetiredReason.RETRACTED)

    def retire(self, reason: str, at: datetime | None = None) -> int:
        """Retire rows without links; return how many."""
        now = timezone.now()
        return self.update(
            active=False, retired_reason=reason, retired_at=at or now, updated_at=now
        )

    def blank(self) -> int:
        """Erase the texts, in a transaction; the rows remain against late jobs."""
        rows = self.exclude(**self.BLANKED)
        withhold_copies([row for row in rows.defer(*self.model.VECTORS) if row.content])
        return rows.update(**self.BLANKED)


class MadeStatement(NamedTuple):
    stated_at: datetime
    message_id: uuid.UUID | None
    withdrawn: bool


class Fact(models.Model):
    """Something that is known: of a user in a space, of a space, or for everyone.

    `content` is the line that a person reads; empty once it is erased.
    """

    VECTORS: ClassVar[Sequence[str]] = ()
    STATE: ClassVar[Sequence[str]] = (
        "active",
        "retired_reason",
        "retired_at",
        "valid_until",
        "updated_at",
    )

    class Origin(models.TextChoices):
        INLINE = "inline", _("reply")
        BACKGROUND = "background", _("background")
        EPISODE_CLOSE = "episode_close", _("episode")
        LORE = "lore", _("lore")
        OPERATOR = "operator", _("operator")
        IMPORT = "import", _("import")
        PAGE = "page", _("typed by hand")

    class RetiredReason(models.TextChoices):
        SUPERSEDED = "superseded", _("superseded")
        ARCHIVED = "archived", _("archived")
        RETRACTED = "retracted", _("retracted")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    origin = models.CharField(
        _("origin"), max_length=16, choices=Origin, default=Origin.INLINE
    )
    channel = models.CharField(max_length=CHANNEL_LIMIT, blank=True)
    confidence = models.FloatField(_("confidence"), default=1.0, validators=SHARE)
    stated_at = models.DateTimeField(_("stated"), default=timezone.now)
    valid_from = models.DateTimeField(
        _("true since"),
        null=True,
        blank=True,
        help_text=_("Empty: since it was stated, as far as is known."),
    )
    valid_until = models.DateTimeField(
        _("true until"),
        null=True,
        blank=True,
        help_text=_("The first moment at which it is no longer true."),
    )
    subject = models.CharField(  # noqa: DJ001 -- NULL: not read for it yet
        _("about"),
        max_length=SUBJECT_LIMIT,
        null=True,
        blank=True,
        help_text=_("A relative or a name; empty: the user; ?: not sure."),
    )
    person = models.ForeignKey(
        Person,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,  # a partial index serves it
        verbose_name=_("person"),
    )
    active = models.BooleanField(_("active"), default=True)
    retired_reason = models.CharField(
        _("retired because"),
        max_length=16,
        choices=RetiredReason,
        blank=True,
        default="",
    )
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True)
    inserted_at = models.DateTimeField(_("stored"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    person_id: uuid.UUID | None
    content: Any
    user_id: uuid.UUID | None
    space_id: uuid.UUID | None
    of_kind: Any  # as in `memory.facts.kinds`
    # What only some kinds have.
    is_lore: Any = False
    told_by_id: Any = None
    room: Any = ""
    evidence: Any = ""
    metadata: Any = ""
    kind: Any
    may_replace: Any = None
    run_id: Any = None
    key: Any = ""

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=(
                    models.Q(active=True, retired_reason="", retired_at__isnull=True)
                    | models.Q(
                        active=False,
                        retired_reason__in=["superseded", "archived", "retracted"],
                        retired_at__isnull=False,
                    )
                ),
                name="%(app_label)s_%(class)s_active_unless_retired",
            ),
        ]

    @property
    def about(self) -> Subject:
        """Unsure until an older fact has been read for it."""
        return Subject.read(self.subject, self.person_id)

    @property
    def stated_in(self) -> uuid.UUID | None:
        """The message that stated it last."""
        return None

    @property
    def about_if_read(self) -> Subject | None:
        return None if self.subject is None else self.about

    def statements_made(self) -> list[MadeStatement]:
        """Where it was stated, the oldest first."""
        return [MadeStatement(self.stated_at, self.stated_in, withdrawn=False)]

    @property
    def told(self) -> str:
        """What a person says of it."""
        text: str = self.content
        return text

    @property
    def copied_texts(self) -> list[str]:
        """What copies of the fact may say."""
        return [self.content]

    @property
    def former_texts(self) -> list[str]:
        """What it replaced, where a line was read with its changes."""
        return []

    def successor(self) -> "Fact | None":
        """What took its place."""
        return None

    def lives_on(self) -> bool:
        """Whether what took its place says as much."""
        return False

    @property
    def begins_at(self) -> datetime:
        """Since when it is true, as far as is known."""
        return self.valid_from or self.stated_at

    @property
    def text_kept_until(self) -> datetime | None:
        """When the text of a forgotten fact is erased, which Undo needs until then."""
        return self.retired_at + TEXT_KEPT if self.retired_at else None

    @property
    def is_retracted(self) -> bool:
        return self.retired_reason == self.RetiredReason.RETRACTED

    def retire(self, reason: str, at: datetime | None = None) -> None:
        """Retire the fact for everyone, now or as of `at`."""
        self.active, self.retired_reason = False, reason
        self.retired_at = at or timezone.now()
        self._save_state()

    def retract(self, at: datetime | None = None) -> None:
        if not self.is_retracted:
            self.retire(self.RetiredReason.RETRACTED, at)

    def withdraw(self) -> None:
        """The message that stated it was edited."""
        if self.active:
            self.retire(self.RetiredReason.SUPERSEDED)

    def reactivate(self) -> None:
        """An end that another fact set goes; one that was stated is not after that."""
        self.active, self.retired_reason, self.retired_at = True, "", None
        if self.valid_until and self.valid_until > self.stated_at:
            self.valid_until = None
        self._save_state()

    def _save_state(self) -> None:
        is_new = self._state.adding
        self.save(update_fields=None if is_new else self.STATE)
        if not is_new and self.retired_reason != self.RetiredReason.ARCHIVED:
            check_copies(self)


def facts_for(viewer: User, keys: Collection[uuid.UUID]) -> dict[uuid.UUID, Fact]:
    """Facts of any kind by key, for staff; without texts for those who may not see them."""
    found: dict[uuid.UUID, Fact] = {}
    for kind in Fact.__subclasses__():
        may_see = viewer.has_perm(f"memory.view_{kind._meta.model_name}")  # noqa: SLF001
        rows: QuerySet[Any] = QuerySet(kind).filter(pk__in=keys).defer(*kind.VECTORS)
        found |= {row.pk: row if may_see else without_text(row) for row in rows}
    return found


def without_text(fact: Fact) -> Fact:
    """An unsaved copy, which is named by its time."""
    owner = {"user_id": fact.user_id, "space_id": fact.space_id}
    kind: type[Any] = type(fact)
    copy: Fact = kind(pk=fact.pk, stated_at=fact.stated_at, **owner)
    return copy
