"""Pages of docs that name kinds and numbers of the code."""

import re
from pathlib import Path

import pytest

from conversations.reply.finish import SECTION_OF
from memory.values import MEMORY_KIND
from tests.memory import guarded, stated
from tests.memory.wording import test_quoted

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize(
    "sentences",
    [
        stated.rows(stated.TRUE),
        stated.rows(stated.INVENTED),
        guarded.lines(guarded.HONEST),
        [one for text in guarded.REFUSED.values() for one in guarded.lines(text)],
        test_quoted.read_rows(),
    ],
)
def test_page_on_capture_counts_its_sentences(sentences):
    page = (DOCS.parent / "benchmarks" / "capture.md").read_text()
    assert f" of {len(list(sentences))} |" in page


def test_page_on_the_api_names_the_kinds_of_memories():
    page = (DOCS / "api.md").read_text()
    (listed,) = re.findall(r"`kind` \(([^)]+)\)", page)
    assert set(re.findall(r"\w+", listed)) - {"or"} == {*SECTION_OF, MEMORY_KIND}
