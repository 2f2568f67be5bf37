"""What was deleted for a user, what a search has found of it since, and the signed text."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from meddie.crypto import EncryptedField
from meddie.jobs.job import Job, JobQuerySet
from people.models import Space


class DeletionProofQuerySet(JobQuerySet["DeletionProof"]):
    def ended(self) -> Self:
        """Also those that found something, which knows no words any more."""
        return self.filter(state__in=(Job.State.DONE, Job.State.DEAD))

    def of(self, user: Any) -> Self:
        return self.filter(user=user).order_by("-created_at")

    def shown_to(self, user: Any) -> Self:
        """The user's own, and of deleted accounts, whose links only their pages have told."""
        mine = models.Q(user=None)
        if user.is_authenticated:
            mine |= models.Q(user=user)
        return self.filter(mine)


class DeletionProof(Job):
    """A proof of a deleted account has no user; its key is in the link of the page.

    A proof of facts or of a conversation is a job until the search is done.
    """

    QUEUE = "proofs"
    MOST_ATTEMPTS = 8  # a quarter of an hour; files and journals go within a minute
    FACTS: ClassVar[str] = "facts"
    CONVERSATION: ClassVar[str] = "conversation"
    ACCOUNT: ClassVar[str] = "account"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+"
    )
    space = models.ForeignKey(Space, models.CASCADE, null=True, related_name="+")
    left: "models.JSONField[list[str], list[str]]" = models.JSONField(
        _("still found"), default=list, blank=True
    )
    sealed = EncryptedField(null=True)  # `traces` as JSON
    document = models.TextField(_("text"), blank=True)
    signature = models.CharField(max_length=88, blank=True)  # Ed25519, in base64
    public_key = models.TextField(blank=True)  # PEM, of that signature

    objects = DeletionProofQuerySet.as_manager()

    class Meta:
        verbose_name = _("proof of deletion")
        verbose_name_plural = _("proofs of deletion")
        indexes = [
            models.Index(
                fields=["user", "created_at"], name="conversations_proof_of_user"
            ),
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="conversations_proof_due",
            ),
        ]

    @property
    def traces(self) -> dict[str, Any]:
        """Keys and words of what was deleted; empty once the search is done."""
        return json.loads(self.sealed) if self.sealed else {}

    @traces.setter
    def traces(self, traces: Mapping[str, Any]) -> None:
        self.sealed = json.dumps(traces) if traces else None

    def stop(self, state: str, error: str) -> None:
        """A proof that is dead keeps no words, so that no back-up has them for long."""
        if state == self.State.DEAD:
            self.traces = {}
        super().stop(state, error)

    @property
    def told(self) -> dict[str, Any]:
        """What the document says; nothing before it is signed."""
        return json.loads(self.document) if self.document else {}

    @property
    def has_failed(self) -> bool:
        return self.state == self.State.DEAD
