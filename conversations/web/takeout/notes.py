"""Notes of the person that is linked to a user, with their history."""

from collections.abc import Iterator
from typing import Any

from django.utils.formats import localize
from django.utils.text import capfirst

from conversations.web.takeout.archive import Archive, dump
from meddie.text import markdown_escaped
from people.models import Person, ProfileUpdate

NOTES = ("health_notes", "supplements", "medications")
DETAILS = ("name", "sex", "date_of_birth", "height_cm", "weight_kg")


def write_notes(archive: Archive, folder: str, person: Person) -> None:
    data = {name: getattr(person, name) for name in (*DETAILS, *NOTES)}
    changes = map(_change, person.profile_updates.order_by("created_at"))
    data |= {"changed": person.updated_at, "changes": list(changes)}
    archive.add_text(f"{folder}/notes.json", [dump(data), "\n"])
    archive.add_text(f"{folder}/notes.md", _markdown(person))


def _change(update: ProfileUpdate) -> dict[str, Any]:
    """With the lines of an edit by hand, which has no text of its own."""
    told = {
        "field": update.field,
        "action": update.action,
        "text": update.text,
        "created_at": update.created_at,
        "reverted_at": update.reverted_at,
    }
    if update.action == ProfileUpdate.Action.EDIT:
        told["lines_added"] = update.lines_added()
        told["lines_removed"] = update.lines_removed()
    return told


def _markdown(person: Person) -> Iterator[str]:
    yield f"# {markdown_escaped(person.name)}\n\n"
    fields = {field.name: field for field in Person._meta.fields}  # noqa: SLF001 -- Django documents it
    for name in DETAILS[1:]:
        value = getattr(person, name)
        if value not in {None, ""}:
            told = person.get_sex_display() if name == "sex" else localize(value)
            yield f"- {capfirst(fields[name].verbose_name)}: {told}\n"
    for name in NOTES:
        if text := getattr(person, name):
            yield f"\n## {capfirst(fields[name].verbose_name)}\n\n{text}\n"
