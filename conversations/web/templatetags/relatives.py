"""Who may be a person of the space, for the person's page."""

from dataclasses import dataclass

from django import template
from django.template import Context

from conversations.channels import WEB
from conversations.fact_texts import subject_label
from memory import service
from people.access import PageRequest
from people.models import Person, Space
from people.scope import retraction_scope

register = template.Library()


@dataclass(frozen=True, slots=True)
class RelativeQuestion:
    """Whether a relative is the person; `text` names the relative in a form."""

    text: str
    label: str
    facts: int


@register.simple_tag(takes_context=True)
def relative_questions(context: Context, person: Person) -> list[RelativeQuestion]:
    """Of whom the viewer told and who may be the person."""
    request: PageRequest = context["request"]
    space = context.get("current_space")
    if not isinstance(space, Space) or not space.memory_page:
        return []
    if person.space_id != space.pk:
        return []
    scope = retraction_scope(request.user.pk, space.pk, channel=WEB.name)
    return [
        RelativeQuestion(
            relative.subject.text, subject_label(relative.subject), relative.facts
        )
        for relative in service.relatives_like(scope, person)
    ]


@register.simple_tag
def same_people(person: Person) -> list[Person]:
    """Who may be added twice: others of the space who have no account."""
    people = Person.objects.in_space(person.space_id).filter(user=None)
    return list(people.exclude(pk=person.pk))
