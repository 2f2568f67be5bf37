"""Formulas as MathML."""

import time

from hypothesis import example, given
from hypothesis import strategies as st

from meddie.markdown.formulas import ATTRIBUTES, MATHML_TAGS, to_mathml
from tests.corpus import each_of
from tests.meddie.markdown.texts import Tags

PARTS = st.sampled_from(
    [
        "{", "}", "^", "_", "x", "1", "&", "\\\\", "\\frac", "\\sqrt[", "\\left(", "\\right)",
        "\\text{<b onclick=x>}", "\\href{javascript:x}{y}", "\\class{a}{b}", "\\style{x:y}{z}",
        "\\color{red}", "\\unicode{x3c}", "&lt;", "&#60;", "<script>", "</math>", "\"'",
        "\\begin{matrix}", "\\end{matrix}", "\\hbox{$", "\\verb|", "\\operatorname{a}", "]]>",
        "\\def\\a{\\a\\a}", "\\a", "\\newcommand{\\b}{\\b\\b}", "\\hspace{9999em}", "%", "'",
    ]
)  # fmt: skip
LATEX = st.lists(st.one_of(PARTS, st.text(max_size=3)), max_size=12).map("".join)


@given(LATEX, st.booleans())
@example(r"\text{<img src=x onerror=alert(1)>}", True)
@example(r"\text{&lt;script&gt;}", True)
@example(r"\text{&#x3c;script&#x3e;}", False)
@example(r"\mbox{</mtext></math><script>}", True)
def test_only_known_elements_attributes_and_escaped_text(
    latex: str, display: bool
) -> None:
    mathml = to_mathml(latex, display=display)
    if mathml is None:
        return
    seen = Tags()
    seen.feed(mathml)
    for tag, attributes in seen.seen:
        assert tag in MATHML_TAGS
        assert set(attributes) <= ATTRIBUTES
    assert mathml.count("<") == 2 * len(seen.seen)


@each_of(
    ("latex", "mathml"),
    [
        ("E = mc^2", "<msup><mi>c</mi><mn>2</mn></msup>"),
        (r"\frac{a}{b}", "<mfrac>"),
        (r"\begin{aligned}a&=b\\&=c\end{aligned}", "<mtable"),
        (r"\begin{cases}a&b\\c&d\end{cases}", 'columnalign="left"'),
        (r"60\,\text{kg}", "<mtext>kg</mtext>"),
        ("a < b", "<mo>&lt;</mo>"),
    ],
)
def test_formula_becomes_mathml(latex: str, mathml: str) -> None:
    assert mathml in (to_mathml(latex, display=True) or "")


@each_of(
    "latex",
    [
        r"\frac{", r"\left( x", "x^2^3", r"\ce{H2O}", r"\begin{nonsense}a&b\end{nonsense}",
        r"\def\a{\b\b}\a", r"\newcommand{\a}{x}\a", "{" * 60 + "x" + "}" * 60,
        r"\sqrt" * 300 + "x", "x" * 100_000,
    ],
)  # fmt: skip
def test_malformed_and_hostile_formulas_are_refused(latex: str) -> None:
    assert to_mathml(latex, display=True) is None


def test_size_of_spaces_is_bounded() -> None:
    assert "9999" not in (
        to_mathml(r"x\hspace{9999em}\rule{9999em}{9999em}", display=True) or ""
    )


@each_of(
    "piece",
    [
        "{",
        "'",
        r"\frac",
        r"\sqrt{",
        r"\left(",
        r"\begin{matrix}",
        "a&",
        r"\not",
        "x_",
        r"\hbox{$",
    ],
)
def test_longest_formula_takes_less_than_a_second(piece: str) -> None:
    began = time.thread_time()
    to_mathml((piece * 2000)[:2000], display=True)
    assert time.thread_time() - began < 1
