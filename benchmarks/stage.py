"""Where a part of the benchmark plays: bundled servers in a folder of its own, Django.

    python -m benchmarks.stage recall

runs one part alone and prints its figures as JSON.
"""

import argparse
import importlib
import json
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import call_command

from benchmarks.machine import description
from benchmarks.scene import Scene
from meddie.ai import local_embedder
from meddie.embedded.locations import Locations
from meddie.embedded.servers import running_servers
from tests.openai_server import KEY, OpenAIServer


@contextmanager
def stage(dialogues: Path | None) -> Iterator[Scene]:
    """Set everything up, Django too, and remove it afterwards."""
    with OpenAIServer() as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        with running_servers(Locations(folder)) as where:
            os.environ |= {
                "MEDDIE_DATA": str(folder),
                "ENV_FILE": os.devnull,
                "DATABASE_URL": where.database_url,
                "REDIS_URL": where.redis_url,
                "OPENAI_API_KEY": KEY,
                "OPENAI_BASE_URL": server.base_url,
                "EMBEDDING_MODEL": local_embedder.NAME,
                "DAILY_MESSAGES": "1000000",
                "DJANGO_SETTINGS_MODULE": "meddie.settings",
                "MEM0_TELEMETRY": "False",
                "MEM0_DIR": str(folder),
            }
            django.setup()
            logging.disable(logging.WARNING)
            call_command("migrate", verbosity=0)
            call_command("collectstatic", verbosity=0, interactive=False)
            yield Scene(server, folder, dialogues)


def main() -> None:
    """Play one part. Its module is read only now: it needs Django."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part")
    parser.add_argument("--dialogues", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    machine = description()
    with stage(options.dialogues) as scene:
        part = importlib.import_module(f"benchmarks.{options.part}")
        figures = json.dumps({"machine": machine, "figures": part.run(scene)}, indent=1)
    if options.json:
        options.json.write_text(figures)
    else:
        sys.stdout.write(figures + "\n")


if __name__ == "__main__":
    main()
