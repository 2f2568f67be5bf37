"""Texts in Markdown, hostile ones among them."""

from html.parser import HTMLParser

from hypothesis import strategies as st

MARKS = st.sampled_from(
    [
        "# ", "- ", "1. ", "2. ", "> ", "```", "~~~", "| a | b |\n|---|:-:|\n| c | d |\n",
        "\n", "\n\n", "---\n", "    ", "**", "*", "`", "![x](http://evil.example/p.png)",
        "[x](javascript:alert(1))", "[x](data:text/html,hi)", "[x](https://a.example)",
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href=//x>",
        "[x]: http://a.example 'onclick=\"x\"'\n", '[y](http://a.example "t<pre>")',
        "<style>*{}</style>", "<iframe src=http://x>", "&lt;script&gt;", "](", "word ",
        "$", "$$", "\\(", "\\)", "\\[", "\\]", "$\\text{<img src=x onerror=alert(1)>}$",
        "$\\href{javascript:alert(1)}{x}$", "$\\style{color:red}{x}$", "$\\class{done}{x}$",
        "- [ ] ", "- [x] ", "[^1]", "[^1]: ", "x^2^", "H~2~O", "<sub>2</sub>",
        "www.a.pl", "https://a.example/(x)", "javascript://a.pl", "```html\n<script>\n```\n",
        '<span class="formula">0</span>', "```python\n<pre>\n",
    ]
)  # fmt: skip
# PostgreSQL stores no NUL.
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
MARKDOWN = st.lists(st.one_of(MARKS, WORDS), max_size=25).map("".join)


class Tags(HTMLParser):
    """What a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
