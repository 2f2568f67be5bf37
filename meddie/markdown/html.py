"""Markdown of a reply as safe HTML.

Model output is not trusted: HTML is escaped, images become links, and nh3 sanitises the
result. Formulas are inserted afterwards, escaped by `formulas`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape, unescape

import nh3
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, String, _TokenType

from meddie.markdown.dialect import CLOSINGS, GROWING, parser
from meddie.markdown.formulas import to_mathml
from meddie.text import is_invisible

# Not C, C++ and Java: their lexers take seconds for a page of blank lines.
HIGHLIGHTED = frozenset(
    "bash csharp css diff go html ini javascript js json kotlin php py python r ruby"  # noqa: SIM905 -- reads better than 25 lines
    " rust sh sql swift toml ts typescript xml yaml yml".split()
)
TOKEN_CLASSES: dict[_TokenType, str] = {
    Comment: "comment",
    Comment.Preproc: "keyword",
    Generic.Deleted: "keyword",
    Generic.Inserted: "string",
    Keyword: "keyword",
    Keyword.Constant: "number",
    Name.Attribute: "name",
    Name.Class: "name",
    Name.Decorator: "name",
    Name.Function: "name",
    Name.Tag: "keyword",
    Number: "number",
    String: "string",
}
_lexers: dict[str, Lexer] = {}

ALLOWED_TAGS = frozenset(
    "a blockquote br code col colgroup del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span"  # noqa: SIM905 -- reads better than 32 lines
    " strong sub sup table tbody td th thead tr ul".split()
)
CLASSES = {
    "span": {"done", "open", "formula", *TOKEN_CLASSES.values()},
    "col": {"narrow", "short", "middle", "medium", "wide"},
    "td": {"left", "center", "right"},
    "th": {"left", "center", "right"},
    "li": {"task"},
}
WEB_OR_MAIL = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
PLACEHOLDER = re.compile(r'<span class="formula">(\d+)</span>')
WIDTHS = {
    6: "narrow",
    12: "short",
    18: "middle",
    30: "medium",
}  # characters of the first two cells


class _Renderer(RendererHTML):
    def image(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        # A link: the reader decides what is loaded.
        token = tokens[idx]
        source = str(token.attrs.get("src", ""))
        words = escape(token.content or source)
        depth = sum(t.nesting for t in tokens[:idx] if t.type.startswith("link_"))
        if depth or not WEB_OR_MAIL.match(source):
            return words
        return f'<a href="{escape(source)}">{words}</a>'

    def list_item_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        checked = tokens[idx].meta.get("checked")
        if checked is None:
            return "<li>"
        box = (
            '<span class="done">☑</span>' if checked else '<span class="open">☐</span>'
        )
        return f'<li class="task">{box} '

    def fence(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        language = tokens[idx].info.partition(" ")[0].strip()
        code = highlight(tokens[idx].content, language)
        return f"<pre><code>{code}</code></pre>\n"

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        # The first row decides, so that a growing table keeps its columns.
        rows = _first_rows(tokens, idx)
        sizes = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        widths = [
            next((width for most, width in WIDTHS.items() if size <= most), "wide")
            for size in sizes
        ]
        columns = "".join(f'<col class="{width}">' for width in widths)
        return f"<table><colgroup>{columns}</colgroup>\n"

    def th_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        token = tokens[idx]
        side = str(token.attrs.get("style", "")).removeprefix("text-align:")
        return f'<{token.tag} class="{side}">' if side else f"<{token.tag}>"

    td_open = th_open

    def formula(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        token = tokens[idx]
        display = token.markup in {"$$", "\\["}
        mathml = to_mathml(token.content, display=display)
        if mathml is None:
            source = f"{token.markup}{token.content}{CLOSINGS[token.markup]}"
            return f"<code>{escape(source)}</code>"
        if display:
            label = _region(_("Formula"))
            mathml = f'<span class="formula" {label}>{mathml}</span>'
        env["formulas"].append(mathml)
        return f'<span class="formula">{len(env["formulas"]) - 1}</span>'

    def formula_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        if not tokens[idx].content:
            return ""
        return f"<p>{self.formula(tokens, idx, options, env)}</p>\n"


def _first_rows(tokens: Sequence[Token], idx: int) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens[idx:]:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content)
        elif token.type == "table_close" or (token.type == "tr_close" and rows[1:]):
            break
    return rows


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "href" and not WEB_OR_MAIL.match(value):
        return None
    if name == "class" and value not in CLASSES[tag]:
        return None
    return value


_markdown = parser(_Renderer)
_cleaner = nh3.Cleaner(
    tags=set(ALLOWED_TAGS),
    attributes={"a": {"href"}, "ol": {"start"}, **{tag: {"class"} for tag in CLASSES}},
    attribute_filter=_attribute,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)


def render(text: str) -> str:
    return _wrapped(*_sanitised(text))


def render_growing(text: str) -> str:
    """The same for a text that may go on: an unclosed formula is left out."""
    return _wrapped(*_sanitised(text, growing=True))


def is_blank(text: str) -> bool:
    """Whether no character of the text is visible once it is formatted."""
    if text[:1].isalpha():
        return False  # a paragraph, without parsing it
    html, formulas = _sanitised(text)
    shown = PLACEHOLDER.sub(lambda found: formulas[int(found[1])], html)
    return is_invisible(unescape(strip_tags(shown)))


@lru_cache(maxsize=1)  # a page shows a reply, then asks whether it is blank
def _sanitised(text: str, *, growing: bool = False) -> tuple[str, list[str]]:
    """HTML with numbered places for its formulas, and the formulas."""
    env: EnvType = {GROWING: growing, "formulas": []}
    return _cleaner.clean(_markdown.render(text, env)), env["formulas"]


def _wrapped(html: str, formulas: list[str]) -> str:
    # In sanitised HTML text is escaped, so each tag found is a tag of the renderer.
    copy, code, table = _("Copy"), _region(_("Code")), _region(_("Table"))
    button = f'<button type="button" class="button copy" data-copy>{copy}</button>'
    done, to_do = (
        f'role="img" aria-label="{name}"' for name in (_("Done"), _("To do"))
    )
    html = (
        html.replace("<pre>", f'<div class="code"><pre {code}>')
        .replace("</pre>", f"</pre>{button}</div>")
        .replace("<table>", f'<div class="table" {table}><table>')
        .replace("</table>", "</table></div>")
        .replace('<span class="done">', f'<span class="done" {done}>')
        .replace('<span class="open">', f'<span class="open" {to_do}>')
    )
    return PLACEHOLDER.sub(lambda found: formulas[int(found[1])], html)


def _region(label: str) -> str:
    """Attributes of a part that scrolls by itself, with the keyboard too."""
    return f'tabindex="0" role="region" aria-label="{label}"'


def highlight(code: str, language: str) -> str:
    """The code escaped, with spans if the language is known."""
    language = language.lower()
    if language not in HIGHLIGHTED or len(code) > 6000:
        return escape(code)
    if language not in _lexers:
        _lexers[language] = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    return "".join(
        _span(kind, text) for kind, text in _lexers[language].get_tokens(code)
    )


def _span(kind: _TokenType, text: str) -> str:
    while kind not in TOKEN_CLASSES and kind.parent:
        kind = kind.parent
    if kind not in TOKEN_CLASSES or not text.strip():
        return escape(text)
    return f'<span class="{TOKEN_CLASSES[kind]}">{escape(text)}</span>'
