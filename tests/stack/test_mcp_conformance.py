"""The conformance suite of the Model Context Protocol against a running Meddie."""

import json
import platform
import re
from collections import Counter

import pytest

from tests.factories import ApiKeyFactory, MembershipFactory
from tests.packages import install_from_npm, run
from tests.stack.web import WebProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
# The suite needs Node.js 22, which a package of npm has.
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "x64")
NODE = f"node-{platform.system().lower()}-{MACHINE}"
NODE_VERSION = "22.23.3"
KEY = "sk-meddie-conformance"
OF_ITS_OWN_SERVER = re.compile(
    # They call tools, prompts and resources of the suite's own server.
    r"tools-call-(image|audio|embedded-resource|mixed-content|with-logging"
    r"|with-progress|sampling|elicitation)|elicitation-sep\d+-\w+"
    r"|json-schema-.*|prompts-get-.*|resources-(read|templates-read).*"
    r"|http-custom-header-server-validation|input-required-result-.*"
    # Meddie does not announce these, and so need not have them.
    r"|completion-complete|logging-set-level|resources-(un)?subscribe|tasks-.*"
)
CHECKS_OF_ITS_OWN_SERVER = {
    # They call the tool test_missing_capability.
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
}
PASSED = {"2025-11-25": 39, "2026-07-28": 113}
"""How many checks succeed in each revision that Meddie announces."""


@pytest.fixture(scope="session")
def suite(tmp_path_factory):
    """The command."""
    folder = tmp_path_factory.mktemp("conformance")
    modules = install_from_npm(folder, SUITE, f"{NODE}@{NODE_VERSION}").parent
    program = modules / SUITE.rpartition("@")[0] / "dist" / "index.js"
    return modules / NODE / "bin" / "node", program


@pytest.mark.parametrize("revision", PASSED)
def test_each_check_without_a_server_of_its_own_succeeds(
    suite, revision, transactional_db, openai_server, tmp_path
):
    member = MembershipFactory()
    ApiKeyFactory(
        user=member.user, space=member.space, secret=KEY, calls_per_minute=100_000
    )
    results = tmp_path / "results"
    with WebProcess(application="tests.stack.keyed:application", TEST_KEY=KEY) as web:
        asked = ("--url", f"{web.url}/mcp", "--requirements", revision)
        run(*suite, "server", *asked, "-o", results, folder=tmp_path, statuses=(0, 1))
    counts, failed = Counter(), []
    for path in results.glob("*/checks.json"):
        scenario = re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*", "", path.parent.name)
        for check in json.loads(path.read_text()):
            counts[check["status"]] += 1
            own = OF_ITS_OWN_SERVER.fullmatch(scenario)
            if check["status"] == "FAILURE" and not own:
                failed.append((scenario, check["id"], check.get("errorMessage")))
    failed = [one for one in failed if one[1] not in CHECKS_OF_ITS_OWN_SERVER]
    assert failed == []
    assert counts["SUCCESS"] >= PASSED[revision], counts


def test_sign_in_is_described_as_the_suite_expects(suite, transactional_db, tmp_path):
    with WebProcess() as web:
        scenario = ("--scenario", "authorization-server-metadata-endpoint")
        asked = ("authorization", "--url", web.url, *scenario)
        told = run(*suite, *asked, folder=tmp_path)
    assert re.search(r"Passed: ([1-9]\d*)/\1, 0 failed", told), told
