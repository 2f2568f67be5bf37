"""The adapter's own words to a model."""

import json
from typing import Any

ONE_CALL = "Not done: only one call is allowed for each answer."
BAD_CALL = "Not done: the arguments are not as the tool asks for. Answer without it."


def follow_schema(schema: dict[str, Any]) -> str:
    """JSON mode demands the word JSON."""
    return f"Answer with one JSON object that follows this schema:\n{_dumped(schema)}"


def repair(error: str, schema: dict[str, Any]) -> str:
    return (
        f"That answer is not valid:\n{error[:2000]}\n\n"
        "Answer again, with nothing but one JSON object that follows this schema:\n"
        f"{_dumped(schema)}"
    )


def _dumped(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)
