"""Messages that are captured in the background, and what the extractor answers."""

from datetime import timedelta

from django.utils import timezone

from memory.models import MemoryEvent
from memory.values import Provenance
from memory.wording.dialogue import stating

NOW = timezone.now()
EARLIER = NOW - timedelta(days=1)


def heard(at=None, **how):
    told = {"stating": stating(how.get("user_text") or ""), **how}
    return Provenance(**{"origin": "background", "stated_at": at or NOW, **told})


def facts(*texts, **how):
    return {
        "facts": [{"text": text} | how for text in texts],
        "profile_facts": [],
    }


def run_event(kind="memory_decision"):
    return MemoryEvent.objects.filter(kind=kind).latest("created_at").data
