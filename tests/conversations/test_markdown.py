import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conversations.markdown import TAGS, Growing, is_blank, render
from conversations.telegram.format import to_parts

MARKS = st.sampled_from(
    [
        "# ", "- ", "1. ", "2. ", "> ", "```", "~~~", "| a | b |\n|---|:-:|\n| c | d |\n",
        "\n", "\n\n", "---\n", "    ", "**", "*", "`", "![x](http://evil.example/p.png)",
        "[x](javascript:alert(1))", "[x](data:text/html,hi)", "[x](https://a.example)",
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href=//x>",
        "[x]: http://a.example 'onclick=\"x\"'\n", '[y](http://a.example "t<pre>")',
        "<style>*{}</style>", "<iframe src=http://x>", "&lt;script&gt;", "](", "word ",
    ]
)  # fmt: skip
MARKDOWN = st.lists(st.one_of(MARKS, st.text(max_size=8)), max_size=25).map("".join)
WRAPPERS = {"div", "button", "pre"}


class Tags(HTMLParser):
    """What a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(render(text))
    return parser.seen


@given(MARKDOWN)
@example("![](http://evil.example/x.png)")
@example("[![a](http://evil.example/x.png)](http://b.example)")
@example("```<pre>\n<table></pre>\n```")
def test_no_input_runs_scripts_or_loads_resources(text: str) -> None:
    for tag, attributes in tags(text):
        assert tag in TAGS | WRAPPERS
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "srcset", "style", "background"} & set(attributes)
        address = attributes.get("href")
        assert address is None or re.match(r"(?i)https?://|mailto:", address)
        if tag == "a":
            assert attributes["rel"] == "noopener noreferrer nofollow"
            assert attributes["target"] == "_blank"


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


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("![A scan](ftp://x/y.png)", "<p>A scan</p>\n"),
        ("[home](/chat)", "home"),
        ("~~no~~", "<p><del>no</del></p>\n"),
    ],
    ids=["html is text", "image without an address", "no way inside", "struck out"],
)
def test_render(text: str, html: str) -> None:
    rendered = render(text)
    assert html in rendered.replace("<s>", "<del>").replace("</s>", "</del>")
    assert "href" not in rendered


def test_an_image_becomes_a_link_under_its_description() -> None:
    assert tags("![My scan](https://a.example/x.png)") == [
        ("p", {}),
        (
            "a",
            {
                "href": "https://a.example/x.png",
                "target": "_blank",
                "rel": "noopener noreferrer nofollow",
            },
        ),
    ]


def test_code_and_tables_scroll_by_themselves() -> None:
    code = render("```\nx\n```")
    table = render("|a|\n|-|\n|b|")
    assert code.startswith('<div class="code"><pre tabindex="0"')
    assert "data-copy>Copy</button></div>" in code
    assert table.startswith('<div class="table" tabindex="0"')


MARKERS = st.sampled_from(["> ", "- ", "* ", "1. ", "  ", "    ", "# "])
WRAPS = st.sampled_from([("", ""), ("*", "*"), ("**", "**"), ("~~", "~~"), ("[", "]")])


@st.composite
def nested_texts(draw: st.DrawFn) -> str:
    """Lines with a word each, in up to 60 containers and 60 marks."""
    lines = []
    for number in range(draw(st.integers(1, 5))):
        markers = draw(st.lists(MARKERS, max_size=4)) * draw(st.integers(1, 15))
        opening, closing = draw(WRAPS)
        depth = draw(st.sampled_from([1, 2, 60]))
        word = f"so {opening * depth}word{number}{closing * depth}"
        lines.append("".join(markers) + word)
    return draw(st.sampled_from(["\n", "\n\n"])).join(lines)


@given(nested_texts())
@example("> " * 21 + "word0")
@example("- " * 11 + "word0")
@example("*a " * 3000 + "word0" + "*" * 3000)
def test_no_word_vanishes_at_any_depth(text: str) -> None:
    words = set(re.findall(r"word\d", text))
    assert words == set(re.findall(r"word\d", render(text)))
    assert words == set(re.findall(r"word\d", "".join(to_parts(text))))


@given(MARKDOWN)
@example("| |\n|-|")
@example("```\n```")
@example("***")
def test_text_is_blank_only_where_no_channel_shows_a_word(text: str) -> None:
    sent = "".join(to_parts(text))
    if is_blank(text):
        assert not re.search(r"\w", re.sub(r"<[^>]*>|\d+\.|&\w+;", "", sent))
    else:
        assert sent
