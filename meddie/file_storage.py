"""Where the files of users are kept, from one address; a folder without one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import Storage

FORM = "s3://KEY:SECRET@HOST/BUCKET?region=REGION"


class FilesAway(OSError):
    """The place of the files cannot be reached now."""

    code = "files_away"


def storage_options(url: str, folder: Path) -> dict[str, Any]:
    """An entry of STORAGES. Raises ImproperlyConfigured."""
    if url:
        return {"BACKEND": "meddie.bucket.Bucket", "OPTIONS": _bucket(url)}
    return {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": folder,
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    }


def all_files(storage: Storage) -> Iterator[str]:
    """Names as "folder/file"."""
    try:
        folders = storage.listdir("")[0]
    except FileNotFoundError:
        return  # no file was ever stored
    for folder in folders:
        for name in storage.listdir(folder)[1]:
            yield f"{folder}/{name}"


def _bucket(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    bucket, query = parts.path.strip("/"), parse_qs(parts.query)
    known = parts.scheme in {"s3", "s3+http"} and parts.username and parts.password
    if not known or not parts.hostname or not bucket or set(query) - {"region"}:
        raise ImproperlyConfigured(f"FILES_URL is not of the form {FORM}")
    place = parts.netloc.rpartition("@")[2]
    return {
        "access_key": unquote(parts.username or ""),
        "secret_key": unquote(parts.password or ""),
        "endpoint_url": f"{'http' if '+' in parts.scheme else 'https'}://{place}",
        "bucket_name": bucket,
        "region_name": query.get("region", [None])[0],
        "default_acl": None,
        "file_overwrite": False,
    }
