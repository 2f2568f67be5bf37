from django.utils.translation import gettext as _

from people.models import Person


def quick_questions(person: Person | None) -> list[str]:
    """Three questions in the language of the page."""
    if person is None:
        return [
            _("What can you help me with?"),
            _("What do you know about me?"),
            _("What should I tell you about my health?"),
        ]
    return [
        _("How am I doing overall?"),
        _("What should I watch out for?"),
        _third(person),
    ]


def _third(person: Person) -> str:
    if person.medications and person.supplements:
        return _("Any interactions between my supplements and medications?")
    if person.health_notes:
        return _("What should I monitor given my health history?")
    return _("What should I pay attention to?")
