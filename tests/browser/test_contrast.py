"""WCAG's contrast of the colours in both themes, also of states that axe never meets."""

import re
from pathlib import Path

TOKEN = re.compile(r"--(\w[\w-]*): light-dark\((#\w{6}), (#\w{6})\)")


def test_text_has_the_required_contrast():
    css = (Path(__file__).parents[2] / "static" / "tokens.css").read_text()
    tokens = {name: pair for name, *pair in TOKEN.findall(css)}
    for theme in (0, 1):
        colour = {name: pair[theme] for name, pair in tokens.items()}
        for ground in ("paper", "raised"):
            assert contrast(colour["ink"], colour[ground]) >= 7
            for text in ("quiet", "accent", "loss"):
                assert contrast(colour[text], colour[ground]) >= 4.5
            assert contrast(colour["edge"], colour[ground]) >= 3
        assert contrast(colour["on-accent"], colour["accent"]) >= 4.5
        assert contrast(colour["on-loss"], colour["loss"]) >= 4.5


def contrast(one: str, other: str) -> float:
    """WCAG's ratio of two colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
