"""What `make run` says before it installs anything."""

import os
import sys
from pathlib import Path

import pytest

from meddie.embedded import installation
from meddie.embedded.installation import Unready, check
from tests.meddie.embedded.stack import free_port, run

COMMAND = [sys.executable, "-I", "meddie/embedded/installation.py"]


@pytest.fixture(autouse=True)
def free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", str(free_port()))
    monkeypatch.delenv("DATABASE_URL", raising=False)


def test_all_is_well_here() -> None:
    assert run([*COMMAND, "check"]) == (0, "")


def test_taken_port_is_one_sentence(taken_port: int) -> None:
    code, said = run([*COMMAND, "check"], PORT=str(taken_port))
    assert code == 1
    assert said.startswith(f"Port {taken_port} cannot be used (")
    assert said.endswith(f"PORT={taken_port % 60000 + 123} make run")


def test_old_python_is_named_and_an_old_environment_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    monkeypatch.setattr(sys, "prefix", "/usr")
    with pytest.raises(Unready, match=r"needs Python 3\.11 or newer, and .* is 3\.10"):
        check()
    monkeypatch.setattr(sys, "prefix", str(installation.PROJECT / ".venv"))
    with pytest.raises(Unready, match=r"`rm -rf \.venv`"):
        check()


def test_user_without_a_name_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    with pytest.raises(Unready, match="number 54321 has no name"):
        check()
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere/meddie")
    check()


def test_root_below_a_closed_folder_gets_a_command_to_copy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setenv("PATH", "")  # without unshare
    monkeypatch.setenv("MEDDIE_DATA", str(tmp_path / "data"))
    with pytest.raises(Unready, match="`MEDDIE_DATA=/var/lib/meddie make run`"):
        check()
    monkeypatch.setenv("MEDDIE_DATA", "/var/lib/meddie")
    check()


def test_data_folder_may_be_named_in_the_env_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("MEDDIE_DATA")
    monkeypatch.setattr(installation, "PROJECT", tmp_path)
    (tmp_path / ".env").write_text("MEDDIE_DATA=/var/lib/meddie\n")
    check()
    data = tmp_path / "data"
    data.mkdir()
    (data / "file").touch()
    (tmp_path / ".env").write_text(f"MEDDIE_DATA={data}\n")
    with pytest.raises(Unready, match="no other user can enter"):
        check()
    command = [sys.executable, "-m", "meddie.embedded.removal"]
    file = str(tmp_path / ".env")
    code, said = run(["/usr/bin/env", "-u", "MEDDIE_DATA", *command], ENV_FILE=file)
    assert (code, said.split(" stays;")[0]) == (0, f"The data in {data}")


def test_missing_network_is_one_sentence() -> None:
    code, said = run(COMMAND, PIP_NO_INDEX="1")
    assert code == 1
    assert said.startswith("Packages cannot be fetched: is there a network?")
    assert "\n" not in said
