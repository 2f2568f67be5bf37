"""Deletion of spaces and accounts while others write into them."""

from collections.abc import Callable, Collection
from functools import partial, wraps
from typing import ParamSpec
from uuid import UUID

from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet
from psycopg.errors import DeadlockDetected, ForeignKeyViolation

from meddie import dispatch
from meddie.admin_log import remove_deleted_names
from people.models import DeletedUser, Erasure, Person, Space, User

P = ParamSpec("P")

IN_BETWEEN = (ForeignKeyViolation, DeadlockDetected)


class BotConnected(Exception):
    """The space has a bot, which would keep forwarding messages."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.pk)
        self.space = space


def retry_on_conflict(delete: Callable[P, None]) -> Callable[P, None]:
    """Check the constraints before the commit, and retry after conflicting writes."""

    @wraps(delete)
    def inner(*args: P.args, **kwargs: P.kwargs) -> None:
        for left in reversed(range(5)):
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute("SET LOCAL statement_timeout = 0")
                    delete(*args, **kwargs)
                    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
                    return
            except (IntegrityError, OperationalError) as error:
                if not left or not isinstance(error.__cause__, IN_BETWEEN):
                    raise

    return inner


@retry_on_conflict
def delete_spaces(keys: Collection[UUID]) -> None:
    """Delete all, or none if one has a bot. Raises BotConnected."""
    # A transaction that is about to insert waits, and then finds no space.
    list(Space.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    served = Space.objects.filter(pk__in=keys, telegram_bot__isnull=False).first()
    if served is not None:
        raise BotConnected(served)
    delete_users(User.objects.filter(external__space__in=keys))
    gone = Space.objects.filter(pk__in=keys)
    Erasure.objects.bulk_create(
        Erasure(kind=Erasure.Kind.SPACE, space=key)
        for key in gone.values_list("pk", flat=True)
    )
    gone.delete()
    remove_deleted_names()
    announce_departure()


def delete_users(users: QuerySet[User]) -> None:
    """Delete users, and note their keys. In a transaction."""
    Person.objects.deleted().filter(user__in=users).erase()
    gone = [DeletedUser(pk=key) for key in users.values_list("pk", flat=True)]
    DeletedUser.objects.bulk_create(gone, ignore_conflicts=True)
    Erasure.objects.filter(user__in=[one.pk for one in gone]).delete()
    users.delete()


def announce_deletion() -> None:
    """Have copies in Redis and files deleted now; the next sweep would find them."""
    _enqueue("conversations.sweep_replies", "conversations.remove_files")
    _enqueue("memory.write_journals")


def announce_departure() -> None:
    """Have what snapshots say of users or spaces deleted, too."""
    announce_deletion()
    _enqueue("memory.refresh_snapshots")


def _enqueue(*tasks: str) -> None:
    for task in tasks:
        transaction.on_commit(partial(dispatch.enqueue, task))
