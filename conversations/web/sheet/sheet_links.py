"""Links to a sheet: made, opened with a code, and ended.

Ten wrong codes end a link, so that of a million codes ten can be tried.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from conversations.models import SheetLink
from people.models import Person, Space, User
from people.models.token import hash_token, new_token

WRONG_CODES = 10


@dataclass(frozen=True, slots=True)
class NewLink:
    """What is shown once."""

    token: str
    code: str
    link: SheetLink


def create_link(
    user: User,
    space: Space,
    person: Person | None,
    items: Mapping[str, str],
    questions: str,
    lifetime: timedelta,
) -> NewLink:
    token, code = new_token(), f"{secrets.randbelow(10**6):06}"
    link = SheetLink.objects.create(
        user=user,
        space=space,
        person=person,
        items=dict(items),
        questions=questions,
        token_hash=hash_token(token),
        code_hash=hash_token(token + code),
        expires_at=timezone.now() + lifetime,
    )
    return NewLink(token, code, link)


def find_link(token: str) -> SheetLink | None:
    found = SheetLink.objects.open().filter(token_hash=hash_token(token))
    return found.select_related("user", "space", "person").first()


@transaction.atomic
def try_code(link: SheetLink, token: str, code: str, address: str) -> bool:
    """Whether the code is right, which is recorded; the last wrong one ends the link.

    The row is locked, so that codes tried at once are counted one by one.
    """
    locked = SheetLink.objects.select_for_update().filter(ended_at=None, pk=link.pk)
    if (row := locked.first()) is None:
        return False
    right = secrets.compare_digest(row.code_hash, hash_token(token + code))
    row.openings.create(right=right, address=address)
    if not right and row.openings.filter(right=False).count() >= WRONG_CODES:
        end_link(row)
    return right


def end_link(link: SheetLink) -> None:
    link.ended_at = link.ended_at or timezone.now()
    link.save(update_fields=["ended_at"])
