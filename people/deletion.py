"""Deleting spaces and accounts, with all that hangs on them, while people go on writing.

Django looks for what hangs on a row before it deletes any of it. A message that is
stored in between would fail the whole at its end; so the constraints are asked before
that, and if they object, all of it begins anew.
"""

from collections.abc import Callable, Collection
from functools import wraps
from typing import ParamSpec
from uuid import UUID

from django.db import IntegrityError, OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected, ForeignKeyViolation

from people.models import Space

P = ParamSpec("P")

ATTEMPTS = 5
IN_BETWEEN = (ForeignKeyViolation, DeadlockDetected)


class BotConnected(Exception):
    """A bot answers for the space. Nobody could tell Telegram afterwards, and it would
    go on sending what people write."""

    def __init__(self, space: Space) -> None:
        super().__init__(space.pk)
        self.space = space


def undisturbed(delete: Callable[P, None]) -> Callable[P, None]:
    """Delete in one transaction, however long that takes, and anew if somebody has
    written something in between."""

    @wraps(delete)
    def inner(*args: P.args, **kwargs: P.kwargs) -> None:
        for left in reversed(range(ATTEMPTS)):
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


@undisturbed
def delete_spaces(keys: Collection[UUID]) -> None:
    """Delete spaces with all that is in them; raises BotConnected, and then none."""
    # Whoever is about to add something waits, and then finds no space.
    list(Space.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    served = Space.objects.filter(pk__in=keys, telegram_bot__isnull=False).first()
    if served is not None:
        raise BotConnected(served)
    Space.objects.filter(pk__in=keys).delete()
