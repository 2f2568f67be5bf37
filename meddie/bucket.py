"""Files in a bucket."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from s3transfer.exceptions import RetriesExceededError
from storages.backends.s3 import S3Storage

from meddie.file_storage import FilesAway

FAILURES = (BotoCoreError, Boto3Error, ClientError, RetriesExceededError)
# Requests wait for it: two tries, in seconds.
BUCKET_TIMEOUTS = Config(
    connect_timeout=5, read_timeout=20, retries={"total_max_attempts": 2}
)


class Bucket(S3Storage):  # type: ignore[misc]
    """Every failure is FilesAway."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.client_config: Any = self.client_config.merge(BUCKET_TIMEOUTS)
        self.transfer_config = TransferConfig(num_download_attempts=2)

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _failing_as_one():
            try:
                opened = super()._open(name, mode)
            except FileNotFoundError:
                # Raises where the bucket is what is missing.
                self.connection.meta.client.head_bucket(Bucket=self.bucket_name)
                raise
            opened.file.seek(0, os.SEEK_END)  # loads it
            if opened.file.tell() != opened.size:
                raise FilesAway("a part of a file")
        opened.file.seek(0)
        return opened

    def _save(self, name: str, content: Any) -> str:
        with _failing_as_one():
            return str(super()._save(name, content))

    def delete(self, name: str) -> None:
        with _failing_as_one():
            super().delete(name)

    def exists(self, name: str) -> bool:
        with _failing_as_one():
            return bool(super().exists(name))

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _failing_as_one():
            folders, files = super().listdir(name)
        return folders, files

    def size(self, name: str) -> int:
        with _failing_as_one():
            return int(super().size(name))

    def get_modified_time(self, name: str) -> datetime:
        with _failing_as_one():
            changed: datetime = super().get_modified_time(name)
        return changed


@contextmanager
def _failing_as_one() -> Iterator[None]:
    try:
        yield
    except FAILURES as error:
        raise FilesAway(str(error)) from error
