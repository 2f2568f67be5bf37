"""Folders of the bundled servers, all derived from the data folder."""

import contextlib
import hashlib
import importlib.util
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from environs import Env

from meddie.embedded.refusal import Refusal
from meddie.embedded.server_account import unprivileged

PROJECT = Path(__file__).resolve().parent.parent.parent
FALLBACK = Path("/var/lib")
# Not tempfile.gettempdir(): two terminals with another TMPDIR must meet.
SHORT_FOLDER = Path("/tmp")  # noqa: S108 -- what is below it is checked before use


@dataclass(frozen=True, slots=True)
class Locations:
    data: Path

    @property
    def is_fallback(self) -> bool:
        return self.data.parent == FALLBACK

    @property
    def runtime(self) -> Path:
        """Short, because PostgreSQL allows 107 bytes."""
        digest = hashlib.sha256(str(self.data).encode()).hexdigest()[:12]
        base = (
            SHORT_FOLDER
            if os.access(SHORT_FOLDER, os.W_OK)
            else Path(tempfile.gettempdir())
        )
        return base / f"meddie-{os.getuid()}-{digest}"

    @property
    def sockets(self) -> Path:
        """Belongs to the server's user."""
        return self.runtime / "postgres"

    @property
    def cluster(self) -> Path:
        return self.data / "postgres"

    @property
    def database_url(self) -> str:
        place = quote(str(self.sockets), safe="")
        return f"postgres://meddie:{self.database_password()}@{place}/meddie"

    @property
    def redis_socket(self) -> Path:
        return self.runtime / "redis.sock"

    @property
    def redis_url(self) -> str:
        return f"unix://{self.redis_socket}?db=0"

    def make_data(self) -> Path:
        """Create the data folder. PostgreSQL's user may enter but not list it."""
        try:
            if not self.data.exists():
                self.data.mkdir(parents=True)
                self.data.chmod(0o711)
        except OSError as error:
            raise Refusal(
                f"The data folder {self.data} cannot be made ({error.strerror}); "
                "MEDDIE_DATA names another one."
            ) from error
        return self.data

    def make_runtime(self) -> Path:
        """Create the socket folder. One that another user made is refused."""
        folder = self.runtime
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if not folder.is_dir() or folder.is_symlink() or found.st_uid != os.getuid():
            raise Refusal(
                f"{folder} is not a folder of this user's; remove it and try again."
            )
        folder.chmod(0o711 if os.getuid() == 0 else 0o700)
        return folder

    def log(self, name: str) -> Path:
        log = self.make_data() / name
        log.unlink(missing_ok=True)
        log.touch(mode=0o600)
        return log

    def remove_runtime(self) -> None:
        with contextlib.suppress(OSError):
            self.sockets.rmdir()
        with contextlib.suppress(OSError):
            self.runtime.rmdir()

    def secret_key(self) -> str:
        return self.secret("secret_key")

    def field_key(self) -> str:
        return self.secret("field_key", 32)

    def database_password(self) -> str:
        return self.secret("database_password")

    def secret(self, name: str, length: int = 48) -> str:
        """Generate a random text once, in a private file."""
        path = self.make_data() / name
        try:
            if not path.exists():
                _write_once(path, secrets.token_urlsafe(length))
            return path.read_text()
        except OSError as error:
            raise Refusal(
                f"{path} cannot be read or written ({error.strerror}): "
                f"does {self.data} belong to another user?"
            ) from error


def _write_once(path: Path, text: str) -> None:
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    Path(draft).unlink()


def locations() -> Locations:
    """MEDDIE_DATA, `.data` beside manage.py, or a folder below FALLBACK."""
    env = Env()  # the environment, else the file
    env.read_env(os.environ.get("ENV_FILE", PROJECT / ".env"), recurse=False)
    if named := env.str("MEDDIE_DATA", ""):
        return Locations(Path(named).resolve())
    here = (PROJECT / ".data").resolve()
    if os.getuid() != 0 or here.exists() or unprivileged(PROJECT):
        return Locations(here)
    digest = hashlib.sha256(str(PROJECT).encode()).hexdigest()[:12]
    return Locations(FALLBACK / f"meddie-{digest}")


def package(name: str) -> Path:
    """Find a package without importing it."""
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise Refusal(f"The package {name} is not installed; `make install` does it.")
    return Path(found.submodule_search_locations[0])
