"""Changes to a person's notes, by talking and by hand, and undo."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from people import person_text
from people.models import Person, ProfileUpdate, User
from people.models.person import FIELD_LIMIT

TEXT_LIMIT = 1_000
BY_TALKING = {ProfileUpdate.Action.APPEND, ProfileUpdate.Action.REMOVE}


@dataclass(frozen=True, slots=True)
class Proposed:
    field: str
    action: str
    text: str

    @property
    def removes(self) -> bool:
        return self.action == ProfileUpdate.Action.REMOVE

    @property
    def is_valid(self) -> bool:
        return (
            self.field in ProfileUpdate.Field.values
            and self.action in BY_TALKING
            and len(self.text) <= TEXT_LIMIT
            and _key(self.text) != ""
        )


@dataclass(frozen=True, slots=True)
class NotRemoved:
    """`reason` is "missing", "several" or "allergy"."""

    text: str
    reason: str


@dataclass(slots=True)
class Applied:
    updates: list[ProfileUpdate] = field(default_factory=list)
    not_removed: list[NotRemoved] = field(default_factory=list)


def apply_updates(
    scope_user_id: uuid.UUID | None,
    person_id: uuid.UUID,
    space_id: uuid.UUID,
    proposed: Sequence[Proposed],
    *,
    already: Collection[ProfileUpdate] = (),
) -> Applied:
    """Change notes in the caller's transaction; leave out invalid changes.

    `already` are not repeated. A user must be in the space; without a user, the caller
    vouches for the person.
    """
    person = _locked(scope_user_id, space_id, person_id)
    applied = Applied()
    if person is None:
        return applied
    done = {(update.field, update.action, _key(update.text)) for update in already}
    for change in proposed:
        key = (change.field, change.action, _key(change.text))
        if key in done or not change.is_valid:
            continue
        done.add(key)
        before: str = getattr(person, change.field)
        update = _change(person, change, scope_user_id)
        if update is not None:
            applied.updates.append(update)
        elif change.action == ProfileUpdate.Action.REMOVE:
            reason = person_text.why_not_removed(before, change.text)
            text = person_text.clean_line(change.text)
            applied.not_removed.append(NotRemoved(text, reason))
    return applied


def record_edits(person: Person, before: Mapping[str, str], author: User) -> None:
    """Store a change for each field of notes that was edited by hand."""
    ProfileUpdate.objects.bulk_create(
        ProfileUpdate(
            person=person,
            author=author,
            field=name,
            action=ProfileUpdate.Action.EDIT,
            previous_value=before[name],
            new_value=getattr(person, name),
        )
        for name in ProfileUpdate.Field.values
        if getattr(person, name) != before[name]
    )


def last_changes(person: Person) -> dict[str, ProfileUpdate]:
    """The newest change of each field that was not undone."""
    kept = person.profile_updates.filter(reverted_at=None).select_related("author")
    kept = kept.defer("text", "previous_value", "new_value")
    newest = kept.order_by("field", "-created_at", "-pk").distinct("field")
    return {update.field: update for update in newest}


@transaction.atomic
def undo_update(update: ProfileUpdate, by: User) -> bool:
    """Restore the field; False if it has changed since or was restored before."""
    person = _locked(by.pk, None, update.person_id)
    update.refresh_from_db(fields=["reverted_at"])
    if person is None:
        return False
    update.person = person
    if not update.can_be_undone:
        return False
    _write(person, update.field, update.previous_value)
    update.reverted_at = timezone.now()
    update.save(update_fields=["reverted_at"])
    return True


def _locked(
    user_id: uuid.UUID | None, space_id: uuid.UUID | None, person_id: uuid.UUID
) -> Person | None:
    people = Person.objects.select_for_update(of=("self",))
    people = people.filter(pk=person_id, deleted_at=None)
    if space_id is not None:
        people = people.filter(space_id=space_id)
    if user_id is not None:
        people = people.filter(space__memberships__user_id=user_id)
    return people.first()


def _key(text: str) -> str:
    return person_text.clean_line(text).casefold()


def _change(
    person: Person, one: Proposed, author_id: uuid.UUID | None
) -> ProfileUpdate | None:
    before: str = getattr(person, one.field)
    if one.action == ProfileUpdate.Action.APPEND:
        after = person_text.append_item(before, one.text)
    else:
        after = person_text.remove_item(before, one.text, today=timezone.localdate())
    if after == before or len(after) > FIELD_LIMIT:
        return None
    _write(person, one.field, after)
    return ProfileUpdate.objects.create(
        person=person,
        author_id=author_id,
        field=one.field,
        action=one.action,
        text=person_text.clean_line(one.text),
        previous_value=before,
        new_value=after,
    )


def _write(person: Person, field: str, value: str) -> None:
    setattr(person, field, value)
    person.save(update_fields=[field, "updated_at"])
