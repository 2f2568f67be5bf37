"""A reply in pieces: blocks, and the part of the tail that is shown."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from meddie.markdown.growing import Growing
from meddie.markdown.html import render, render_growing
from tests.corpus import each_of
from tests.meddie.markdown.texts import MARKDOWN


@given(MARKDOWN)
def test_growing_text_is_neither_lost_nor_doubled(text: str) -> None:
    growing = Growing()
    assert "".join(growing.feed(text)) + growing.tail == text


@given(MARKDOWN, st.lists(st.integers(0, 200), max_size=8))
def test_finished_blocks_do_not_depend_on_how_the_text_was_cut(
    text: str, cuts: list[int]
) -> None:
    whole, pieces = Growing(), Growing()
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    finished = [
        block
        for start, end in pairwise(edges)
        for block in pieces.feed(text[start:end])
    ]
    assert finished == whole.feed(text)
    assert pieces.tail == whole.tail


REPLY = """Before I answer:

1. one

2. two

   still two

| a | b |
|---|---|
| 1 | 2 |

## Heading
Text *emphasised*
over two lines.

```python
x = 1

y = 2
```

> quoted

The end.
"""


def test_grown_reply_equals_a_reply_rendered_at_once() -> None:
    growing = Growing()
    blocks = [block for char in REPLY for block in growing.feed(char)]
    grown = "".join(map(render, [*blocks, growing.tail]))
    assert grown == render(REPLY)
    assert len(blocks) == 7


def test_a_block_is_not_finished_before_a_whole_line_of_the_next() -> None:
    growing = Growing()
    assert growing.feed("1. one\n\n2") == []
    assert growing.feed(". two\n\nEnd") == []
    assert growing.feed("\n") == ["1. one\n\n2. two\n\n"]


def shown(text: str) -> list[str]:
    """The HTML of the tail after each character."""
    growing, seen = Growing(), []
    for character in text:
        growing.feed(character)
        seen.append(render_growing(growing.clear_tail))
    return seen


@each_of(
    ("text", "raw"),
    [
        ("So $E = mc^2$ it is", "$"),
        ("So \\(E = mc^2\\) it is", "("),
        ("So:\n\\[\na\n= b\n- c\n\\]\nEnd", "["),
        ("$$\na\n- b\n$$\nEnd", "$"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nEnd", "|"),
        ("Text\n\n```python\nx = 1\n```\nEnd", "`"),
        ("- [ ] one\n- [x] two\n", "["),
        ("Text\n- one\n- two\n", "<h2>"),
    ],
)
def test_unfinished_syntax_is_not_shown(text: str, raw: str) -> None:
    assert not [html for html in shown(text) if raw in html]


def test_growing_table_shows_whole_rows() -> None:
    rows = [html.count("<tr>") for html in shown("| a |\n|-|\n| 1 |\n| 2 |\n| 3 |\n")]
    assert sorted(set(rows)) == [0, 2, 3, 4]


def test_money_is_shown_while_the_sentence_grows() -> None:
    assert "$5 and" in shown("It costs $5 and")[-1]
    assert "$5-$10 now" in shown("It costs $5-$10 now")[-1]


@each_of("unclosed", ["$x", "$$x", "\\(x", "\\[x", "$$\nx"])
def test_unclosed_formula_is_shown_at_the_end(unclosed: str) -> None:
    assert "x" in render(unclosed)
    assert "x" in render_growing(unclosed + "\n\nNext paragraph" * 100 + "y" * 3000)


def test_no_mark_is_bare_while_its_end_is_missing() -> None:
    text = (
        "Take **usually *one* a** day, _never_ `two x` or ~~three~~.\n- **And: *now***"
    )
    for end in range(1, len(text) + 1):
        growing = Growing()
        finished = growing.feed(text[:end])
        shown = "".join(map(render, finished)) + render_growing(growing.clear_tail)
        assert not set("*_`~") & set(shown), shown
    assert "<strong>usually <em>one</em> a</strong>" in render_growing(text)


def test_a_sign_between_words_is_no_mark() -> None:
    assert render_growing("2 * 3 is a_b_c and 5 ` 6") != ""
    assert "2 * 3" in render_growing("2 * 3")
