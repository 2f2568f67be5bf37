"""Code with classes for its colours."""

import re
import time
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from meddie.markdown.html import HIGHLIGHTED, TOKEN_CLASSES, highlight
from tests.corpus import each_of

PYTHON = 'def f(x):  # half\n    return "a<b" + 1\n'


def test_words_of_known_languages_have_classes() -> None:
    html = highlight(PYTHON, "Python")
    assert '<span class="keyword">def</span>' in html
    assert '<span class="name">f</span>' in html
    assert '<span class="comment"># half</span>' in html
    assert "a&lt;b" in html


@each_of("language", ["", "what", "__import__", "c", "../../etc"])
def test_other_languages_stay_plain(language: str) -> None:
    assert "<span" not in highlight(PYTHON, language)


@given(st.sampled_from(sorted(HIGHLIGHTED)), st.text(max_size=60))
def test_no_character_is_lost_and_no_other_tag_written(
    language: str, code: str
) -> None:
    html = highlight(code, language)
    assert set(re.findall(r"<[^>]*>", html)) <= {
        "</span>",
        *(f'<span class="{name}">' for name in TOKEN_CLASSES.values()),
    }
    plain = unescape(re.sub(r"<[^>]*>", "", html))
    assert plain == code.replace("\r\n", "\n").replace("\r", "\n")


@each_of("language", sorted(HIGHLIGHTED))
def test_hostile_code_takes_less_than_two_seconds(language: str) -> None:
    for piece in ("\n", "$", "@", "a:", "<!--", '"', "/*", "("):
        began = time.thread_time()
        highlight((piece * 6000)[:6000], language)
        assert time.thread_time() - began < 2


def test_long_code_stays_plain_and_costs_little() -> None:
    began = time.thread_time()
    assert "<span" not in highlight(PYTHON * 5000, "python")
    assert time.thread_time() - began < 0.1
