"""Drawings by hand: SVG that reads well in light and in dark. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 760, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 76, 40
LIGHT = ("#1f6f5c", "#58b09c", "#5b6abf", "#c2703d", "#8a8f98", "#b5527a")
DARK = ("#4fc3a1", "#a3e0d0", "#94a2ff", "#f0a66f", "#a0a6b0", "#e58bb0")
Series = Mapping[str, Sequence[float | None]]
"""Values by name, one for each place on the horizontal axis."""


def bars(title: str, places: Sequence[str], series: Series, unit: str) -> str:
    """Groups of bars that begin at zero."""
    top = _nice(max(_values(series)))
    scale = (HEIGHT - TOP - BOTTOM) / top
    step = (WIDTH - LEFT - RIGHT) / len(places)
    width = step * 0.8 / len(series)
    drawn = [_grid(value, HEIGHT - BOTTOM - value * scale) for value in _steps(top)]
    for number, (name, values) in enumerate(series.items()):
        for place, value in enumerate(values):
            if value is None:
                continue
            x = LEFT + step * (place + 0.1) + width * number
            y = HEIGHT - BOTTOM - value * scale
            drawn.append(
                f'<rect class="c{number}" x="{x:.1f}" y="{y:.1f}" width="{width - 1.5:.1f}"'
                f' height="{value * scale:.1f}" rx="1.5"><title>{escape(name)}:'
                f" {_figure(value)} {unit}</title></rect>"
            )
            drawn.append(_text(x + width / 2, y - 4, _figure(value), "value"))
    middles = [LEFT + step * (n + 0.5) for n in range(len(places))]
    return _page(title, unit, [*drawn, *_names(places, middles)], list(series))


def lines(title: str, places: Sequence[float], series: Series, unit: str) -> str:
    """Lines over a logarithmic scale both ways: a straight line is a power."""
    values = _values(series)
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    scale = (HEIGHT - TOP - BOTTOM) / max(high - low, 1)
    drawn = [
        _grid(10.0**power, _height(10.0**power, low, scale))
        for power in range(low, high + 1)
    ]
    span = math.log10(places[-1] / places[0])
    wide = WIDTH - LEFT - RIGHT - 60
    across = [LEFT + 30 + wide * math.log10(p / places[0]) / span for p in places]
    for number, line in enumerate(series.values()):
        points = [
            (x, _height(value, low, scale))
            for x, value in zip(across, line, strict=True)
            if value is not None
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline class="l{number}" points="{path}"/>')
        drawn += [f'<circle class="c{number}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in points]  # fmt: skip
    drawn += _names([f"{place:,.0f}" for place in places], across)
    return _page(title, unit, drawn, list(series))


def _height(value: float, low: int, scale: float) -> float:
    return HEIGHT - BOTTOM - (math.log10(value) - low) * scale


def _values(series: Series) -> list[float]:
    return [value for line in series.values() for value in line if value is not None]


def _nice(value: float) -> float:
    """The next round number."""
    power: float = 10.0 ** math.floor(math.log10(value))
    return next(power * n for n in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * n >= value)


def _steps(top: float) -> Iterable[float]:
    return (top * n / 4 for n in range(5))


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.3g}"


def _grid(value: float, y: float) -> str:
    line = f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return line + _text(LEFT - 8, y + 4, _figure(value), "axis")


def _names(names: Sequence[str], middles: Sequence[float]) -> list[str]:
    y = HEIGHT - BOTTOM + 20
    return [_text(x, y, name, "place") for x, name in zip(middles, names, strict=True)]


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _legend(names: Sequence[str]) -> Iterable[str]:
    x = float(LEFT)
    for number, name in enumerate(names):
        yield f'<rect class="c{number}" x="{x:.0f}" y="42" width="11" height="11" rx="2"/>'
        yield _text(x + 16, 52, name, "name")
        x += 34 + 6.6 * len(name)


def _colours(colours: Sequence[str]) -> str:
    return "".join(
        f".c{n}{{fill:{colour}}}.l{n}{{fill:none;stroke:{colour};stroke-width:2.2}}"
        for n, colour in enumerate(colours)
    )


def _page(title: str, unit: str, drawn: Iterable[str], names: Sequence[str]) -> str:
    style = (
        "text{font:12px system-ui,sans-serif;fill:#30343b}.title{font-size:15px;"
        "font-weight:600}.value{font-size:10px;text-anchor:middle}.axis{text-anchor:end;"
        "font-size:11px}.place{text-anchor:middle}.grid{stroke:#8885;stroke-width:.7}"
        f"{_colours(LIGHT)}@media(prefers-color-scheme:dark){{text{{fill:#d9dce2}}"
        f"{_colours(DARK)}}}"
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' role="img" aria-label="{escape(title)}"><style>{style}</style>'
    )
    heading = _text(LEFT, 24, f"{title}, {unit}", "title")
    return "\n".join([head, heading, *_legend(names), *drawn, "</svg>", ""])
