"""Requirements files can be installed without --no-deps."""

import re

import pytest

from tests.pins import EMBEDDER, ROOT, contradictions, pins


@pytest.mark.parametrize("line", ["opentelemetry-api==0.0.1", ""])
def test_file_that_contradicts_itself_is_found(line: str):
    text = (ROOT / "requirements-tracing.txt").read_text()
    torn = re.sub(r"^opentelemetry-api==.*$", line, text, flags=re.MULTILINE)
    found = list(contradictions(pins(torn, (ROOT / EMBEDDER).read_text())))
    assert any(
        problem.startswith("opentelemetry-sdk requires opentelemetry-api")
        for problem in found
    )
