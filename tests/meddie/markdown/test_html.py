import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conversations.telegram.format import to_parts
from meddie.markdown.formulas import MATHML_TAGS
from meddie.markdown.html import ALLOWED_TAGS, CLASSES, is_blank, render
from tests.corpus import each_of
from tests.meddie.markdown.texts import MARKDOWN, Tags

WRAPPERS = {"div", "button", "pre"}


def tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(render(text))
    return parser.seen


@given(MARKDOWN)
@example("![](http://evil.example/x.png)")
@example("[![a](http://evil.example/x.png)](http://b.example)")
@example("```<pre>\n<table></pre>\n```")
@example("$\\text{<img src=x onerror=alert(1)>}$")
@example("$$\\text{</math><script>alert(1)</script>}$$")
@example("\\(\\href{javascript:alert(1)}{x}\\)")
@example('<span class="formula">0</span> $x$')
def test_no_input_runs_scripts_or_loads_resources(text: str) -> None:
    for tag, attributes in tags(text):
        assert tag in ALLOWED_TAGS | MATHML_TAGS | WRAPPERS
        if "class" in attributes and tag not in WRAPPERS:
            assert attributes["class"] in CLASSES[tag]
        assert not [name for name in attributes if name.startswith("on")]
        assert not {"src", "srcset", "style", "background"} & set(attributes)
        address = attributes.get("href")
        assert address is None or re.match(r"(?i)https?://|mailto:", address)
        if tag == "a":
            assert attributes["rel"] == "noopener noreferrer nofollow"
            assert attributes["target"] == "_blank"


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
@example("$\x80$")
def test_text_is_blank_only_where_no_channel_shows_a_word(text: str) -> None:
    sent = "".join(to_parts(text))
    if is_blank(text):
        assert not re.search(r"\w", re.sub(r"<[^>]*>|\d+\.|&\w+;", "", sent))
    else:
        assert sent


@each_of(
    ("text", "html"),
    [
        ("- [ ] a\n- [x] b", 'aria-label="Done">☑</span> b'),
        ("H~2~O", "H<sub>2</sub>O"),
        ("10^-3^ m", "10<sup>-3</sup> m"),
        ("CO<sub>2</sub> and m<SUP>**2**</SUP>", "m&lt;SUP&gt;"),
        ("CO<sub>2</sub> and m<sup>**2**</sup>", "m<sup><strong>2</strong></sup>"),
        ("about ~5 to ~10 mg", "about ~5 to ~10 mg"),
        ("x^2+y^2=z^2", "x^2+y^2=z^2"),
        ("A claim[^1].", "A claim<sup>1</sup>."),
        ("[^1]: https://a.pl/x", "<p><sup>1</sup>: <a href"),
        (
            "|a|b|\n|:-:|-:|\n|1|2|",
            '<td class="center">1</td>\n<td class="right">2</td>',
        ),
        ("$x$ and $x", "</math> and $x</p>"),
        ("so\n$$\nx\n- y\n$$\nthen", "</math></span></p>\n<p>then</p>"),
        ("1. a\n   \\[\n   x\n   \\]\n2. b", '<math display="block">'),
        ("`$x$`", "<code>$x$</code>"),
        ("$\\frac{$", "<code>$\\frac{$</code>"),
        ("$$\\nonsense$$", "<code>$$\\nonsense$$</code>"),
    ],
)
def test_syntax_besides_commonmark_is_rendered(text: str, html: str) -> None:
    assert html in render(text)


@each_of(
    "text",
    [
        "costs $5 and $10", "$5-$10", "US$5 or CA$7", "$5, $6 (or $7)", "$1,000-$2,000",
        "**$5**-**$10**", "$ 5 $", "\\$5\\$", "$$", "$$ $$", "5$ and 6$", "\\\\(x\\\\)",
    ],
)  # fmt: skip
def test_money_and_lone_signs_are_no_formulas(text: str) -> None:
    assert "<math" not in render(text)
    assert "<code" not in render(text)


@each_of(
    ("text", "address", "rest"),
    [
        ("See https://a.example/x.", "https://a.example/x", "</a>."),
        ("(https://a.example/x_(y))", "https://a.example/x_(y)", "</a>)"),
        ("www.nhs.uk, then", "http://www.nhs.uk", "</a>, then"),
        ("me@nhs.uk!", "mailto:me@nhs.uk", "</a>!"),
        ("http://a.example/x?a=1&b=2;", "http://a.example/x?a=1&b=2", "</a>;"),
    ],
)
def test_bare_addresses_are_links_without_punctuation(
    text: str, address: str, rest: str
) -> None:
    assert [attributes["href"] for tag, attributes in tags(text) if tag == "a"] == [
        address
    ]
    assert rest in render(text)
    assert 'target="_blank" rel="noopener noreferrer nofollow"' in render(text)


@each_of("text", ["script.py", "a.b", "e.g.this", "nhs.uk", "ftp://a.pl/x", "//a.pl/x"])
def test_other_names_are_no_links(text: str) -> None:
    assert "<a" not in render(text)


def test_first_row_decides_the_columns_of_a_table() -> None:
    table = "| Drug | What it is for |\n|-|-|\n| A | thinning of the blood, mostly |\n"
    columns = '<col class="narrow"><col class="medium">'
    assert columns in render(table)
    assert columns in render(table + "| Hydroxychloroquine | " + "word " * 30 + "|\n")
