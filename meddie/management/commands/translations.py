"""Translation catalogues, kept with Babel instead of GNU gettext."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation.template import templatize

from meddie.languages import ANSWERED

SOURCES = ("meddie", "people", "memory", "conversations", "templates")
ANSWERS = (
    "meddie/ai/offline",
    "conversations/reply/basis.py",
    "conversations/fact_texts.py",
)
"""What the stand-in says, also in languages without an interface."""
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


class Command(BaseCommand):
    help = "Bring locale/*.po up to date with the source, and compile them."

    def add_arguments(self, parser: CommandParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--check", action="store_true", help="only say what is missing"
        )
        how.add_argument(
            "--compile", action="store_true", help="only make the .mo files"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        for language in ANSWERED:
            if language == settings.LANGUAGE_CODE:
                continue
            sources = SOURCES if language in dict(settings.LANGUAGES) else ANSWERS
            path = root / "locale" / language / "LC_MESSAGES" / "django.po"
            catalogue = Catalog(locale=language, charset="utf-8", fuzzy=False)
            if path.exists():
                with path.open("rb") as file:
                    catalogue = read_po(file, locale=language)
            if not options["compile"]:
                stale = _update(catalogue, _extract(root, sources))
                if options["check"]:
                    self._refuse(path.relative_to(root), _complaints(catalogue, stale))
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("wb") as file:
                    write_po(
                        file, catalogue, width=88, sort_output=True, no_location=True
                    )
            with path.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)

    def _refuse(self, path: Path, complaints: list[str]) -> None:
        if complaints:
            listed = "\n".join(complaints)
            raise CommandError(f"{path} (`make translations` updates it):\n{listed}")


def _extract(root: Path, sources: Iterable[str]) -> Catalog:
    """All messages of the source, without line numbers, which change often."""
    found = Catalog()
    for source in sources:
        for path in sorted([root / source, *(root / source).rglob("*")]):
            if path.is_file() and path.suffix in {".py", ".html", ".txt"}:
                for message, comments, context in _messages(path):
                    found.add(message, context=context, auto_comments=comments)
    return found


def _messages(path: Path) -> Iterator[tuple[Any, list[str], str | None]]:
    text = path.read_text()
    if path.suffix != ".py":
        text = templatize(text, origin=str(path))
    for _line, message, comments, context in extract(
        "python",
        BytesIO(text.encode()),
        keywords=KEYWORDS,
        comment_tags=["Translators:"],
    ):
        yield message, comments, context


def _update(catalogue: Catalog, found: Catalog) -> list[str]:
    """Merge the source's messages; return those that it no longer has."""
    before = {(message.id, message.context) for message in catalogue if message.id}
    catalogue.update(found, no_fuzzy_matching=False)
    catalogue.obsolete.clear()
    now = {(message.id, message.context) for message in catalogue if message.id}
    return sorted(str(key[0]) for key in before - now)


def _complaints(catalogue: Catalog, stale: list[str]) -> list[str]:
    complaints = [f"  stale: {text!r}" for text in stale]
    for message in catalogue:
        if message.id:
            complaints += [f"  {what}: {message.id!r}" for what in _faults(message)]
    return complaints


def _faults(message: Message) -> list[str]:
    texts = message.string
    if not all(texts if isinstance(texts, tuple | list) else [texts]):
        return ["missing"]
    faults = ["fuzzy"] if message.fuzzy else []
    return faults + [str(error) for error in message.check()]
