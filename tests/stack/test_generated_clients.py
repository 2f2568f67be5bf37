"""Clients that are generated from the OpenAPI document compile, and work."""

import json
import shutil
import sys
from pathlib import Path

import httpx2
import pytest

from tests.factories import ApiKeyFactory, MembershipFactory
from tests.packages import install_from_npm, install_from_pypi, run
from tests.stack.web import WebProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

HERE = Path(__file__).parent
TYPESCRIPT = ("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3")
PYTHON = "openapi-python-client==0.29.1"
KEY = "sk-meddie-generated"
RESULTS = {
    "found": ["I play the violin"],
    "forgotten": True,
    "refused": "not_found",
}


@pytest.fixture
def meddie(transactional_db, openai_server):
    member = MembershipFactory()
    ApiKeyFactory(user=member.user, space=member.space, secret=KEY)
    with WebProcess() as web:
        yield web.url


def test_typescript_client_compiles_and_works(meddie, tmp_path):
    programs = install_from_npm(tmp_path, *TYPESCRIPT)
    shutil.copy(HERE / "generated_calls.mts", tmp_path)
    document = f"{meddie}/api/openapi.json"
    # As docs/rest.md says: what has a default may be left out.
    optional = "--default-non-nullable=false"
    generate = (programs / "openapi-typescript", document, optional)
    run(*generate, "-o", "schema.d.ts", folder=tmp_path)
    strict = ("--strict", "--module", "nodenext", "--lib", "es2022,dom")
    run(programs / "tsc", *strict, "generated_calls.mts", folder=tmp_path)
    told = run("node", "generated_calls.mjs", meddie, KEY, folder=tmp_path)
    assert json.loads(told) == RESULTS


def test_python_client_has_all_operations_and_works(meddie, tmp_path):
    programs = install_from_pypi(tmp_path / "environment", PYTHON)
    document = f"{meddie}/api/openapi.json"
    generate = (programs / PYTHON.partition("=")[0], "generate", "--url", document)
    folder = tmp_path / "meddie_client"
    run(*generate, "--meta", "none", "--output-path", folder, folder=tmp_path)
    paths = httpx2.get(document).json()["paths"].values()
    told = {operation["operationId"] for path in paths for operation in path.values()}
    assert told == {path.stem for path in folder.glob("api/*/[!_]*.py")}
    shutil.copy(HERE / "generated_calls.py", tmp_path)
    checked = ("--strict", "--config-file=", "--python-executable")
    python = programs / "python"
    mypy = (sys.executable, "-m", "mypy", *checked, python)
    run(*mypy, "generated_calls.py", folder=tmp_path)
    told = run(python, "generated_calls.py", meddie, KEY, folder=tmp_path)
    assert json.loads(told) == RESULTS
