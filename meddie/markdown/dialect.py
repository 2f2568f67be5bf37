"""The Markdown of all channels: CommonMark with what models write besides.

Tables, strikethrough, task lists, bare addresses, formulas, sub- and superscript.
"""

import re

from linkify_it import LinkifyIt
from linkify_it.main import Match
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

from meddie.markdown.formulas import LONGEST_FORMULA

DEEPEST_NESTING = (
    20  # levels: a quotation is one, a list two; text below is a paragraph
)
GROWING = "growing"  # in the environment: the text may go on
CLOSINGS = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
MONEY = re.compile(r"\$\d[\d.,]*[^\w\\$]{0,3}[^\W\d_]{2}")
SCRIPT = re.compile(
    r"(?P<mark>[~^])(?P<short>[-+\u2212]?\w{1,20}[-+\u2212]?)(?P=mark)(?!\d)"
    r"|<(?P<tag>su[bp])>(?P<long>[^<>\n]{1,200})</(?P=tag)>"
    r"|\[\^(?P<note>[\w-]{1,20})\]"
)
FOOTNOTE = re.compile(r"\[\^[\w-]{1,20}\]: ")
BACKTICKS = re.compile("`+")
LONGEST_WORD = 2000  # characters: searching it for addresses takes the square


def parser(renderer: type[RendererHTML] = RendererHTML) -> MarkdownIt:
    # At maxNesting the library drops the text. A list may end one level too deep.
    options: dict[str, object] = {"html": False, "linkify": True, "tasklists": True}
    options["maxNesting"] = DEEPEST_NESTING + 2
    markdown = MarkdownIt("commonmark", options, renderer_cls=renderer)
    markdown.linkify = _Addresses()
    markdown.block.ruler.before("table", "too_deep", _too_deep)
    interrupted: RuleOptionsType = {
        "alt": ["paragraph", "reference", "blockquote", "list"]
    }
    markdown.block.ruler.before("fence", "formula_block", _formula_block, interrupted)
    markdown.block.ruler.before("reference", "footnote", _footnote, interrupted)
    markdown.inline.ruler.before("escape", "formula", _formula)
    markdown.inline.ruler.before("backticks", "open_code", _open_code)
    markdown.inline.ruler.push("script", _script)
    markdown.inline.ruler2.after("balance_pairs", "open_marks", _close_open_marks)
    markdown.inline.ruler2.push("too_deep", _drop_deep_tags)
    return markdown.enable(["table", "strikethrough", "linkify"])


class _Addresses:
    """Finds addresses in plain text. A bare domain is none: it may name a file."""

    def __init__(self) -> None:
        self._linkify = LinkifyIt().add("ftp:", None).add("//", None)

    def pretest(self, text: str) -> bool:
        return "://" in text or "www." in text or "@" in text

    def test(self, text: str) -> bool:
        return self.pretest(text) and max(map(len, text.split())) <= LONGEST_WORD

    def match_at_start(self, text: str) -> Match | None:
        return self._linkify.match_at_start(text[:LONGEST_WORD])

    def match(self, text: str) -> list[Match]:
        found = self._linkify.match(text) or []
        return [link for link in found if link.schema or link.text.startswith("www.")]


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- the library's
    return state.level >= DEEPEST_NESTING and paragraph(state, start, end, silent)


def _footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    # A paragraph of its own, in its place: the reference rule would hide an address.
    found = FOOTNOTE.match(state.src, state.bMarks[start] + state.tShift[start])
    return bool(found) and (silent or paragraph(state, start, end, silent))


def _drop_deep_tags(state: StateInline) -> None:
    depth, kept = 0, []
    for token in state.tokens:
        depth += token.nesting == 1
        if depth <= DEEPEST_NESTING or not token.nesting:
            kept.append(token)
        depth -= token.nesting == -1
    state.tokens[:] = kept


def _close_open_marks(state: StateInline) -> None:
    """Of a growing text: emphasis lasts to its end, so that no bare mark is shown."""
    if not state.env.get(GROWING):
        return
    marks = state.delimiters
    closing = {mark.end for mark in marks}
    for place in reversed(range(len(marks))):
        mark = marks[place]
        if mark.open and mark.end < 0 and place not in closing:
            state.push("text", "", 0)
            last = len(state.tokens) - 1
            mark.end = len(marks)
            marks.append(Delimiter(mark.marker, mark.length, last, -1, False, True))  # noqa: FBT003 -- opens, closes


