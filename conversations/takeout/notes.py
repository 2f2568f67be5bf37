"""Notes of the person that is linked to a user, with their history."""

from collections.abc import Iterator
from typing import Any

from conversations.takeout.archive import Archive, dump
from meddie.text import markdown_escaped
from people.models import Person

NOTES = ("health_notes", "supplements", "medications")
DETAILS = ("name", "sex", "date_of_birth", "height_cm", "weight_kg")


def write_notes(archive: Archive, folder: str, person: Person) -> None:
    archive.add_text(f"{folder}/notes.json", [dump(_data(person)), "\n"])
    archive.add_text(f"{folder}/notes.md", _markdown(person))


def _data(person: Person) -> dict[str, Any]:
    changes = person.profile_updates.order_by("created_at").values(
        "field", "action", "text", "created_at", "reverted_at"
    )
    values = {name: getattr(person, name) for name in (*DETAILS, *NOTES)}
    return values | {"changed": person.updated_at, "changes": list(changes)}


def _markdown(person: Person) -> Iterator[str]:
    yield f"# {markdown_escaped(person.name)}\n\n"
    fields = {field.name: field for field in Person._meta.fields}  # noqa: SLF001 -- Django documents it
    for name in DETAILS[1:]:
        value = getattr(person, name)
        if value not in {None, ""}:
            yield f"- {fields[name].verbose_name}: {value}\n"
    for name in NOTES:
        if text := getattr(person, name):
            yield f"\n## {str(fields[name].verbose_name).capitalize()}\n\n{text}\n"
