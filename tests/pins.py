"""Requirements files that contradict themselves: `python -m tests.pins` (`make check`).

pip installs them with --no-deps and so looks at nothing. What packages require is read
from those that are installed here.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
EMBEDDER = "requirements-embedder.txt"
# The files that make each environment. That of `make bench` runs pip's check itself.
# requirements-llama.txt brings a model's file without the programs that it requires.
ENVIRONMENTS = (
    ("requirements.txt", EMBEDDER),
    ("requirements-tracing.txt", EMBEDDER),
    ("requirements-dev.txt", EMBEDDER),
)
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s\\;]+)", re.MULTILINE)


def pins(*texts: str) -> dict[str, str]:
    found = [pin for text in texts for pin in PIN.findall(text)]
    return {canonicalize_name(name): version for name, version in found}


def contradictions(pinned: dict[str, str]) -> Iterator[str]:
    """What a package requires, and the pins do not have."""
    for name, version in pinned.items():
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            yield f"{name} is not installed"
            continue
        if installed.version != version:
            yield f"{name} {version} is pinned, {installed.version} is installed"
        for required in map(Requirement, installed.requires or ()):
            if required.marker and not required.marker.evaluate({"extra": ""}):
                continue
            found = pinned.get(canonicalize_name(required.name), "")
            if not found or not required.specifier.contains(found, prereleases=True):
                yield f"{name} requires {required}; pinned is {found or 'none'}"


def main() -> int:
    status = 0
    for files in ENVIRONMENTS:
        pinned = pins(*[(ROOT / name).read_text() for name in files])
        for problem in contradictions(pinned):
            sys.stderr.write(f"{files[0]}: {problem}\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
