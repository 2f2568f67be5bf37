"""Formulas in LaTeX as MathML.

latex2mathml gives a tree of elements, some of whose text and attributes come from the
formula as they are. Only known elements and attributes are written, all text escaped.
"""

import logging
import re
from functools import lru_cache
from html import escape, unescape
from xml.etree.ElementTree import Element

from latex2mathml.converter import Converter

logger = logging.getLogger(__name__)

LONGEST_FORMULA = 2000  # characters
MATHML_TAGS = frozenset(
    "math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle"  # noqa: SIM905 -- reads better than 24 lines
    " msub msubsup msup mtable mtd mtext mtr munder munderover".split()
)
ATTRIBUTES = frozenset(
    "accent columnalign depth display displaystyle fence form height largeop"  # noqa: SIM905
    " linethickness lspace mathvariant maxsize minsize movablelimits notation rspace"
    " scriptlevel separator stretchy voffset width".split()
)
VALUE = re.compile(r"[a-z-]{1,24}|[+-]?\d?(?:\.\d{1,4})?(?:[a-z]{2})?")
NOT_UNDERSTOOD = re.compile(r"\\[a-zA-Z]|&$")
OTHER_NAMES = {"{aligned}": "{split}", "{gathered}": "{matrix}"}


class _NoMacros(dict[str, tuple[list[str], int]]):
    def __setitem__(self, name: str, macro: tuple[list[str], int]) -> None:
        # A few nested macros expand to millions of tokens.
        raise ValueError("a formula defines a macro")


@lru_cache(maxsize=500)  # a growing paragraph is rendered many times
def to_mathml(latex: str, *, display: bool) -> str | None:
    """The formula as a math element; None if it is malformed, too long or too deep."""
    if len(latex) > LONGEST_FORMULA:
        return None
    for name, known in OTHER_NAMES.items():
        latex = latex.replace(name, known)
    converter = Converter(display="block" if display else "inline")
    converter.macros = _NoMacros()
    try:
        return _written(converter.convert_to_element(latex))
    except Exception as error:  # noqa: BLE001 -- the library raises errors of many kinds
        logger.info("formula shown as its source: %s", type(error).__name__)
        return None


def _written(element: Element, depth: int = 0) -> str:
    text = unescape(element.text or "")  # the library writes symbols as references
    if element.tag not in MATHML_TAGS or depth > 40:
        raise ValueError("an element that is unknown or too deep")
    if NOT_UNDERSTOOD.match(text) and element.tag != "mtext":
        raise ValueError("an unknown command or environment")
    attributes = "".join(
        f' {name}="{value}"'
        for name, value in element.attrib.items()
        if name in ATTRIBUTES and VALUE.fullmatch(value)
    )
    children = "".join(_written(child, depth + 1) for child in element)
    return f"<{element.tag}{attributes}>{escape(text)}{children}</{element.tag}>"
