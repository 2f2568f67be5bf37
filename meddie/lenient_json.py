"""JSON as models write it (decision 38)."""

import json
import re
from typing import Any

TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*"?)|,(?=\s*[}\]])', re.DOTALL)
TYPOGRAPHIC = str.maketrans("“”„", '"""')
_decoder = json.JSONDecoder(strict=False)


def read_object(text: str) -> dict[str, Any]:
    """The first object of a text. Raises ValueError, also where its end is missing.

    Accepts raw line breaks, trailing commas and typographic quotation marks.
    """
    start = text.find("{")
    if start < 0:
        raise ValueError("no JSON object")
    raw = text[start:]
    try:
        return _decoded(raw)
    except ValueError:
        if (plain := raw.translate(TYPOGRAPHIC)) == raw:
            raise
        return _decoded(plain)


def _decoded(raw: str) -> dict[str, Any]:
    clean = TRAILING_COMMA.sub(lambda found: found[1] or "", raw)
    try:
        value: dict[str, Any] = _decoder.raw_decode(clean)[0]
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value
