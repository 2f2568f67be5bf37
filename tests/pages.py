"""Tables of docs/ that follow from code, between two markers.

`python -m tests.pages` writes them (`make docs`). With `--check` it names the pages that
are out of date, and exits with 1 if there is one.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
MARKED = re.compile(
    r"(?P<begin><!-- table of (?P<name>\w+), by `make docs` -->\n).*?(?P<end><!-- end -->)",
    re.DOTALL,
)


def variables() -> Iterator[str]:
    """The environment, section by section."""
    from meddie.environment import SECTIONS  # noqa: PLC0415 -- Django first

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


TABLES = {
    "variables": variables,
    "policies": policies,
    "metrics": metrics,
    "reasons": reasons,
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
