"""Markdown of a reply as messages in Telegram's subset of HTML.

Telegram refuses unknown tags, so headings become bold lines and tables rows with bars.
"""

import re

from markdown_it.tree import SyntaxTreeNode

from conversations.telegram import split
from conversations.telegram.split import Flow, Tag, Tags
from meddie.markdown.dialect import parser

WEB_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
LANGUAGE = re.compile(r"[\w+#.-]{1,40}")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
RAISED = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
LOWERED = str.maketrans("0123456789+-\u2212", "₀₁₂₃₄₅₆₇₈₉₊₋₋")
TAGS_OF = {"strong": "b", "em": "i", "s": "s"}
RULE_LINE = "———"

_markdown = parser()


def to_parts(markdown: str) -> list[str]:
    """The HTML of each message; none for blank text."""
    writer = _Writer()
    writer.blocks(SyntaxTreeNode(_markdown.parse(_clean(markdown))), ())
    return list(writer.flow.parts())


def escape(text: str) -> str:
    return split.escape_html(_clean(text))


class _Writer:
    def __init__(self) -> None:
        self.flow = Flow()
        self._newlines = 0
        self._indent = ""
        self._marker: str | None = None

    def blocks(self, parent: SyntaxTreeNode, tags: Tags, newlines: int = 2) -> None:
        for node in parent.children:
            self._newline(newlines)
            self._block(node, tags)

    def _block(self, node: SyntaxTreeNode, tags: Tags) -> None:
        match node.type:
            case "heading":
                self._inline(node, _within(tags, "b"))
            case "bullet_list" | "ordered_list":
                self._list(node, tags)
            case "blockquote":
                self.blocks(node, _within(tags, "blockquote"))
            case "fence" | "code_block":
                self._code(node, tags)
            case "table":
                self._table(node, tags)
            case "hr":
                self._put(RULE_LINE, tags)
            case "formula_block":
                self._put(node.content, _within(tags, "code"))
            case _:
                self._inline(node, tags)

    def _list(self, node: SyntaxTreeNode, tags: Tags) -> None:
        number = int(node.attrs.get("start", 1))
        outer = self._indent
        for count, item in enumerate(node.children, start=number):
            self._newline(1)
            mark = f"{count}. " if node.type == "ordered_list" else "• "
            if "checked" in item.meta:
                mark = "☑ " if item.meta["checked"] else "☐ "
            self._marker = (outer if self._marker is None else self._marker) + mark
            self._indent = outer + "  "
            self.blocks(item, tags, newlines=1)
            self._put("", tags)
            self._indent = outer

    def _code(self, node: SyntaxTreeNode, tags: Tags) -> None:
        language = LANGUAGE.match(node.info)
        kept, self._indent = self._indent, ""
        self._put(node.content.rstrip("\n"), _within(tags, "pre", language))
        self._indent = kept

    def _table(self, node: SyntaxTreeNode, tags: Tags) -> None:
        for part in node.children:
            inside = _within(tags, "b") if part.type == "thead" else tags
            for row in part.children:
                self._newline(1)
                for index, cell in enumerate(row.children):
                    self._put(" | " if index else "", tags)
                    self._inline(cell, inside)

    def _inline(self, node: SyntaxTreeNode, tags: Tags) -> None:
        for child in node.children:
            match child.type:
                case "strong" | "em" | "s":
                    self._inline(child, _within(tags, TAGS_OF[child.type]))
                case "link":
                    self._inline(child, _linked(tags, str(child.attrs.get("href", ""))))
                case "image" if not child.content:
                    self._put(str(child.attrs.get("src", "")), tags)
                case "code_inline" | "formula":
                    self._put(child.content, _within(tags, "code"))
                case "softbreak" | "hardbreak":
                    self._newline(1)
                case "inline" | "image":
                    self._inline(child, tags)
                case _:
                    self._put(_plain(child), tags)

    def _newline(self, count: int) -> None:
        self._newlines = max(self._newlines, count)

    def _put(self, text: str, tags: Tags) -> None:
        if not text and self._marker is None:
            return
        flow = self.flow
        around = tuple(tag for tag in tags if tag.name == "blockquote")
        if self._newlines and flow.runs:
            between = split.shared(flow.runs[-1].tags, around)
            flow.add("\n" * self._newlines, between)
            if self._newlines > 1:
                flow.blocks.append(flow.length)
        if self._newlines:
            flow.add(self._indent if self._marker is None else self._marker, around)
        self._newlines, self._marker = 0, None
        flow.add(text, tags)


def _plain(node: SyntaxTreeNode) -> str:
    if node.type not in {"sub", "sup"}:
        return node.content
    text = "".join(child.content for child in node.walk() if not child.children)
    if node.type == "sub":
        return text.translate(LOWERED)
    raised = text.translate(RAISED)
    return f"^{text}" if set(raised) & set(text) else raised


def _within(tags: Tags, name: str, language: re.Match[str] | None = None) -> Tags:
    # No tag twice, no code in links, and only quotations around code.
    names = {tag.name for tag in tags}
    if name in names or (name == "code" and "a" in names):
        return tags
    if name in {"pre", "code"}:
        tags = tuple(tag for tag in tags if tag.name == "blockquote")
    if language:
        opening = f'<pre><code class="language-{split.escape_html(language[0])}">'
        return (*tags, Tag(name, opening, "</code></pre>"))
    return (*tags, Tag(name, f"<{name}>", f"</{name}>"))


def _linked(tags: Tags, address: str) -> Tags:
    if not WEB_ADDRESS.match(address) or len(address) > 2_000:
        return tags
    return (*tags, Tag("a", f'<a href="{split.escape_html(address)}">', "</a>"))


def _clean(text: str) -> str:
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return CONTROL.sub("", whole.replace("\r\n", "\n").replace("\r", "\n"))
