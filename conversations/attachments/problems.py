"""Why a file was not read, in the user's words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conversations.models import Attachment

NEEDS_PROVIDER = "needs_provider"
PROBLEMS: dict[str, Promise] = {
    "bomb": _("This file unpacks to far more than it holds, so I haven’t read it."),
    "broken": _("This file is damaged, so I couldn’t read it."),
    "encrypted": _("This file has a password, so I couldn’t read it."),
    "missing": _("This file is lost, so I couldn’t read it. Send it again."),
    NEEDS_PROVIDER: _(
        "I can describe pictures and write down speech only with a model provider."
    ),
    "no_speech": _("I heard no speech in this recording."),
    "no_text": _("I found no text in this file."),
    "too_complex": _("This file is too large or too complex for me to read."),
    "too_many_pixels": _("This picture has too many pixels for me to look at."),
    "unknown_type": _("I can’t read this kind of file."),
    "unsupported": _("The model provider can’t read this kind of file."),
    "unknown_encoding": _("I couldn’t tell in which characters this file is written."),
}
UNREADABLE_FILE = _("I couldn’t read this file.")


def problem(attachment: Attachment) -> Promise | str:
    """Empty for a file that was read or will be."""
    if attachment.state != Attachment.State.FAILED:
        return ""
    return PROBLEMS.get(attachment.error, UNREADABLE_FILE)


def is_broken(attachment: Attachment) -> bool:
    failed = attachment.state == Attachment.State.FAILED
    return failed and attachment.error not in {NEEDS_PROVIDER, "unsupported", "no_text"}
