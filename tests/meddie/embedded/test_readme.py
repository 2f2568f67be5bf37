"""Every block of the README works as it is written, where it can be run at all."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.meddie.embedded.stack import PROJECT, Stack, data_folder, run

README = (PROJECT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
RECIPES = [text for kind, text in BLOCKS if text.startswith("OPENAI_")]
ELSEWHERE = (  # tests/test_readme.py compares these with what they name
    ".venv/bin/python meddie/embedded/installation.py",
    "docker compose up",
    "make test",
    "conversations   threads",
)


def block(part: str) -> str:
    (found,) = [text for _kind, text in BLOCKS if part in text]
    return found


def test_every_block_is_run_here_or_compared_elsewhere() -> None:
    here = [
        block("make run"),
        block("Answers come from"),
        block("make clean"),
        *RECIPES,
    ]
    known = {*here, *map(block, ELSEWHERE)}
    assert [text for _kind, text in BLOCKS if text not in known] == []


def test_make_run_prints_what_the_page_shows() -> None:
    shown = block("Answers come from").splitlines()
    # These tests may run under make, which tells the inner one to name its folder.
    outside = {"MAKEFLAGS": "", "MAKELEVEL": ""}
    command = block("make run").split()
    with data_folder() as data:
        stack = Stack(data, command=command, environment=outside).start()
        said = [line.replace(str(stack.port), "8000") for line in stack.lines()]
        stack.end(signal.SIGTERM)
        assert stack.left_over() == []
    pattern = r"(Sign in: .+ / ).+"
    assert [re.sub(pattern, r"\1<password>", line) for line in said][:3] == shown


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipe_starts_with_its_provider(recipe: str, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(recipe)
    program = "from meddie.ai.provider import current_provider as p; print(p().name)"
    unset = [
        "/usr/bin/env",
        *[f"-u{line.split('=')[0]}" for line in recipe.splitlines()],
    ]
    code, said = run(
        [*unset, sys.executable, "manage.py", "shell", "-v0", "-c", program],
        ENV_FILE=str(file),
    )
    assert (code, "offline" in said) == (0, False), said


def test_make_clean_leaves_the_data(tmp_path: Path) -> None:
    """In a copy: it removes the environments."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=PROJECT, text=True)
    for name in filter(None, listed.split("\0")):
        if (PROJECT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, tmp_path / name)
    for name in (".venv", ".data"):
        (tmp_path / name).mkdir()
    first, second = block("make clean").splitlines()
    subprocess.run(["/bin/sh", "-ec", first], cwd=tmp_path, check=True)
    assert not (tmp_path / ".venv").exists()
    assert (tmp_path / ".data").exists()
    subprocess.run(
        ["/bin/sh", "-ec", second.replace("make", "make -n")], cwd=tmp_path, check=True
    )
