"""Sections share one budget: items are dropped whole, lowest priority first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.reply.prompt.sections import REQUIRED, Section, fit
from meddie.ai.tokens import estimate

WORDS = [f"{number} is a fact of some length" for number in range(30)]


def lengths(sections):
    return {section.key: len(section.items) for section in sections}


def test_all_sections_are_kept_within_the_budget():
    sections = [Section("a", "# A", WORDS, 1), Section("b", "", WORDS, 2)]
    assert fit(sections, 10_000) == sections


def test_the_lowest_priority_loses_its_last_items_first():
    low, high = Section("low", "", WORDS, 1), Section("high", "", WORDS, 2)
    whole = sum(estimate(word) + 2 for word in WORDS)
    fitted = fit([low, high], int(1.5 * whole))
    assert [section.key for section in fitted] == ["low", "high"]
    assert fitted[0].items == WORDS[: len(fitted[0].items)]
    assert 0 < len(fitted[0].items) < len(fitted[1].items) == len(WORDS)


def test_required_sections_are_kept_above_the_budget():
    sections = [Section("must", "", WORDS), Section("may", "# May", WORDS, 1)]
    assert lengths(fit(sections, 10)) == {"must": len(WORDS)}


def test_a_section_without_items_is_left_out():
    assert fit([Section("empty", "# Empty", [], 1)], 100) == []


def test_heading_and_items_are_lines():
    assert Section("a", "# A", ["- one", "- two"]).text == "# A\n- one\n- two"


@pytest.mark.req("S0-31")
@given(
    st.lists(st.lists(st.text(max_size=60), max_size=8), min_size=1, max_size=5),
    st.lists(st.sampled_from([1, 2, 3, REQUIRED]), min_size=5, max_size=5),
    st.integers(0, 200),
)
def test_fitted_sections_keep_their_order_and_the_budget(items, priorities, budget):
    sections = [
        Section(str(number), "# Heading", texts, priority)
        for number, (texts, priority) in enumerate(zip(items, priorities, strict=False))
    ]
    fitted = fit(sections, budget)
    assert [s.key for s in fitted] == sorted(s.key for s in fitted)
    shortened = [s for s in fitted if s.priority < REQUIRED]
    used = sum(estimate(s.text) for s in shortened)
    assert used <= budget
    for section in fitted:
        whole = sections[int(section.key)].items
        assert list(section.items) == list(whole[: len(section.items)])
