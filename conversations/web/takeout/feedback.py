"""A user's ratings of replies."""

from django.db.models import F, QuerySet

from conversations.models import Feedback
from conversations.web.takeout.archive import Archive


def write_feedback(archive: Archive, folder: str, feedback: QuerySet[Feedback]) -> None:
    rows = feedback.order_by("updated_at", "pk").values(
        "rating",
        "reason",
        conversation=F("message__conversation__title"),
        message_number=F("message__seq"),
        at=F("updated_at"),
    )
    if rows.exists():
        archive.add_json(f"{folder}/feedback.json", rows.iterator())
