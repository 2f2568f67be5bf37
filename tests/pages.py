"""Tables of docs/ that follow from code, between two markers.

`python -m tests.pages` writes them (`make docs`). With `--check` it names the pages that
are out of date, and exits with 1 if there is one.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import django

ROOT = Path(__file__).resolve().parent.parent
MARKED = re.compile(
    r"(?P<begin><!-- table of (?P<name>\w+), by `make docs` -->\n).*?(?P<end><!-- end -->)",
    re.DOTALL,
)


def variables() -> Iterator[str]:
    """The environment, section by section."""
    from meddie import environment  # noqa: F401, PLC0415 -- it declares them
    from meddie.variables import SECTIONS  # noqa: PLC0415

    for section in SECTIONS:
        rows = [
            (f"`{one.name}`", quoted(one.default), one.text)
            for one in section.variables
        ]
        yield f"### {section.title}\n\n"
        yield f"{table(('variable', 'default', 'meaning'), rows)}\n"


def policies() -> Iterator[str]:
    """The columns of a space's memory policy, as the admin shows them."""
    from memory.models import MemoryPolicy  # noqa: PLC0415

    rows = []
    for field in MemoryPolicy._meta.fields:
        if field.name not in {"id", "space"}:
            values = [meant(value, str(label)) for value, label in field.choices or ()]
            about = [str(field.help_text).rstrip("."), *values]
            text = "; ".join(filter(None, about))
            default = quoted(field.default if field.has_default() else "")
            rows.append((f"`{field.name}`", str(field.verbose_name), default, text))
    yield table(("field", "in the admin", "default", "meaning"), rows)


def meant(value: str, label: str) -> str:
    rest = label.removeprefix(value.replace("_", " ")).removeprefix(", ")
    return f"`{value}` {rest}".strip()


def metrics() -> Iterator[str]:
    from conversations import metrics  # noqa: F401, PLC0415 -- they declare themselves
    from meddie.metrics_format import GAUGES  # noqa: PLC0415

    rows = [(f"`{one.name}`", one.text, ", ".join(one.labels)) for one in GAUGES]
    yield table(("name", "what", "labels"), rows)


def reasons() -> Iterator[str]:
    from memory.reasons import Reason  # noqa: PLC0415

    rows = [(f"`{one.value}`", str(one.label)) for one in Reason]
    yield table(("reason", "sentence"), rows)


def commands() -> Iterator[str]:
    """Meddie's own commands of manage.py, with the arguments that Django's lack."""
    from django.core.management import get_commands, load_command_class  # noqa: PLC0415

    rows = []
    for name, app in sorted(get_commands().items()):
        if (ROOT / str(app).replace(".", "/")).is_dir():
            command = load_command_class(app, name)
            own = list(arguments(command.create_parser("manage.py", name)))
            rows.append(
                (f"`{' '.join([name, *own])}`", re.split(r"[.:] |\.$", command.help)[0])
            )
    yield table(("command", "what it does"), rows)


def arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    from django.core.management.base import BaseCommand  # noqa: PLC0415

    inherited = {one.dest for one in BaseCommand().create_parser("", "")._actions}
    for one in parser._actions:
        if one.dest in inherited:
            continue
        value = str(one.metavar or one.dest.upper())
        values = f"{{{','.join(one.choices)}}}" if one.choices else value
        name = one.option_strings[-1] if one.option_strings else ""
        text = " ".join(filter(None, [name, "" if one.nargs == 0 else values]))
        yield text if one.required else f"[{text}]"


def routes() -> Iterator[str]:
    """The addresses below /api/, from their schema."""
    rows = []
    for one in reference()["routes"]:
        taken = [part["name"] for part in one["parameters"] if part["where"] != "path"]
        taken += [one["body"]] if one["body"] else []
        names = ", ".join(f"`{name}`" for name in taken)
        rows.append((f"`{one['method']} {one['path']}`", names, one["summary"]))
    yield table(("route", "takes", "what it does"), rows)


def fields() -> Iterator[str]:
    """The objects that these addresses take."""
    found = reference()
    sent = {one["body"] for one in found["routes"]}
    listed = [one for one in found["objects"] if one["name"] in sent]
    parts = {field["type"] for one in listed for field in one["fields"]}
    sent |= {part.removeprefix("list of ") for part in parts}
    yield table(
        ("object", "field", "type", "meaning"),
        [
            (
                f"`{one['name']}`",
                f"`{field['name']}`",
                field["type"],
                field["description"],
            )
            for one in found["objects"]
            if one["name"] in sent
            for field in one["fields"]
        ],
    )


def reference() -> dict[str, Any]:
    from conversations.api.document import PREFIX, openapi_document  # noqa: PLC0415
    from conversations.api.memories.reference import read_reference  # noqa: PLC0415

    return read_reference(openapi_document(), PREFIX)


def quoted(value: object) -> str:
    """A default as one writes it into `.env`."""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, list):
        return quoted(",".join(value))
    return "" if value in {"", None} else f"`{value}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = (f"| {' | '.join(row)} |\n" for row in (head, *rows))
    return "".join([first, f"|{'---|' * len(head)}\n", *others]).replace("|  |", "| |")


def languages() -> Iterator[str]:
    """What Meddie knows of each language."""
    from conversations.emergencies import NOTE_TEXTS  # noqa: PLC0415
    from meddie.languages import LANGUAGES  # noqa: PLC0415
    from memory.wording.lexicon import FORGETTING, STOP_WORDS  # noqa: PLC0415

    rows = [
        (
            f"{language.name} (`{language.code}`)",
            *(
                "yes" if known else ""
                for known in (
                    language.interface,
                    language.is_answered,
                    language.code in NOTE_TEXTS,
                    language.code in STOP_WORDS,
                    language.code in FORGETTING,
                    language.has_values,
                    language.has_past,
                    language.picture,
                )
            ),
        )
        for language in LANGUAGES
    ]
    yield table(
        (
            *("language", "interface", "stand-in", "emergencies", "stop words"),
            *("wishes", "units and numbers", "past times", "text in pictures"),
        ),
        rows,
    )


TABLES = {
    "languages": languages,
    "variables": variables,
    "policies": policies,
    "metrics": metrics,
    "reasons": reasons,
    "commands": commands,
    "routes": routes,
    "fields": fields,
}


def rendered(page: str) -> str:
    """A page with its tables as they follow from the code now."""
    return MARKED.sub(
        lambda found: (
            f"{found['begin']}\n{''.join(TABLES[found['name']]()).strip()}\n\n{found['end']}"
        ),
        page,
    )


def main(arguments: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")
    django.setup()
    status = 0
    for path in sorted((ROOT / "docs").glob("*.md")):
        page = path.read_text()
        if (now := rendered(page)) == page:
            continue
        if "--check" in arguments:
            sys.stderr.write(f"{path.relative_to(ROOT)}: run `make docs`.\n")
            status = 1
        else:
            path.write_text(now)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
