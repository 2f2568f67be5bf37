"""docs/security.md names the servers that are installed, and old ones are noticed."""

import subprocess
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import Path

import pytest

from meddie.embedded import servers
from meddie.embedded.postgres import INSTALLED
from meddie.embedded.refusal import Refusal
from tests.bundled_servers import OLD, bundled, warnings


def test_page_names_what_is_bundled() -> None:
    programs = {
        "PostgreSQL": INSTALLED / "bin" / "postgres",
        "Valkey": servers.valkey_program(),
    }
    for row in bundled():
        said = subprocess.check_output([programs.pop(row.server), "--version"])
        assert row.version in said.decode()
        assert version(row.package) == row.pinned
    assert programs == {}


def test_server_is_old_after_eighteen_months() -> None:
    oldest = min(bundled(), key=lambda row: row.built)
    last_day = date.fromisoformat(oldest.built) + OLD
    assert warnings(last_day) == []
    [warning] = warnings(last_day + timedelta(days=1))
    assert oldest.server in warning


def test_machine_without_a_bundled_broker_is_told_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "package", lambda _name: tmp_path)
    with pytest.raises(Refusal, match="REDIS_URL names another broker"):
        servers.valkey_program()
