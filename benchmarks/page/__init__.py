"""docs/performance.md and its drawings, made from the figures and nothing else."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.page import (
    capture,
    growth,
    large,
    quality,
    recall,
    size,
    throughput,
    web,
)
from benchmarks.page.section import Section

SECTIONS: Mapping[str, Callable[[Any], Section]] = {
    "quality": quality.section,
    "recall": recall.section,
    "throughput": throughput.section,
    "growth": growth.section,
    "capture": capture.section,
    "first_token": web.first_token,
    "streams": web.streams,
    "pages": web.pages,
    "telegram": web.telegram,
    "size": size.section,
    "large": large.section,
}
HEAD = """# Performance

Measured by `make bench` (and `make bench-large`), which write this page and
`performance.json`; no figure here is typed. Everything that is compared took its turn in
the same run, round by round, on the same machine, with the same embedding model
(all-MiniLM-L6-v2, on the processor) and the same PostgreSQL where it has one. Absolute
times depend on what else the machine did (its load is given); ratios much less.
"""


def write(figures: Mapping[str, Any], folder: Path) -> None:
    """Write the page and the drawings of what has been measured."""
    drawings = folder / "performance"
    drawings.mkdir(exist_ok=True)
    parts = [HEAD]
    for name, make in SECTIONS.items():
        if name not in figures:
            continue
        section = make(figures[name]["figures"])
        parts += [f"## {section.title}", section.text.strip()]
        for drawing, svg in section.drawings.items():
            (drawings / f"{drawing}.svg").write_text(svg)
            parts.append(f"![{drawing}](performance/{drawing}.svg)")
        parts.append(_measured(figures[name]["measured"]))
    (folder / "performance.md").write_text("\n\n".join(map(str.strip, parts)) + "\n")


def _measured(machine: Mapping[str, Any]) -> str:
    versions = ", ".join(f"{name} {v}" for name, v in machine["versions"].items())
    return (
        f"*Measured on {machine['date']}: {machine['cores']} cores"
        f" ({machine['processor']}), {machine['memory_gib']} GiB, {machine['system']},"
        f" load {machine['load_before']} before it began; Python {machine['python']},"
        f" {versions}.*"
    )
