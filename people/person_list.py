"""The people of a space: their order, and those who are deleted.

Deleted people can be restored for 30 days. Their conversations lose them at once, and
keep their key to have them back.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from people.models import Person, User


def lacks(people: Iterable[Person], user: User) -> bool:
    return all(person.user_id != user.pk for person in people)


@transaction.atomic
def delete_person(person: Person) -> None:
    """The row is locked first, as in a reply that changes notes."""
    for row in _locked(person).filter(deleted_at=None):
        row.deleted_at = timezone.now()
        row.save(update_fields=["deleted_at"])
        row.conversations.update(person=None, person_removed=True, removed_person=row)


@transaction.atomic
def restore_person(person: Person) -> None:
    """Without the linked account, if another person of the space has it now."""
    person.space.lock()
    for row in _locked(person).filter(deleted_at__isnull=False):
        others = Person.objects.in_space(row.space_id)
        if others.filter(user=row.user_id, user__isnull=False).exists():
            row.user = None
        row.deleted_at = None
        row.save(update_fields=["deleted_at", "user"])
        row.former_conversations.update(
            person=row, person_removed=False, removed_person=None
        )


def _locked(person: Person) -> QuerySet[Person]:
    return Person.objects.select_for_update(of=("self",)).filter(pk=person.pk)


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
    for position, row in enumerate(order):
        row.position = position
    Person.objects.bulk_update(order, ["position"])
