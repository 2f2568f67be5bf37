"""Twelve everyday questions for which everything about a user's safety has to be known."""

from django.utils.translation import gettext_lazy as _

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
