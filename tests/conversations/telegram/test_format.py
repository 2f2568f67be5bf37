"""Markdown as messages that Telegram takes and people like to read."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conversations.telegram.format import escape, to_parts
from tests.corpus import each_of
from tests.telegram_html import visible, weight

LIMIT = 4096
FAMILY = "👨‍👩‍👧"


def one(markdown: str) -> str:
    (part,) = to_parts(markdown)
    return part


def units(html: str) -> int:
    return len(visible(html).encode("utf-16-le")) // 2


@each_of(
    ("markdown", "html"),
    [
        ("**b** *i* ~~s~~ `c`", "<b>b</b> <i>i</i> <s>s</s> <code>c</code>"),
        ("***x***", "<i><b>x</b></i>"),
        ("# A *title*", "<b>A <i>title</i></b>"),
        ("# A **title**", "<b>A title</b>"),
        ("one\ntwo  \nthree", "one\ntwo\nthree"),
        ("one\n\n\n\ntwo", "one\n\ntwo"),
        ("- a\n- b", "• a\n• b"),
        ("- a\n\n- b", "• a\n• b"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("1. a\n1. b", "1. a\n2. b"),
        ("1. a\n   - b\n     1. c\n2. d", "1. a\n  • b\n    1. c\n2. d"),
        ("- a\n\n  more\n- b", "• a\n  more\n• b"),
        ("- a\n  still a", "• a\n  still a"),
        ("- [ ] todo\n- [x] done\n- other", "☐ todo\n☑ done\n• other"),
        ("H~2~O, x^2^, x^n^, 10<sup>-3</sup>", "H₂O, x², x^n, 10⁻³"),
        ("so $E = mc^2$", "so <code>E = mc^2</code>"),
        ("so\n$$\na < b\n$$\nthen", "so\n\n<code>a &lt; b</code>\n\nthen"),
        ("see https://x.pl.", 'see <a href="https://x.pl">https://x.pl</a>.'),
        ("true[^1]\n\n[^1]: Book", "true¹\n\n¹: Book"),
        ("> a\n> b\n>\n> c", "<blockquote>a\nb\n\nc</blockquote>"),
        ("> a\n>> b", "<blockquote>a\n\nb</blockquote>"),
        ("> - a", "<blockquote>• a</blockquote>"),
        ("`a`**b**", "<code>a</code><b>b</b>"),
        ("**a `b` c**", "<b>a </b><code>b</code><b> c</b>"),
        ("```\nx < y\n\n  z\n```", "<pre>x &lt; y\n\n  z</pre>"),
        ("```py\nx\n```", '<pre><code class="language-py">x</code></pre>'),
        ('```"><b\nx\n```', "<pre>x</pre>"),
        ("    code", "<pre>code</pre>"),
        ("|a|b|\n|-|-|\n|1|2|", "<b>a</b> | <b>b</b>\n1 | 2"),
        ("a\n\n---\n\nb", "a\n\n———\n\nb"),
        ("[a](https://x.pl)", '<a href="https://x.pl">a</a>'),
        ("<https://x.pl>", '<a href="https://x.pl">https://x.pl</a>'),
        ("[a `b`](http://x.pl)", '<a href="http://x.pl">a b</a>'),
        (
            '[a](https://x.pl/?a=1&b="2")',
            '<a href="https://x.pl/?a=1&amp;b=%222%22">a</a>',
        ),
        ("[a](mailto:a@b.pl)", "a"),
        ("[a](tg://user?id=1)", "a"),
        ("[a](/etc)", "a"),
        ("[a](https://x.pl/" + "x" * 3000 + ")", "a"),
        ("![a cat](https://x.pl/cat.png)", "a cat"),
        ("![](https://x.pl/cat.png)", "https://x.pl/cat.png"),
        ("[![a cat](c.png)](https://x.pl)", '<a href="https://x.pl">a cat</a>'),
        (
            '<b>x</b> & "y" <!-- z -->',
            "&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot; &lt;!-- z --&gt;",
        ),
        ("&lt;b&gt; &copy;", "&lt;b&gt; ©"),
        ("5 * 3 * 2 and a_b_c", "5 * 3 * 2 and a_b_c"),
        ("a\x00\x07b\ud83d", "ab\ufffd"),
    ],
)
def test_markdown_becomes_telegrams_html(markdown: str, html: str) -> None:
    assert to_parts(markdown) == [html]


@each_of(
    "markdown",
    ["", " \n\t\n", "\u200b", "#", "[](https://x.pl)", "```\n\n```", "[a]: /b"],
)
def test_blank_text_has_no_message(markdown: str) -> None:
    assert to_parts(markdown) == []


def test_names_are_escaped() -> None:
    assert (
        escape('<b>Tom & "Co"\x00\ud83d') == "&lt;b&gt;Tom &amp; &quot;Co&quot;\ufffd"
    )
    assert visible(escape("<a> &amp;")) == "<a> &amp;"


def test_text_of_the_maximum_length_is_one_message() -> None:
    assert [units(part) for part in to_parts("ż" * LIMIT)] == [LIMIT]
    assert [units(part) for part in to_parts("ż" * (LIMIT + 1))] == [LIMIT, 1]
    assert [units(part) for part in to_parts("😀" * (LIMIT // 2))] == [LIMIT]
    assert [units(part) for part in to_parts("<" * LIMIT)] == [LIMIT]


def test_text_is_split_between_paragraphs_if_possible() -> None:
    paragraphs = [letter * 1800 for letter in "abcde"]
    parts = to_parts("\n\n".join(paragraphs))
    assert parts == ["\n\n".join(paragraphs[i : i + 2]) for i in (0, 2, 4)]


@each_of(
    ("text", "end"),
    [
        ("some words\n" * 600, "words"),
        (("word " * 300 + "end. ") * 5, "end."),
        ("word " * 2000, "word"),
        ("ab\n" * 3000, "ab"),
        (FAMILY * 2000, FAMILY),
        ("e\u0301" * 4000, "e\u0301"),
        ("👍🏽" * 3000, "👍🏽"),
    ],
)
def test_text_is_split_after_a_sentence_a_word_or_a_character(
    text: str, end: str
) -> None:
    parts = to_parts(text)
    assert len(parts) > 1
    assert all(part.endswith(end) for part in parts)
    assert all(units(part) <= LIMIT for part in parts)


def test_formatting_continues_in_the_next_message() -> None:
    first, second = to_parts("**" + "bold " * 1000 + "end**")
    assert first.startswith("<b>bold")
    assert first.endswith("bold</b>")
    assert second.startswith("<b>bold")
    assert second.endswith("end</b>")


def test_split_code_keeps_language_and_indentation() -> None:
    code = "def f():\n" + "    return 'a long line of code'\n" * 200
    opening, line = (
        '<pre><code class="language-py">',
        "    return 'a long line of code'",
    )
    parts = to_parts(f"```py\n{code}```")
    assert len(parts) == 2
    assert all(part.startswith(opening) for part in parts)
    assert all(part.endswith(f"{line}</code></pre>") for part in parts)
    assert parts[1].startswith(opening + line)


def test_split_quotation_reopens_its_tags() -> None:
    parts = to_parts("> **" + "quoted " * 1000 + "x**")
    assert len(parts) == 2
    assert all(part.startswith("<blockquote><b>quoted") for part in parts)
    assert all(part.endswith("</b></blockquote>") for part in parts)


def test_no_message_exceeds_telegrams_formatting_limit() -> None:
    parts = to_parts("**a** " * 500)
    assert all(part.count("<b>") <= 100 for part in parts)
    assert sum(part.count("<b>") for part in parts) == 500
    links = "[a](https://x.pl/" + "y" * 1500 + ") "
    assert all(weight(part) < 9_500 for part in to_parts(links * 30))


def test_long_reply_is_complete() -> None:
    reply = ("A sentence about *iron* and **vitamin C**. " * 10 + "\n\n") * 450
    parts = to_parts(reply)
    assert sum(visible(part).count("iron") for part in parts) == 4500


def seen(text: str) -> str:
    """Without white space and invisible characters."""
    return "".join(
        char
        for char in text
        if not char.isspace() and unicodedata.category(char)[0] != "C"
    )


SNIPPETS = [
    "**", "*", "~~", "`", "``", "```py\n", "```\n", "# ", "- ", "1. ", "> ", "    ",
    "\n", "\n\n", "  \n", "|a|b|\n|-|-|\n|", "|", "[x](https://x.pl)", "[", "](http://y)",
    "![alt](z)", "<b>", "</b>", "<script>", "&amp;", "&", "---\n", "\\", "word", "Zdanie. ",
    "ż", FAMILY, "🇵🇱", "e\u0301", "\u200b", "<https://a.pl>", "x" * 90,
]  # fmt: skip
markdowns = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(SNIPPETS), max_size=40).map("".join),
)


@settings(max_examples=150)
@given(markdowns, st.integers(1, 60))
@example("> ", 60)
@example("- **a\n", 60)
def test_any_text_becomes_valid_messages(markdown: str, times: int) -> None:
    """Well-formed, short enough, none empty; nothing gets lost and nothing is added."""
    text = (markdown + "\n\n") * times
    parts = to_parts(text)
    for part in parts:
        assert seen(visible(part))
        assert units(part) <= LIMIT
        assert part == part.strip()
    assert seen("".join(map(visible, parts))) == seen(visible(unsplit(text)))


def unsplit(markdown: str) -> str:
    """The same text as one message of any length."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("LONGEST_PART", "MOST_TAGS", "MOST_TAG_COST"):
            patch.setattr(f"conversations.telegram.split.{limit}", 10**9)
        return "".join(to_parts(markdown))


@settings(max_examples=100)
@given(st.text(alphabet="ab \n.😀é\u0301*_`", max_size=300), st.integers(20, 40))
def test_pieces_keep_their_order(text: str, times: int) -> None:
    words = re.findall(r"[ab]+", (text + " ") * times)
    parts = to_parts(escape_markdown((text + " ") * times))
    assert re.findall(r"[ab]+", "\n".join(map(visible, parts))) == words


def escape_markdown(text: str) -> str:
    return re.sub(r"([*_`])", r"\\\1", re.sub(r"\s+", " ", text)).strip()
