"""The order of the people in a space."""

from django.db import transaction
from django.db.models import Max

from people.models import Person


@transaction.atomic
def add_last(person: Person) -> Person:
    person.space.lock()
    last = person.space.people.aggregate(last=Max("position"))["last"]
    person.position = 0 if last is None else last + 1
    person.save()
    return person


@transaction.atomic
def move(person: Person, *, up: bool) -> None:
    """Swap with the neighbour; at the ends, do nothing."""
    person.space.lock()
    order = list(Person.objects.in_space(person.space_id))
    here = order.index(person)
    there = here - 1 if up else here + 1
    if not 0 <= there < len(order):
        return
    order[here], order[there] = order[there], order[here]
    for position, one in enumerate(order):
        one.position = position
    Person.objects.bulk_update(order, ["position"])
