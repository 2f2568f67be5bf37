"""Deleted people, who can be restored for 30 days.

Their conversations lose them at once, and keep their key to have them back.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from people.models import Person


@transaction.atomic
def delete_person(person: Person) -> None:
    """The row is locked first, as in a reply that changes notes."""
    for one in _locked(person).filter(deleted_at=None):
        one.deleted_at = timezone.now()
        one.save(update_fields=["deleted_at"])
        one.conversations.update(person=None, person_removed=True, removed_person=one)


@transaction.atomic
def restore_person(person: Person) -> None:
    """Without the linked account, if another person of the space has it now."""
    person.space.lock()
    for one in _locked(person).filter(deleted_at__isnull=False):
        others = Person.objects.in_space(one.space_id)
        if others.filter(user=one.user_id, user__isnull=False).exists():
            one.user = None
        one.deleted_at = None
        one.save(update_fields=["deleted_at", "user"])
        one.former_conversations.update(
            person=one, person_removed=False, removed_person=None
        )


def _locked(person: Person) -> QuerySet[Person]:
    return Person.objects.select_for_update(of=("self",)).filter(pk=person.pk)
