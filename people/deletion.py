"""Deletion of spaces and accounts while others write into them.

First a committed mark refuses further writers. Then the rows go, after the writers that
had begun. A task finishes the deletions of killed processes.
"""

from collections.abc import Callable, Collection
from functools import partial, wraps
from typing import ParamSpec
from uuid import UUID

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Q, QuerySet

from meddie import dispatch
from meddie.admin_log import remove_deleted_names
from meddie.outages import is_deadlock, refers_to_deleted
from people.models import (
    DeletedUser,
    Erasure,
    Invitation,
    Membership,
    Person,
    Space,
    User,
)

P = ParamSpec("P")


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
                in_between = is_deadlock(error) or refers_to_deleted(error)
                if not left or not in_between:
                    raise

    return inner


@transaction.atomic
def delete_spaces(keys: Collection[UUID]) -> None:
    """Delete all, or none if one has a bot. Raises BotConnected."""
    close_spaces(keys)
    transaction.on_commit(partial(finish_deletion, keys, ()))


def close_spaces(keys: Collection[UUID]) -> None:
    """Let no one write into them any more. In a transaction. Raises BotConnected."""
    spaces = Space.objects.filter(pk__in=keys).order_by("pk")
    found = [space.pk for space in spaces.select_for_update(no_key=True)]
    if served := spaces.filter(telegram_bot__isnull=False).first():
        raise BotConnected(served)
    marked = Erasure.objects.filter(kind=Erasure.Kind.SPACE, space__in=found)
    new = set(found) - set(marked.values_list("space", flat=True))
    Erasure.objects.bulk_create(
        Erasure(kind=Erasure.Kind.SPACE, space=key) for key in new
    )
    close_users(User.objects.filter(external__space__in=found))
    Membership.objects.filter(space__in=found).delete()


def close_users(users: QuerySet[User]) -> None:
    """Note their keys, and refuse their sessions and API keys. In a transaction."""
    gone = [DeletedUser(pk=key) for key in users.values_list("pk", flat=True)]
    DeletedUser.objects.bulk_create(gone, ignore_conflicts=True)
    User.objects.filter(pk__in=[fact.pk for fact in gone]).update(is_active=False)


@retry_on_conflict
def finish_deletion(spaces: Collection[UUID], users: Collection[UUID]) -> None:
    """Delete closed spaces, and closed users and their traces.

    Threads are locked before spaces and users, as by writers, which end first.
    """
    going = User.objects.filter(Q(pk__in=users) | Q(external__space__in=spaces))
    addresses = dict(going.values_list("pk", "email"))
    threads = apps.get_model("conversations", "Thread").objects.filter(
        Q(space__in=spaces) | Q(user__in=addresses)
    )
    of_users = User.objects.filter(pk__in=addresses)
    of_spaces = Space.objects.filter(pk__in=spaces)
    for rows in (threads, of_spaces, of_users):
        list(rows.select_for_update().order_by("pk").values_list("pk"))
    close_users(going)  # those that were added meanwhile, too
    Person.objects.deleted().filter(user__in=addresses).erase()
    Erasure.objects.filter(user__in=addresses).delete()
    of_users.delete()
    of_spaces.delete()
    Invitation.objects.filter(email__in=addresses.values()).delete()
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(username__in=addresses.values()).delete()
    remove_deleted_names()
    announce_departure()


def finish_deletions() -> None:
    """Finish those of killed processes."""
    erased = Erasure.objects.filter(kind=Erasure.Kind.SPACE).values("space")
    spaces = list(Space.objects.filter(pk__in=erased).values_list("pk", flat=True))
    gone = DeletedUser.objects.values("pk")
    users = list(User.objects.filter(pk__in=gone).values_list("pk", flat=True))
    if spaces or users:
        finish_deletion(spaces, users)


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
