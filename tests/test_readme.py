"""The README and the pages for operators and developers are true."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.management import get_commands

ROOT = Path(__file__).parent.parent
MIGRATIONS = {"memory/migrations/"}


@pytest.mark.req("S3-74")
def test_docs_name_each_folder_of_memory_and_no_module_that_is_gone():
    text = (ROOT / "docs/developing.md").read_text()
    named = set(re.findall(r"^\| `(memory/[\w/.]+)` \|", text, re.MULTILINE))
    assert {path for path in named if not (ROOT / path).exists()} == set()
    folders = {
        f"memory/{path.parent.name}/" for path in ROOT.glob("memory/*/__init__.py")
    }
    assert folders - MIGRATIONS == {path for path in named if path.endswith("/")}
    assert {"memory/service.py", "memory/visibility.py"} <= named


TEXT = (ROOT / "README.md").read_text()
PAGES = "".join(
    (ROOT / name).read_text()
    for name in ("README.md", "docs/operating.md", "docs/developing.md")
)
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGES, re.MULTILINE | re.DOTALL)
LINES = "".join(BLOCKS).splitlines()


def test_commands_run_in_the_environment_and_exist():
    named = re.findall(r"manage\.py (\w+)", PAGES)
    assert set(named) <= set(get_commands())
    own = [line for line in LINES if "docker" not in line and "manage.py" in line]
    assert [line for line in own if not line.startswith(".venv/bin/python ")] == []
    targets = re.findall(r"^(?:\w+=\S+ )?make ([\w-]+)", "\n".join(LINES), re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text()
    assert [name for name in targets if f"\n{name}:" not in makefile] == []


def test_three_lines_without_make_name_what_make_runs():
    first, install, run = next(
        block for block in BLOCKS if "venv .venv" in block
    ).split("\n")[:3]
    makefile = (ROOT / "Makefile").read_text()
    assert first == "python3 -m venv .venv"
    assert f"INSTALLATION := {install.split()[-1]}\n" in makefile
    assert f"$(PY) {run.removeprefix('.venv/bin/python ')} --end" in makefile


def test_recipes_name_settings():
    recipes = [block for block in BLOCKS if block.startswith("OPENAI_")]
    names = [line.split("=")[0] for block in recipes for line in block.splitlines()]
    assert len(names) == 6
    assert [name for name in names if not hasattr(settings, name)] == []


def test_docker_section_names_services_and_makes_usable_secrets(tmp_path):
    compose = (ROOT / "compose.yaml").read_text()
    docker = next(block for block in BLOCKS if "docker compose up" in block)
    secrets, _, rest = docker.partition("docker")
    assert re.findall(r"exec (\w+)", rest) == ["web"]
    assert "\n  web:\n" in compose
    subprocess.run(["/bin/sh", "-ec", secrets], cwd=tmp_path, check=True)
    written = dict(
        line.split("=", 1) for line in (tmp_path / ".env").read_text().splitlines()
    )
    assert len(written["SECRET_KEY"]) == 64
    Fernet(written["FIELD_KEYS"])
    assert all(f"${{{name}:?" in compose for name in written)


def test_picture_is_there_and_says_that_it_needs_a_key():
    [picture] = re.findall(r"^!\[.*\]\((.+)\)$", TEXT, re.MULTILINE)
    assert (ROOT / picture).exists()
    assert "with a key" in TEXT.partition(picture)[2][:100]


def test_licence_is_apache():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
