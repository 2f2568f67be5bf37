"""What the memory page says of a model that reads for it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.user_texts import FAILED
from meddie.ai.client import Endpoint
from meddie.ai.provider import extraction_provider
from meddie.ai.slots import is_own
from memory import service
from memory.values import Tidying
from people.scope import Scope

FAILURES = {
    "wrong_key": FAILED["wrong_key"],
    "no_quota": FAILED["no_quota"],
    "daily_limit": gettext_lazy("The model’s requests of today are used up."),
}
NO_ANSWER = gettext_lazy("The model gives no answer at the moment.")


@dataclass(frozen=True, slots=True)
class TidyNote:
    """What the memory page says of it."""

    state: Tidying
    cost: str = ""
    failure: str = ""


def tidy_note(scope: Scope) -> TidyNote | None:
    """None where there is nothing to tell."""
    state = service.tidying_of(scope)
    if state is None:
        return None
    cost = reading_cost(state.calls) if state.kept else ""
    failure = str(FAILURES.get(state.error, NO_ANSWER)) if state.error else ""
    return TidyNote(state, cost, failure)


def reading_cost(count: int) -> str:
    """What it costs here to have messages read."""
    if not extraction_provider().connected:
        return _(
            "They are read here without a model, in a while, and it costs nothing."
        )
    if is_own(Endpoint.for_extraction().base_url):
        return _("Your own model reads them in a while, and it costs nothing.")
    text = ngettext(
        "Your provider’s model reads it in the background: one request, for which the"
        " provider may charge.",
        "Your provider’s model reads them in the background: %(count)d requests, for"
        " which the provider may charge.",
        count,
    )
    return text % {"count": count}
