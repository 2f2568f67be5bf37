"""Probe each active member once a day, and all again when what makes prompts has changed."""

import hashlib
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from conversations.models import Conversation, ProbeJob
from conversations.probes.run import ProbeRun, has_new_vital_line, probe
from meddie.ai import embeddings
from meddie.ai.configured import configured
from meddie.ai.errors import NoEmbedder
from meddie.jobs.registry import Queue, announce
from meddie.version import VERSION
from memory import service
from memory.models import MemoryPolicy
from people.models import Membership, ProfileUpdate
from people.scope import NotAMember, Scope

ACTIVE = timedelta(days=30)  # since the last message of a member
NOTED = timedelta(minutes=5)  # since a change of notes that a sweep looks at


def run_probe(job: ProbeJob) -> None:
    policy = MemoryPolicy.objects.of(job.space_id)
    try:
        outcome = probe(job.user, job.space)
    except NotAMember:
        outcome = ProbeRun()
    with transaction.atomic():
        job.hold()
        job.asked = outcome.asked
        job.failures = [failure.data for failure in outcome.failures]
        job.system, job.probed_at = system_digest(), timezone.now()
        job.ranking, job.facts_tokens = policy.ranking, policy.facts_tokens
        job.save()


class ProbeQueue(Queue):
    def sweep(self) -> None:
        ProbeJob.objects.filter(_outdated()).put_again()
        put_for_notes()
        super().sweep()


PROBES = ProbeQueue(ProbeJob, {ProbeJob.PROBE: run_probe})


def put_at_once(scope: Scope) -> None:
    """For a first fact about someone that no answer may overlook."""
    if scope.user_id is not None:
        announce(ProbeJob.objects.put_now(scope.user_id, scope.space_id))


def put_for_notes() -> None:
    """For members whose people have new notes that no answer may overlook."""
    since = timezone.now() - NOTED
    written = ProfileUpdate.objects.filter(created_at__gt=since, reverted_at=None)
    for update in written.select_related("person"):
        if not has_new_vital_line(update):
            continue
        members = Membership.objects.remembering().filter(space=update.person.space_id)
        probed = ProbeJob.objects.filter(
            user=OuterRef("user"),
            space=OuterRef("space"),
            probed_at__gt=update.created_at,
        )
        for member in members.exclude(Exists(probed)):
            announce(ProbeJob.objects.put_now(member.user_id, member.space_id))


def put_probes() -> None:
    """Have every member probed who wrote lately and whose memory is on."""
    since = timezone.now() - ACTIVE
    lately = Conversation.objects.filter(
        user=OuterRef("user"), space=OuterRef("space"), last_message_at__gt=since
    )
    members = Membership.objects.remembering().filter(Exists(lately))
    known = ProbeJob.objects.filter(user=OuterRef("user"), space=OuterRef("space"))
    new = [
        ProbeJob(kind=ProbeJob.PROBE, user_id=user, space_id=space)
        for user, space in members.exclude(Exists(known)).values_list("user", "space")
    ]
    ProbeJob.objects.bulk_create(new, ignore_conflicts=True)
    announce(*new)
    active = members.filter(user=OuterRef("user"), space=OuterRef("space"))
    ProbeJob.objects.filter(Exists(active)).put_again()


def _outdated() -> Q:
    """Probed with another model, prompt, embedder, ranking or gate than now."""
    policies = MemoryPolicy.objects.filter(space=OuterRef("space"))
    default = MemoryPolicy()
    ranking = Coalesce(Subquery(policies.values("ranking")), Value(default.ranking))
    tokens = Coalesce(
        Subquery(policies.values("facts_tokens")), Value(default.facts_tokens)
    )
    same = Q(system=system_digest(), ranking=ranking, facts_tokens=tokens)
    return ~same


def system_digest() -> str:
    """Of all that makes prompts but for the policies of spaces."""
    try:
        model = embeddings.current_embedder().model.name
    except NoEmbedder:
        model = ""
    parts = (
        *(VERSION, configured().chat_model, configured().base_url),
        *(model, repr(service.thresholds(model)), str(settings.PROMPT_TOKENS)),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