def _open_code(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 -- the library's
    found = BACKTICKS.match(state.src, state.pos, state.posMax)
    if not found or not state.env.get(GROWING):
        return False
    held = state.src[found.end() : state.posMax]
    if re.search(f"(?<!`){found[0]}(?!`)", held):
        return False
    if not silent and held:
        state.push("code_inline", "code", 0).content = held
    state.pos = state.posMax
    return True


def _formula_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    begin = state.bMarks[start] + state.tShift[start]
    opening = state.src[begin : begin + 2]
    if opening not in CLOSINGS or state.is_code_block(start):
        return False
    close = state.src.find(CLOSINGS[opening], begin + 2, begin + 2 + LONGEST_FORMULA)
    if close > 0:
        last = start + state.src.count("\n", begin, close)
    elif state.env.get(GROWING) and len(state.src) - begin < LONGEST_FORMULA:
        last = end - 1
    else:
        return False
    ends = last < end and not state.src[close + 2 : state.eMarks[last]].strip()
    if not (ends or close < 0) or not _continuous(state, range(start, last + 1)):
        return False
    if silent:
        return True
    whole = state.getLines(start, last + 1, state.blkIndent, keepLastLF=False).strip()
    token = state.push("formula_block", "", 0)
    token.content = whole[2:-2].strip() if close > 0 else ""
    token.markup = opening
    token.map = [start, last + 1]
    state.line = last + 1
    return True


def _continuous(state: StateBlock, lines: range) -> bool:
    return not any(
        state.isEmpty(line) or state.sCount[line] < state.blkIndent for line in lines
    )


def _formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    opening = state.src[state.pos : state.pos + 2]
    if opening not in CLOSINGS:
        opening = opening[:1]
    if opening not in CLOSINGS:
        return False
    begin = state.pos + len(opening)
    if opening == "$":
        close = _closing_dollar(state.src, state.pos, state.posMax)
    else:
        close = state.src.find(
            CLOSINGS[opening], begin, min(begin + LONGEST_FORMULA, state.posMax)
        )
    if close < 0 and state.env.get(GROWING) and _may_close(state, opening):
        state.pos = state.posMax
        return True
    if close <= begin or not state.src[begin:close].strip():
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = state.src[begin:close].strip()
        token.markup = opening
    state.pos = close + len(opening)
    return True


def _closing_dollar(text: str, opening: int, end: int) -> int:
    """The place of the closing dollar sign; -1 for money and without one."""
    if (
        text[opening + 1 : opening + 2].isspace()
        or text[opening - 1 : opening].isalnum()
    ):
        return -1
    close = text.find("$", opening + 1, min(opening + LONGEST_FORMULA, end))
    while close > 0 and text[close - 1] == "\\":
        close = text.find("$", close + 1, min(opening + LONGEST_FORMULA, end))
    if close < 0 or text[close - 1].isspace() or text[close + 1 : close + 2].isalnum():
        return -1
    return close


def _may_close(state: StateInline, opening: str) -> bool:
    held = state.src[state.pos : state.posMax]
    if opening != "$":
        return len(held) < LONGEST_FORMULA
    if "$" in held[1:] or held[1:2].isspace() or len(held) > 80:
        return False
    return not MONEY.match(held)


def _script(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    found = SCRIPT.match(state.src, state.pos, state.posMax)
    attached = state.pos > 0 and not state.src[state.pos - 1].isspace()
    if not found or (found["mark"] and not attached):
        return False
    if not silent:
        tag = found["tag"] or ("sub" if found["mark"] == "~" else "sup")
        maximum = state.posMax
        state.pos, state.posMax = found.span(found.lastgroup or 0)
        state.push(f"{tag}_open", tag, 1)
        state.md.inline.tokenize(state)
        state.push(f"{tag}_close", tag, -1)
        state.posMax = maximum
    state.pos = found.end()
    return True
