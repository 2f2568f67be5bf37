"""The memory settings of a space."""

import uuid
from typing import Self

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Space

RANKING_NAMES = ("chat", "chat_literal", "fused", "ranked", "strict_semantic")
# Channels whose replies note facts down themselves; they register.
NOTING_CHANNELS: set[str] = set()


class MemoryPolicyQuerySet(models.QuerySet["MemoryPolicy"]):
    def of(self, space_id: uuid.UUID) -> "MemoryPolicy":
        """The policy of a space, or an unsaved one with the defaults."""
        return self.filter(space_id=space_id).first() or MemoryPolicy(space_id=space_id)


class MemoryPolicy(models.Model):
    class RankingName(models.TextChoices):
        CHAT = "chat", _("chat, calibrated for the embedding model")
        CHAT_LITERAL = "chat_literal", _("chat, to the letter of the document")
        FUSED = "fused", _("fused, with speakers, neighbours and sessions")
        RANKED = "ranked", _("ranked, with confidence, recency and channel")
        STRICT_SEMANTIC = "strict_semantic", _("strict semantic, by meaning alone")

    class BackgroundCapture(models.TextChoices):
        AUTO = "auto", _("where no reply notes facts down, or its model does not")
        NEVER = "never", _("never")
        API = "api", _("where no reply notes facts down: the API")
        ALWAYS = "always", _("on all channels")

    class Journal(models.TextChoices):
        NEVER = "never", _("none")
        INGESTED = "ingested", _("of channels that are ingested")
        ALL = "all", _("of all channels")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.OneToOneField(Space, models.CASCADE, related_name="memory_policy")
    ranking = models.CharField(
        _("ranking of facts"),
        max_length=16,
        choices=RankingName,
        default=RankingName.CHAT,
    )
    api_ranking = models.CharField(
        _("ranking of facts for the API"),
        max_length=16,
        choices=RankingName,
        default=RankingName.STRICT_SEMANTIC,
    )
    decay_half_life = models.PositiveSmallIntegerField(
        _("half-life of facts in days"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_(
            "After these days a fact counts half, unless it is stated again. Empty: facts"
            " do not fade."
        ),
    )
    keep_per_user = models.PositiveSmallIntegerField(
        _("facts to keep for each user"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Older ones are archived every hour. Empty: all are kept."),
    )
    time_to_live_days = models.PositiveSmallIntegerField(
        _("days that facts live"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_(
            "Once a day older ones are archived, by kind, importance and use. Empty: facts"
            " do not expire."
        ),
    )
    lore = models.BooleanField(
        _("keep lines for the whole space"),
        default=False,
        help_text=_("Every member sees what replies keep as a line of the space."),
    )
    keep_lore = models.PositiveSmallIntegerField(
        _("lines to keep for the space"),
        default=120,
        validators=[MinValueValidator(1)],
        help_text=_("Older ones are archived every hour."),
    )
    journal = models.CharField(
        _("journals of messages"),
        max_length=8,
        choices=Journal,
        default=Journal.INGESTED,
        help_text=_(
            "Files on the server, for its operators. Replies never read them. Lines that"
            " are no longer wanted leave the files within five minutes."
        ),
    )
    facts_tokens = models.PositiveIntegerField(
        _("tokens for facts"),
        default=1000,
        help_text=_(
            "For the newest facts, which are in every prompt in the order in which they"
            " were stored; what else a search finds comes with the message. 0: only what"
            " a search finds."
        ),
    )
    model_lookup = models.BooleanField(
        _("let the model search memory"),
        default=False,
        help_text=_("Once for each reply, where the provider has tools."),
    )
    inline_capture = models.BooleanField(
        _("remember what replies note down"), default=True
    )
    tells_remembered = models.BooleanField(
        _("say under a reply what was remembered"),
        default=True,
        help_text=_(
            "Without it facts are stored all the same, and what was forgotten is still"
            " told."
        ),
    )
    background_capture = models.CharField(
        _("extract facts from messages"),
        max_length=8,
        choices=BackgroundCapture,
        default=BackgroundCapture.AUTO,
    )

    objects = MemoryPolicyQuerySet.as_manager()

    class Meta:
        verbose_name = _("memory policy")
        verbose_name_plural = _("memory policies")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ranking__in=RANKING_NAMES),
                name="memory_policy_ranking_known",
            ),
            models.CheckConstraint(
                condition=models.Q(api_ranking__in=RANKING_NAMES),
                name="memory_policy_api_ranking_known",
            ),
            models.CheckConstraint(
                condition=models.Q(decay_half_life__gte=1),
                name="memory_policy_decay_half_life_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(keep_per_user__gte=1),
                name="memory_policy_keep_per_user_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(time_to_live_days__gte=1),
                name="memory_policy_time_to_live_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(keep_lore__gte=1),
                name="memory_policy_keep_lore_positive",
            ),
            models.CheckConstraint(
                condition=models.Q(journal__in=["never", "ingested", "all"]),
                name="memory_policy_journal_known",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    background_capture__in=["auto", "never", "api", "always"]
                ),
                name="memory_policy_background_capture_known",
            ),
        ]

    def __str__(self) -> str:
        return str(self.space)

    @classmethod
    def of_space(cls, space: Space) -> Self:
        """Like `objects.of`, without a statement if it was selected with its space."""
        found: Self | None = getattr(space, "memory_policy", None)
        return found or cls(space=space)

    def captures(self, channel: str) -> bool:
        """Whether facts are extracted from all messages of a channel."""
        if self.background_capture in {
            self.BackgroundCapture.AUTO,
            self.BackgroundCapture.API,
        }:
            return channel not in NOTING_CHANNELS
        return self.background_capture == self.BackgroundCapture.ALWAYS

    def asks_for_lore(self, channel: str) -> bool:
        """Whether it is extracted: elsewhere a reply notes it down."""
        return self.lore and channel not in NOTING_CHANNELS

    def journals(self, *, ingested: bool) -> bool:
        """Whether a message is journaled; `ingested` if it came through that API."""
        if self.journal == self.Journal.INGESTED:
            return ingested
        return self.journal == self.Journal.ALL
