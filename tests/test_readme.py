"""The README names the modules of memory as they are."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MIGRATIONS = {"memory/migrations/"}


@pytest.mark.req("S3-74")
def test_readme_names_each_folder_of_memory_and_no_module_that_is_gone():
    text = (ROOT / "README.md").read_text()
    named = set(re.findall(r"^\| `(memory/[\w/.]+)` \|", text, re.MULTILINE))
    assert {path for path in named if not (ROOT / path).exists()} == set()
    folders = {
        f"memory/{path.parent.name}/" for path in ROOT.glob("memory/*/__init__.py")
    }
    assert folders - MIGRATIONS == {path for path in named if path.endswith("/")}
    assert {"memory/service.py", "memory/visibility.py"} <= named
