"""Columns that PostgreSQL computes, by a new expression."""

from collections.abc import Callable
from typing import Any


def rebuild_columns(label: str, *names: str) -> Callable[[Any, Any], None]:
    """Of the model in the state of a migration that is not atomic, for RunPython.

    The table is locked while it is written once more, not while its indexes on the
    columns are made.
    """

    def rebuild(apps: Any, editor: Any) -> None:
        model = apps.get_model(label)
        changes, values = [], []
        for name in names:
            field = model._meta.get_field(name)  # noqa: SLF001 -- Django documents it
            definition, bound = editor.column_sql(model, field)
            column = editor.quote_name(field.column)
            values += bound
            changes += [f"DROP COLUMN {column}", f"ADD COLUMN {column} {definition}"]
        table = editor.quote_name(model._meta.db_table)  # noqa: SLF001
        editor.execute(f"ALTER TABLE {table} {', '.join(changes)}", values)
        for index in model._meta.indexes:  # noqa: SLF001
            if not set(names).isdisjoint(index.fields):
                editor.add_index(model, index, concurrently=True)

    return rebuild
