"""A zip file that is written piece by piece."""

import json
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, Self

from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

# What a file system refuses, and signs that change the reading direction.
UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u2028-\u202e\u2066-\u2069]')

Row = Mapping[str, Any]


class Archive:
    """Close it, or use it in `with`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w")
        self._now = timezone.localtime().timetuple()[:6]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def add_text(self, name: str, parts: Iterable[str]) -> None:
        with self._zip.open(self._entry(name, zipfile.ZIP_DEFLATED), "w") as entry:
            for part in parts:
                entry.write(part.encode())

    def add_json(self, name: str, rows: Iterable[Row]) -> None:
        self.add_text(name, json_array(rows))

    def add_file(self, name: str, content: IO[bytes]) -> None:
        """Without compression, because most files are compressed."""
        with self._zip.open(self._entry(name, zipfile.ZIP_STORED), "w") as entry:
            shutil.copyfileobj(content, entry)

    def _entry(self, name: str, compression: int) -> zipfile.ZipInfo:
        entry = zipfile.ZipInfo(name, self._now)
        entry.compress_type, entry.external_attr = (
            compression,
            0o600 << 16,
        )  # the owner's
        return entry


def file_name(number: str, name: str) -> str:
    """A safe name, which the number makes unique."""
    stem, dot, suffix = UNSAFE.sub("_", name).strip(" .").rpartition(".")
    if not dot or len(suffix) > 8:
        stem, dot, suffix = f"{stem}{dot}{suffix}", "", ""
    short = stem.encode()[:120].decode(errors="ignore").strip(" .")
    return f"{number} {short}".strip() + dot + suffix


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)


def json_array(rows: Iterable[Row]) -> Iterator[str]:
    before = "[\n"
    for row in rows:
        yield before + dump(row)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
