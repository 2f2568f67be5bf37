"""Where the bundled servers keep their data and their sockets.

Everything follows from the data folder, so that a second process finds the servers of
the first without asking. Sockets live on a short path of their own: PostgreSQL refuses
one past 107 bytes.
"""

import hashlib
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class Locations:
    """The folders of one set of servers."""

    data: Path

    @property
    def sockets(self) -> Path:
        """A short folder, the same for the same data folder and user."""
        digest = hashlib.sha256(str(self.data).encode()).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"meddie-{os.getuid()}-{digest}"

    @property
    def database_url(self) -> str:
        """The bundled database's URL, whether it runs or not."""
        host = str(self.sockets).replace("/", "%2F")
        return f"postgres://meddie@{host}/meddie"

    def secret_key(self) -> str:
        """A key made once and kept in the data folder, readable by its owner only."""
        path = self.data / "secret_key"
        if not path.exists():
            self.data.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(48))
        return path.read_text()

    @property
    def redis_url(self) -> str:
        """The bundled broker's URL, whether it runs or not."""
        return f"unix://{self.sockets}/redis.sock?db=0"


def locations() -> Locations:
    """The folders of this project: MEDDIE_DATA, or `.data` beside manage.py."""
    return Locations(Path(os.environ.get("MEDDIE_DATA", PROJECT / ".data")).resolve())
