"""What was forgotten and who was deleted, as keys and hashes in a file.

A back-up made before has it still. After a restore the file tells what to forget again.
Texts are not in it.
"""

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, cast
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef

from memory.copies import erase_copies_of
from memory.facts import retraction
from memory.models import Memory, ProfileFact
from people.deletion import BotConnected, delete_spaces
from people.members import LastAdmin, delete_accounts, remove_member
from people.models import DeletedUser, Erasure, Space, User
from people.scope import retraction_scope

Kind = Literal["user", "space", "membership", "content", "memory", "profile"]


@dataclass(frozen=True, slots=True)
class Tombstone:
    """`digest` is a fact's hash, or that of a profile fact's key.

    Lore and spaces have no user.
    """

    kind: Kind
    user: str
    space: str = ""
    digest: str = ""
    at: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        return (self.kind, self.user, self.space, self.digest)


def save_tombstones(file: Path) -> int:
    """Add those of the database to the file; return how many it has."""
    known = {stone.key: stone for stone in (*_read(file), *_stored())}
    draft = file.with_name(f"{file.name}.part")
    draft.unlink(missing_ok=True)
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as lines:
        lines.writelines(f"{json.dumps(asdict(stone))}\n" for stone in known.values())
    draft.rename(file)
    return len(known)


def apply_tombstones(file: Path) -> Counter[str]:
    """Forget again what the file names; return how much by kind.

    "refused" counts what would leave a space without an admin, or has a bot.
    """
    done: Counter[str] = Counter()
    stones = list(_read(file))
    deleted = [stone.user for stone in stones if stone.kind == "user"]
    done.update(map(_delete_again, User.objects.filter(pk__in=deleted)))
    done.update(filter(None, map(_erase_again, stones)))
    for stone in stones:
        if stone.kind == "memory":
            done["memory"] += _forget_again(stone)
    done["profile"] += _forget_profile_again(
        {stone.key: stone for stone in stones if stone.kind == "profile"}
    )
    return done


def _read(file: Path) -> Iterator[Tombstone]:
    if file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            yield Tombstone(**json.loads(line))


def _stored() -> Iterator[Tombstone]:
    for pk in DeletedUser.objects.values_list("pk", flat=True):
        yield Tombstone("user", str(pk))
    for erasure in Erasure.objects.order_by("at").iterator():
        kind = cast("Kind", erasure.kind)
        yield _stone(kind, erasure.user, erasure.space, "", erasure.at)
    retracted = Memory.objects.all().retracted().filter(space__isnull=False)
    rows = retracted.values_list("user", "space", "content_hash", "retired_at")
    for user, space, digest, at in rows.iterator():
        yield _stone("memory", user, space, digest, at)
    active = ProfileFact.objects.active().filter(
        user=OuterRef("user"),
        space=OuterRef("space"),
        category=OuterRef("category"),
        key=OuterRef("key"),
    )
    for fact in ProfileFact.objects.retracted().exclude(Exists(active)).iterator():
        yield _stone(
            "profile", fact.user_id, fact.space_id, fact.digest, fact.retired_at
        )


def _stone(
    kind: Kind, user: UUID | None, space: UUID | None, digest: str, at: datetime | None
) -> Tombstone:
    when = at.isoformat() if at else ""
    return Tombstone(kind, str(user or ""), str(space), digest, when)


def _delete_again(user: User) -> str:
    try:
        delete_accounts([user])
    except LastAdmin:
        return "refused"
    return "user"


def _erase_again(stone: Tombstone) -> str:
    """Its kind if something was deleted."""
    space = Space.objects.filter(pk=stone.space).first() if stone.space else None
    if space is None:
        return ""
    try:
        if stone.kind == "space":
            delete_spaces([space.pk])
            return stone.kind
        if stone.kind == "membership":
            return _remove_again(stone, space)
    except (BotConnected, LastAdmin):
        return "refused"
    return _erase_content_again(stone, space) if stone.kind == "content" else ""


def _remove_again(stone: Tombstone, space: Space) -> str:
    """Who came back later stays."""
    members = space.memberships.filter(user=UUID(stone.user))
    ended = members.filter(created_at__lte=stone.at).first()
    if ended is None:
        return ""
    remove_member(ended)
    return stone.kind


def _erase_content_again(stone: Tombstone, space: Space) -> str:
    """Not in a back-up that was made afterwards, which has the erasure's row."""
    user = User.objects.filter(pk=stone.user).first()
    erased = Erasure.objects.filter(kind=Erasure.Kind.CONTENT, space=space.pk)
    known = erased.filter(user=UUID(stone.user), at__gte=stone.at)
    if user is None or known.exists():
        return ""
    erase_copies_of(user, space)
    return stone.kind


@transaction.atomic
def _forget_again(stone: Tombstone) -> int:
    """Erase the fact, or leave the hash alone so that it cannot be learnt again."""
    user, space = UUID(stone.user) if stone.user else None, UUID(stone.space)
    at = datetime.fromisoformat(stone.at)
    rows = Memory.objects.filter(user=user, space=space, content_hash=stone.digest)
    memory = rows.defer("embedding", "near").first()
    if memory is None:
        _bury(stone, at)
        return 0
    if memory.is_retracted or memory.stated_at > at:
        return 0
    scope = retraction.owner_scope(memory)
    if scope is None:
        memory.retire(Memory.RetiredReason.RETRACTED)
        Memory.objects.filter(pk=memory.pk).blank()
    else:
        retraction.erase(scope, [memory.pk])
    return 1


def _has_owner(stone: Tombstone) -> bool:
    owner = not stone.user or User.objects.filter(pk=stone.user).exists()
    return owner and Space.objects.filter(pk=stone.space).exists()


def _bury(stone: Tombstone, at: datetime) -> None:
    if not _has_owner(stone):
        return
    Memory.objects.create(
        user_id=stone.user or None,
        space_id=stone.space,
        audience=Memory.Audience.PRIVATE if stone.user else Memory.Audience.SPACE,
        content_hash=stone.digest,
        stated_at=at,
        active=False,
        retired_reason=Memory.RetiredReason.RETRACTED,
        retired_at=at,
    )


def _forget_profile_again(stones: dict[tuple[str, ...], Tombstone]) -> int:
    count = 0
    owners = {(stone.user, stone.space) for stone in stones.values()}
    for user, space in owners:
        scope = retraction_scope(UUID(user), UUID(space))
        own = ProfileFact.objects.owned_by(scope)
        for fact in own.active():
            stone = stones.get(("profile", user, space, fact.digest))
            if stone and fact.stated_at <= datetime.fromisoformat(stone.at):
                retraction.erase(scope, [fact.pk])
                count += 1
        known = {fact.digest for fact in own.active() | own.retracted()}
        for stone in stones.values():
            if (stone.user, stone.space) == (user, space):
                _bury_profile(stone, known)
    return count


def _bury_profile(stone: Tombstone, known: Collection[str]) -> None:
    """Leave the digest alone so that the value cannot be learnt again."""
    if stone.digest not in known and _has_owner(stone):
        ProfileFact.objects.create(
            user_id=UUID(stone.user),
            space_id=UUID(stone.space),
            category=ProfileFact.Category.IDENTITY,
            key=stone.digest,
            value="",
            stated_at=datetime.fromisoformat(stone.at),
            active=False,
            retired_reason=Memory.RetiredReason.RETRACTED,
            retired_at=datetime.fromisoformat(stone.at),
        )
