"""Markdown of a reply as safe HTML: whole, or block by block while it grows.

Model output is not trusted: HTML is escaped, images become links, and nh3 sanitises the
result.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape, unescape
from itertools import pairwise

import nh3
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from meddie.text import is_invisible

TAGS = frozenset(
    "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s strong"  # noqa: SIM905 -- reads better than 27 lines
    " table tbody td th thead tr ul".split()
)
WEB_OR_MAIL = re.compile(r"(https?://|mailto:)", re.IGNORECASE)
FENCES = ("```", "~~~")
MARKER = re.compile(r"[-*+>|]|```|~~~|\d(?=\d*[.)] )")
LONG_BLOCK = 500  # characters
DEEPEST = 20  # levels: a quotation is one, a list two; text below is a paragraph


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


def parser() -> MarkdownIt:
    """The Markdown dialect of all channels."""
    # At maxNesting the library drops the text. A list may end one level too deep.
    options = {"html": False, "linkify": False, "maxNesting": DEEPEST + 2}
    commonmark = MarkdownIt("commonmark", options, renderer_cls=_Renderer)
    commonmark.block.ruler.before("table", "too_deep", _too_deep)
    commonmark.inline.ruler2.push("too_deep", _drop_deep_tags)
    return commonmark.enable(["table", "strikethrough"])


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- the library's
    return state.level >= DEEPEST and paragraph(state, start, end, silent)


def _drop_deep_tags(state: StateInline) -> None:
    depth, kept = 0, []
    for token in state.tokens:
        depth += token.nesting == 1
        if depth <= DEEPEST or not token.nesting:
            kept.append(token)
        depth -= token.nesting == -1
    state.tokens[:] = kept


def _attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "a" and name == "href" and not WEB_OR_MAIL.match(value):
        return None
    return value


_whole = parser()
_blocks = parser().disable("inline")
_cleaner = nh3.Cleaner(
    tags=set(TAGS),
    attributes={"a": {"href"}, "ol": {"start"}},
    attribute_filter=_attribute,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)


def render(text: str) -> str:
    return _wrapped(_to_html(text))


@lru_cache(maxsize=1)  # a page shows a reply, then asks whether it is blank
def _to_html(text: str) -> str:
    return _cleaner.clean(_whole.render(text))


def is_blank(text: str) -> bool:
    """Whether no character of the text is visible once it is formatted."""
    if text[:1].isalpha():
        return False  # a paragraph, without parsing it
    return is_invisible(unescape(strip_tags(_to_html(text))))


def _wrapped(html: str) -> str:
    # In sanitised HTML text is escaped, so each tag found is a tag.
    copy, table, code = _("Copy"), _("Table"), _("Code")
    button = f'<button type="button" class="button copy" data-copy>{copy}</button>'
    return (
        html.replace(
            "<pre>",
            f'<div class="code"><pre tabindex="0" role="region" aria-label="{code}">',
        )
        .replace("</pre>", f"</pre>{button}</div>")
        .replace(
            "<table>",
            f'<div class="table" tabindex="0" role="region" aria-label="{table}"><table>',
        )
        .replace("</table>", "</table></div>")
    )


class Growing:
    """A growing text: finished blocks and an unfinished tail.

    A block is finished after a whole line of the next one, or later if it is long. This
    depends on the text only, so a page that reconnects gets the same blocks.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._parse_from = 0  # characters of the tail
        self._partial: list[str] = []  # pieces of the unfinished line
        self._fence_met = False

    def feed(self, piece: str) -> list[str]:
        """Take a piece; return the blocks that it finished, as Markdown."""
        *lines, last = piece.split("\n")
        if lines:
            lines[0] = "".join([*self._partial, lines[0]])
            self._partial.clear()
        self._partial.append(last)
        finished = []
        for line in lines:
            self._tail += line + "\n"
            if line.strip() and not self._goes_on(line):
                finished += self._take_finished()
        return finished

    @property
    def tail(self) -> str:
        return self._tail + "".join(self._partial)

    def _goes_on(self, line: str) -> bool:
        # A cheap check of the tail's block, which saves a parse.
        kind = _kind(self._tail)
        if kind in FENCES and not self._fence_met:
            self._fence_met = line.startswith(kind) and self._tail != line + "\n"
            return not self._fence_met
        in_list_or_table = kind not in ("", *FENCES) and _kind(line) == kind
        return line[0] in " \t" or in_list_or_table

    def _take_finished(self) -> list[str]:
        if len(self._tail) < self._parse_from:
            return []
        starts = _top_level_lines(self._tail)
        if len(starts) < 2:
            # Parsing a long block after each of its lines would take the square.
            grown = len(self._tail) * 5 // 4
            self._parse_from = grown if len(self._tail) > LONG_BLOCK else 0
            return []
        self._parse_from = 0
        lines = self._tail.split("\n")
        self._tail = "\n".join(lines[starts[-1] :])
        self._fence_met = False
        edges = [0, *starts[1:]]
        return ["\n".join(lines[start:end]) + "\n" for start, end in pairwise(edges)]


def _kind(text: str) -> str:
    found = MARKER.match(text)
    if found is None:
        return ""
    return "1" if found[0].isdigit() else found[0]


def _top_level_lines(text: str) -> list[int]:
    return [
        token.map[0]
        for token in _blocks.parse(text)
        if token.level == 0 and token.map and token.nesting >= 0
    ]
