"""Would the tests notice? Breaks one line at a time and runs the tests that should.

`python -m tests.mutants [word ...]` takes the mutants of mutants.toml (those whose name
holds one of the words, if any are given), two at a time, each in a copy of the work
tree, and exits with 1 when too many go unnoticed. A mutant is noticed when a test fails;
a run that hangs, or cannot even begin, proves nothing and does not count.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutants.toml"
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "htmlcov", "staticfiles")
AT_ONCE = 2
PATIENCE = 180
"""Seconds that the tests of one mutant may take."""
NEEDED = 0.9
"""The share of the mutants that must be noticed: 27 of 30."""
OF_THIS_RUN = re.compile(r"MEDDIE_|DATABASE_|REDIS_|OPENAI_|PYTEST_|COVERAGE_|DJANGO_")
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One line, how it is broken, and the tests that should mind.

    `old` stands exactly once in the file; it may hold neighbouring lines to be unique.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tests said. `detail` is the test that noticed, or what went wrong."""

    mutant: Mutant
    word: str
    detail: str
    seconds: float

    @property
    def noticed(self) -> bool:
        return self.word == "noticed"


def mutants(text: str) -> list[Mutant]:
    """The list as it stands in the file."""
    return [
        Mutant(**entry | {"tests": tuple(entry["tests"])})
        for entry in tomllib.loads(text)["mutant"]
    ]


def problems(listed: Sequence[Mutant], root: Path) -> Iterator[str]:
    """What in the list no longer fits the code, a sentence each."""
    for mutant in listed:
        path = root / mutant.file
        times = path.read_text().count(mutant.old) if path.exists() else 0
        if times != 1:
            yield f"{mutant.name}: its line stands {times} times in {mutant.file}."
        if lines_changed(mutant) != 1:
            yield f"{mutant.name}: it changes {lines_changed(mutant)} lines, not one."
        for test in mutant.tests:
            if not (root / test.partition("::")[0]).exists():
                yield f"{mutant.name}: there is no {test}."


def lines_changed(mutant: Mutant) -> int:
    """How many lines differ; all of them where the number of lines does."""
    old, new = mutant.old.splitlines(), mutant.new.splitlines()
    if len(old) != len(new):
        return max(len(old), len(new))
    return sum(one != other for one, other in zip(old, new, strict=True))


@contextmanager
def broken(mutant: Mutant, copy: Path) -> Iterator[None]:
    """The copy with the mutant's line in it."""
    path = copy / mutant.file
    whole = path.read_text()
    path.write_text(whole.replace(mutant.old, mutant.new))
    try:
        yield
    finally:
        path.write_text(whole)


def run_tests(copy: Path, tests: Sequence[str]) -> tuple[int | None, str]:
    """Exit code (None: took too long) and output of pytest in a copy.

    Nothing of this run reaches it, so that it starts servers of its own, and no byte
    code is kept: it would be taken for that of a line of the same length.
    """
    environment = {k: v for k, v in os.environ.items() if not OF_THIS_RUN.match(k)}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, _ended(process)
    return process.returncode, output


def _ended(process: "subprocess.Popen[str]") -> str:
    """Ask for an orderly end, so that the run takes its servers with it."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=20)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def judge(mutant: Mutant, copies: "Queue[Path]") -> Verdict:
    """Run the mutant's tests over it, in the next copy that is free."""
    copy = copies.get()
    try:
        began = time.monotonic()
        with broken(mutant, copy):
            code, output = run_tests(copy, mutant.tests)
        seconds = time.monotonic() - began
    finally:
        copies.put(copy)
    if code == 1:
        failed = FAILED.search(output)
        return Verdict(mutant, "noticed", failed[1] if failed else "", seconds)
    if code == 0:
        return Verdict(mutant, "UNNOTICED", mutant.file, seconds)
    word = "TOO SLOW" if code is None else "NO VERDICT"
    return Verdict(mutant, word, output.strip().rpartition("\n")[2], seconds)


def report(verdict: Verdict) -> None:
    """One line on one mutant, at once."""
    sys.stdout.write(
        f"{verdict.word:10}  {verdict.seconds:4.0f} s  {verdict.mutant.name}"
        f"  ({verdict.detail})\n"
    )
    sys.stdout.flush()


def run(chosen: Sequence[Mutant], folder: Path) -> list[Verdict]:
    """Judge mutants in copies below a folder; whole code first, which has to pass.

    Raises Unfit where it does not.
    """
    copies: Queue[Path] = Queue()
    for number in range(AT_ONCE):
        copy = folder / f"copy{number}"
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED, symlinks=True)
        copies.put(copy)
    tests = sorted({test for mutant in chosen for test in mutant.tests})
    code, output = run_tests(folder / "copy0", tests)
    if code != 0:
        raise Unfit(f"The tests do not pass over the unbroken code:\n{output[-3000:]}")
    verdicts = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for verdict in pool.map(lambda mutant: judge(mutant, copies), chosen):
            report(verdict)
            verdicts.append(verdict)
    return verdicts


class Unfit(Exception):
    """The tests cannot judge anything."""


def main(words: Sequence[str]) -> int:
    """Judge the mutants that are asked for, and say how many were noticed."""
    listed = mutants(LIST.read_text())
    wrong = list(problems(listed, ROOT))
    if wrong:
        sys.stderr.write("\n".join(wrong) + "\n")
        return 1
    chosen = [m for m in listed if not words or any(w in m.name for w in words)]
    with tempfile.TemporaryDirectory(prefix="meddie-mutants-") as folder:
        Path(folder).chmod(0o711)
        try:
            verdicts = run(chosen, Path(folder))
        except Unfit as reason:
            sys.stderr.write(f"{reason}\n")
            return 1
    noticed = sum(verdict.noticed for verdict in verdicts)
    sys.stdout.write(f"{noticed} of {len(verdicts)} mutants noticed.\n")
    return 0 if noticed >= NEEDED * len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
