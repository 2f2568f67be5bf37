"""The README and the pages for operators and developers are true."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.management import get_commands

from meddie.environment import MAX_BODY_MB
from meddie.version import VERSION
from tests.browser import readme_pictures
from tests.meddie.embedded.stack import run

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
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
    for name in (
        *("README.md", "CONTRIBUTING.md", "docs/operating.md", "docs/developing.md"),
        *("docs/settings.md", "docs/deploy.md", "docs/upgrading.md"),
    )
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


def test_diagram_has_the_layers_that_are_checked():
    [diagram] = re.findall(r"^```text\n(conversations .*?)^```", TEXT, re.M | re.S)
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    [checked] = [
        contract["layers"]
        for contract in tools["importlinter"]["contracts"]
        if contract["name"] == "Apps depend downwards only"
    ]
    assert re.findall(r"^ *([\w.]+)   ", diagram, re.MULTILINE) == checked[1:]


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
    services = re.findall(r"compose exec (?:-T )?(\w+)", PAGES)
    assert set(services) == set(re.findall(r"exec (\w+)", rest)) == {"web"}
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


@pytest.mark.slow
def test_variables_of_a_deployment_are_accepted(tmp_path):
    [start] = [block for block in BLOCKS if "git clone" in block]
    _clone, cat, written = start.partition("cat >> .env")
    lines = f"{cat}{written.partition('docker')[0]}"
    subprocess.run(["/bin/sh", "-ec", lines], cwd=tmp_path, check=True)
    code, said = run(
        ["/usr/bin/env", "-uOPENAI_API_KEY", sys.executable, "manage.py", "check"],
        ENV_FILE=str(tmp_path / ".env"),
    )
    assert (code, "no issues" in said) == (0, True), said


def test_proxies_let_through_what_meddie_takes():
    page = (DOCS / "deploy.md").read_text()
    assert f"client_max_body_size {MAX_BODY_MB}m;" in page
    assert f"max_size {MAX_BODY_MB}MB" in page


def test_readme_is_short_and_leads_to_every_page():
    assert len(TEXT.splitlines()) <= 180
    linked = set(re.findall(r"\]\(docs/(\w+\.md)", TEXT))
    assert linked == {path.name for path in DOCS.glob("*.md")}


def test_links_of_pages_lead_somewhere():
    for path in [*ROOT.glob("*.md"), *DOCS.glob("*.md")]:
        for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
            name, _, heading = link.partition("#")
            if not link.startswith("https://"):
                target = path.parent / name if name else path
                assert target.exists(), f"{path.name}: {link}"
                assert not heading or heading in headings(target), (
                    f"{path.name}: {link}"
                )


def headings(page: Path) -> set[str]:
    """Their anchors, as GitHub makes them."""
    found = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in found}


def test_changelog_begins_with_this_version():
    text = (ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(
        r"^## \[(\d[\d.]*)\] - \d{4}-\d{2}-\d{2}$", text, re.MULTILINE
    )
    assert versions[0] == VERSION
    assert "## [Unreleased]" in text.partition(f"[{VERSION}]")[0]


def test_pictures_are_of_the_pages_as_they_are():
    """`make readme-pictures` takes them again."""
    made_from = json.loads(readme_pictures.MADE_FROM.read_text())
    shown = set(re.findall(r"\(docs/screenshots/([\w-]+)\.png\)", TEXT))
    assert made_from.keys() == readme_pictures.PICTURES.keys() == shown
    assert {path.stem for path in readme_pictures.FOLDER.glob("*.png")} == shown
    stale = {
        (picture, name)
        for picture, files in made_from.items()
        for name, digest in files.items()
        if readme_pictures.digest(
            (DOCS / "screenshots" if name.endswith(".png") else ROOT / "templates")
            / name
        )
        != digest
    }
    assert stale == set()


COMPARED = (DOCS / "compare.md").read_text()
OWN_COLUMN = [
    line.split(" | ")[5].removesuffix(" |")
    for line in COMPARED.splitlines()
    if line.startswith("| ") and line.count(" | ") == 5
][1:]


def test_comparison_says_of_meddie_nothing_without_the_section_that_shows_it():
    said = [cell for cell in OWN_COLUMN if cell and not cell.startswith("no<!-- ")]
    assert len(said) > 15
    assert [cell for cell in said if not re.fullmatch(r"\[[^\]]+\]\(\S+\)", cell)] == []
    for page, heading in re.findall(
        r"\]\(([\w./]+\.md)(?:#([\w-]+))?\)", "".join(said)
    ):
        headings = re.findall(r"^#+ (.+)$", (DOCS / page).read_text(), re.MULTILINE)
        anchors = {
            re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings
        }
        assert not heading or heading in anchors


def test_nothing_that_the_comparison_denies_is_on_a_page():
    """A "no" names in a comment what the pages would say if it was there."""
    worse = re.findall(r"^- \*\*.*?(?=^- |^$|^#)", COMPARED, re.MULTILINE | re.DOTALL)
    absent = re.compile(r"<!-- absent: (.+?) -->")
    denied = [cell for cell in OWN_COLUMN if cell.startswith("no")]
    assert [text for text in (*denied, *worse) if not absent.search(text)] == []
    assert len(worse) > 4
    pages = [
        path.read_text() for path in DOCS.glob("*.md") if path.name != "compare.md"
    ]
    told = "\n".join((TEXT, *pages)).lower()
    words = "; ".join(absent.findall(COMPARED)).split("; ")
    assert [word for word in words if word.lower() in told] == []
