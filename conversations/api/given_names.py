"""Names that programs give: one type at every door, so that two never become one."""

from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

from meddie.text import plain_name
from people.external_users import ID_LIMIT


def _plain(name: object) -> object:
    return plain_name(name) if isinstance(name, str) else name


# A number, a list or a truth value is no name.
IsName = BeforeValidator(_plain)
Name = Annotated[str, StringConstraints(min_length=1, max_length=ID_LIMIT), IsName]
NameOrNone = Annotated[str, StringConstraints(max_length=ID_LIMIT), IsName] | None
