"""No other user of the machine can read a backup."""

from pathlib import Path

import pytest

from meddie.embedded.backup import dump_database


@pytest.mark.django_db(transaction=True)
def test_a_backup_and_its_folder_are_closed_to_others(tmp_path: Path) -> None:
    file = tmp_path / "backups" / "kept.dump"
    dump_database(file)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db(transaction=True)
def test_leftover_of_a_killed_backup_is_not_written_into(tmp_path: Path) -> None:
    file = tmp_path / "kept.dump"
    left = tmp_path / "kept.dump.part"
    left.touch(mode=0o644)
    dump_database(file)
    assert file.stat().st_mode & 0o777 == 0o600
