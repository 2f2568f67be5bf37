"""No other user of the machine can read a backup."""

import tarfile
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from meddie.embedded.backup import write_backup


@pytest.mark.django_db(transaction=True)
def test_a_backup_and_its_folder_are_closed_to_others(tmp_path: Path) -> None:
    file = tmp_path / "backups" / "kept.dump"
    write_backup(file)
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db(transaction=True)
def test_leftover_of_a_killed_backup_is_not_written_into(tmp_path: Path) -> None:
    file = tmp_path / "kept.dump"
    left = tmp_path / "kept.dump.tar"
    left.touch(mode=0o644)
    write_backup(file)
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db(transaction=True)
def test_backup_holds_every_file_and_leaves_no_other_file(tmp_path: Path) -> None:
    storage = storages["attachments"]
    name = storage.save("ba/backup", ContentFile(b"Tea"))
    file = tmp_path / "kept.tar"
    write_backup(file)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.tar"]
    with tarfile.open(file) as archive:
        content = archive.extractfile(f"attachments/{name}")
        assert content
        assert content.read() == b"Tea"
    storage.delete(name)
