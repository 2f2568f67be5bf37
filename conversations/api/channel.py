"""The channel of programs that want answers, and that of those that only report."""

from django.utils.translation import gettext_lazy as _

from conversations.api.models import IngestedMessage
from conversations.channels import Channel

API = Channel("api", "API", own_prompt=True, writable=False)
INGESTION = Channel(
    "ingest",
    _("another channel"),
    inbox=IngestedMessage,
    replies=False,
    listed=False,
    # Only the half of one author is here.
    summed_up=False,
    writable=False,
)
