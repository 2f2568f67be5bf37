"""Code as HTML whose words have classes for colours."""

from html import escape

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, String, _TokenType

LONGEST_CODE = 6000  # characters; longer code stays plain
# Not C, C++ and Java: their lexers take seconds for a page of blank lines.
LANGUAGES = frozenset(
    "bash csharp css diff go html ini javascript js json kotlin php py python r ruby"  # noqa: SIM905 -- reads better than 25 lines
    " rust sh sql swift toml ts typescript xml yaml yml".split()
)
CLASSES: dict[_TokenType, str] = {
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


def highlight(code: str, language: str) -> str:
    """The code escaped, with spans if the language is known."""
    language = language.lower()
    if language not in LANGUAGES or len(code) > LONGEST_CODE:
        return escape(code)
    if language not in _lexers:
        _lexers[language] = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    return "".join(
        _span(kind, text) for kind, text in _lexers[language].get_tokens(code)
    )


def _span(kind: _TokenType, text: str) -> str:
    while kind not in CLASSES and kind.parent:
        kind = kind.parent
    if kind not in CLASSES or not text.strip():
        return escape(text)
    return f'<span class="{CLASSES[kind]}">{escape(text)}</span>'
