"""Error texts for users: what happened and what to do next."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

UNKNOWN_FAILURE = _("Something went wrong. Please try again.")
FAILED: dict[str, Promise | str] = {
    "wrong_key": _(
        "The model provider did not accept Meddie's key. The operator of"
        " Meddie has to check it; then try again."
    ),
    "rate_limited": _(
        "The model provider has too many requests at the moment. Wait a minute, then try"
        " again."
    ),
    "no_quota": _(
        "Meddie's account with the model provider has no credit left. The operator of"
        " Meddie has to top it up; then try again."
    ),
    "provider_down": _(
        "The model provider cannot be reached at the moment. Try again in a while."
    ),
    "timed_out": _("The model provider did not answer in time. Please try again."),
    "refused": _(
        "The model provider refused the request. Rephrase the message or shorten it."
    ),
    "broken_off": _(
        "The connection to the model provider broke off. The part that arrived has been"
        " kept; please try again."
    ),
    "cut_off": _(
        "The reply grew too long, so its end is missing. Ask for a shorter reply or for"
        " one part of it."
    ),
    "filtered": _(
        "A content filter of the model provider ended this reply. Rephrase the message"
        " and try again."
    ),
    "garbled": _("The model provider's answer could not be read. Please try again."),
    "interrupted": _(
        "The reply was interrupted before its end. The part that arrived has been kept;"
        " please try again."
    ),
}
STOPPED = _("You stopped this reply.")
NO_STOP = _("The reply could not be stopped. Please try again.")
CHANGED_SINCE = _(
    "The notes have been changed since, so this cannot be undone here. You can edit"
    " them on the person's page."
)


def about_reply(status: str, error: str) -> Promise | str:
    """The sentence below an incomplete reply; else empty."""
    if status == "stopped":
        return STOPPED
    if status == "interrupted":
        return FAILED["interrupted"]
    if status == "failed":
        return FAILED.get(error, UNKNOWN_FAILURE)
    return ""
