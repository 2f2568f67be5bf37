"""Files are in a folder that only Meddie's user can read, or in a bucket."""

import gc
import warnings
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.test import override_settings

from meddie.file_storage import FORM, FilesAway, all_files, storage_options
from tests.s3_server import TROUBLES, Bucket

FOLDER = Path("/nowhere")


def storage_of(options) -> Storage:
    with override_settings(STORAGES={"attachments": options}):
        return storages["attachments"]


def test_folder_and_files_are_closed_to_other_users(tmp_path):
    storage = storage_of(storage_options("", tmp_path / "files"))
    assert list(all_files(storage)) == []
    storage.save("ab/letter", ContentFile(b"Tea"))
    assert (tmp_path / "files").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "files" / "ab" / "letter").stat().st_mode & 0o777 == 0o600
    assert list(all_files(storage)) == ["ab/letter"]


def test_bucket_keeps_lists_and_deletes_files():
    with Bucket() as bucket, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of the SDK's buffers
        storage = storage_of(storage_options(f"{bucket.url}?region=eu", FOLDER))
        name = storage.save("ab/letter", ContentFile(b"Tea"))
        assert bucket.objects == {"ab/letter": b"Tea"}
        assert list(all_files(storage)) == [name]
        with storage.open(name) as opened:
            assert opened.read() == b"Tea"
        storage.delete(name)
        with pytest.raises(FileNotFoundError):
            storage.open(name)
        assert bucket.objects == {}
        gc.collect()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_failing_bucket_is_one_error(trouble):
    """A file of which it sends a part is not taken for whole, nor for lost."""
    with Bucket() as bucket, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of the SDK's buffers
        storage = storage_of(storage_options(f"{bucket.url}?region=eu", FOLDER))
        storage.save("ab/letter", ContentFile(b"Tea"))
        bucket.be(trouble)
        with pytest.raises(FilesAway):
            storage.open("ab/letter")
        bucket.be("")
        with storage.open("ab/letter") as opened:
            assert opened.read() == b"Tea"
        gc.collect()


@pytest.mark.parametrize(
    "url",
    [
        "https://key:secret@host/bucket",
        "s3://host/bucket",
        "s3://key:secret@host",
        "s3://key:secret@host/bucket?public=1",
    ],
)
def test_other_addresses_are_refused(url):
    with pytest.raises(ImproperlyConfigured) as refusal:
        storage_options(url, FOLDER)
    assert FORM in str(refusal.value)
    assert "secret" not in str(refusal.value)
