"""Texts for property tests that reach the branches of the code they are for."""

from hypothesis import strategies as st

UNRULY = "ab e\u0301\u200b\u200d\x00\x07\x85\t\r\n\u2028\ud800"

unruly_texts = st.text(st.sampled_from(UNRULY) | st.characters())
"""Combining and control characters, line breaks and halves of pairs."""

marked_texts = st.lists(
    st.sampled_from(["#", ">", "-", "*", "`", "```", "~~~", "\n", " ", "\u2028"])
    | st.text(max_size=8),
    max_size=30,
).map("".join)
"""Markdown at every place."""
