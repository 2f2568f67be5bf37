"""Everyday questions for which all that concerns the safety of someone has to be known."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conversations.fact_texts import subject_label
from memory.subjects import Subject

QUESTIONS = (
    _("What can I take for a headache?"),
    _("I have a cold. Which medicine helps?"),
    _("We eat out tonight. What should I know?"),
    _("What can I cook for dinner?"),
    _("I see a new doctor tomorrow. What should I tell her?"),
    _("The dentist wants to give me an injection. Is that all right?"),
    _("I have to go to hospital for an examination. What must they know?"),
    _("My back hurts. What can I do?"),
    _("I can’t sleep. What can I take?"),
    _("May I drink a glass of wine?"),
    _("I fly to a hot country. What do I pack for my health?"),
    _("Is this supplement safe for me?"),
)
"""About the user."""
ABOUT_OTHERS = (
    _("%(name)s: what can I give for a headache?"),
    _("%(name)s: what should I know when we eat out?"),
    _("%(name)s: what must a hospital know?"),
    _("%(name)s: is this supplement safe?"),
)
"""About each of the user's people, numbered after those about the user."""


def questions_about(subject: Subject) -> dict[int, str]:
    """By number, in the active language."""
    if subject.is_user:
        return {number: str(text) for number, text in enumerate(QUESTIONS)}
    name = {"name": subject_label(subject)}
    return {
        number: str(text) % name
        for number, text in enumerate(ABOUT_OTHERS, start=len(QUESTIONS))
    }


def shown_question(number: int) -> str:
    """For staff, without whom it is about."""
    if number < len(QUESTIONS):
        return str(QUESTIONS[number])
    name = {"name": gettext("One of the user's people")}
    return str(ABOUT_OTHERS[number - len(QUESTIONS)]) % name
