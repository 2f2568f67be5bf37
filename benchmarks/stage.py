"""Where a benchmark plays: bundled servers in a folder of its own, a provider, Django."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import django

from meddie.embedded.locations import Locations
from meddie.embedded.servers import running
from tests.openai_server import KEY, OpenAIServer


@contextmanager
def stage(server: OpenAIServer, **environment: str) -> Iterator[None]:
    """Set everything up, Django too; nothing is left behind.

    Embeddings come from the local model unless `EMBEDDING_MODEL` says otherwise.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o711)
        where = stack.enter_context(running(Locations(folder)))
        os.environ |= {
            "MEDDIE_DATA": str(folder),
            "ENV_FILE": os.devnull,
            "DATABASE_URL": where.database_url,
            "REDIS_URL": where.redis_url,
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": server.base_url,
            "EMBEDDING_MODEL": "all-MiniLM-L6-v2",
            "DAILY_MESSAGES": "100000",
            "DJANGO_SETTINGS_MODULE": "meddie.settings",
            **environment,
        }
        django.setup()
        yield
