"""What the page of a new conversation suggests."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.models import Person, User

FIRST_STEPS = {
    gettext_lazy("I'm allergic to ibuprofen"): gettext_lazy("May I take Nurofen?"),
    gettext_lazy("My mother has type 2 diabetes"): gettext_lazy(
        "Which illnesses run in my family?"
    ),
    gettext_lazy("I no longer eat meat"): gettext_lazy("What could I eat for dinner?"),
}
"""What newcomers may tell, and the question that this answers in a new conversation."""


def first_steps(said: Collection[str]) -> list[str]:
    """What to tell, or to ask where it was told; empty if all was said."""
    steps = ((str(tell), str(ask)) for tell, ask in FIRST_STEPS.items())
    return [ask if tell in said else tell for tell, ask in steps if ask not in said]


def question_after(told: str) -> str:
    """The question that a first step prepares; empty for other messages."""
    steps = {str(tell): str(ask) for tell, ask in FIRST_STEPS.items()}
    return steps.get(told, "")


def quick_questions(person: Person | None, user: User) -> list[str]:
    """Three questions in the language of the page; others than the user are named."""
    if person is None:
        return [
            _("What can you help me with?"),
            _("What do you know about me?"),
            _("What should I tell you about my health?"),
        ]
    if person.medications and person.supplements:
        third = _("Any interactions between my supplements and medications?")
        third_about = _(
            "Any interactions between %(name)s's supplements and medications?"
        )
    elif person.health_notes:
        third = _("What should I monitor given my health history?")
        third_about = _("What should %(name)s monitor, given their health history?")
    else:
        third = _("What should I pay attention to?")
        third_about = _("What should %(name)s pay attention to?")
    if person.user_id == user.pk:
        return [
            _("How am I doing overall?"),
            _("What should I watch out for?"),
            third,
        ]
    named = (
        _("How is %(name)s doing overall?"),
        _("What should %(name)s watch out for?"),
        third_about,
    )
    return [question % {"name": person.name} for question in named]
