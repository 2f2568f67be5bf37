"""Where rows of users could be spread over machines, and what is in the way.

A distributed PostgreSQL (Citus) needs `user_id`, by which it spreads the rows, in each
unique constraint of a table. docs/growth.md says how far one server goes.
"""

from django.apps import apps
from django.db.models import Model, UniqueConstraint

BEFORE_USER = "it is found before its user is known: stays whole on each machine"
OF_SPACE = "of a space or for all: a reference table"
OF_ONE_ROW = "its first field names a row of one user: would get a copy of its user"
LACKING = {
    "conversations_message": OF_ONE_ROW,
    "conversations_memoryreference": OF_ONE_ROW,
    "conversations_outdatedanswer": OF_ONE_ROW,
    "conversations_episode": OF_ONE_ROW,
    "conversations_summary": OF_ONE_ROW,
    "conversations_summaryjob": OF_ONE_ROW,
    "conversations_derivationjob": OF_ONE_ROW,
    "attachment_texts": OF_ONE_ROW,
    "memory_memorystatement": OF_ONE_ROW,
    "memory_capturejob": OF_ONE_ROW,
    "telegram_telegramnotice": OF_ONE_ROW,
    "telegram_telegrampart": OF_ONE_ROW,
    "conversations_thread": "a chat of a channel, found by its address: as before its user",
    "telegram_telegramupdate": BEFORE_USER,
    "telegram_telegramlink": BEFORE_USER,
    "telegram_telegramlinkcode": BEFORE_USER,
    "people_apikey": BEFORE_USER,
    "people_emailchange": BEFORE_USER,
    "people_externaluser": BEFORE_USER,
    "people_invitation": BEFORE_USER,
    "people_user": BEFORE_USER,
    "people_accesstoken": BEFORE_USER,
    "people_refreshtoken": BEFORE_USER,
    "people_program": BEFORE_USER,
    "people_programcode": BEFORE_USER,
    "conversations_sheetlink": BEFORE_USER,
    "oauth2_provider_devicegrant": BEFORE_USER,
    "oauth2_provider_idtoken": BEFORE_USER,
    "django_content_type": OF_SPACE,
    "auth_group": OF_SPACE,
    "axes_accessattempt": BEFORE_USER,
    "auth_permission": OF_SPACE,
    "conversations_chatmodel": OF_SPACE,
    "memory_calibrationjob": OF_SPACE,
    "memory_journalfile": OF_SPACE,
    "memory_memorypolicy": OF_SPACE,
    "telegram_telegrambot": OF_SPACE,
}


def unique_columns(model: type[Model]) -> list[set[str]]:
    """Of each unique constraint but the primary key; of an expression none."""
    meta = model._meta
    constraints = [
        set(one.fields) for one in meta.constraints if isinstance(one, UniqueConstraint)
    ]
    constraints += [set(names) for names in meta.unique_together]
    return constraints + [
        {field.name}
        for field in meta.local_fields
        if field.unique and not field.primary_key
    ]


def test_each_unique_constraint_has_its_user_or_a_reason():
    models = [one for one in apps.get_models() if not one._meta.proxy]
    lacking = {
        one._meta.db_table
        for one in models
        if any("user" not in columns for columns in unique_columns(one))
    }
    assert lacking == LACKING.keys()
