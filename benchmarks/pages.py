"""Plain pages under load, by locust: readers who click without a pause."""

import json
import os
import subprocess
import sys
from typing import Any

from django.conf import settings

from benchmarks.scene import Scene
from benchmarks.talking import session
from tests.stack.web import WebProcess

READERS = (1, 8, 32)
SECONDS = 12


def run(_scene: Scene) -> dict[str, Any]:
    """Pages a second and their times, by the number of readers."""
    with WebProcess() as web:
        cookie = f"{settings.SESSION_COOKIE_NAME}={session()}"
        load(web, cookie, readers=2)
        return {str(count): load(web, cookie, count) for count in READERS}


def load(web: WebProcess, cookie: str, readers: int) -> dict[str, Any]:
    """Locust's figures for this number of readers."""
    command = [sys.executable, "-m", "locust", "-f", "benchmarks/reader.py"]
    how = ["--headless", "--json", "--only-summary", "--loglevel", "ERROR"]
    who = ["-u", str(readers), "-r", str(readers), "-t", f"{SECONDS}s", "-H", web.url]
    done = subprocess.run(  # noqa: S603 -- our own
        [*command, *how, *who],
        env=os.environ | {"COOKIE": cookie},
        check=False,  # it exits with 1 for a failed request, which is counted below
        capture_output=True,
        text=True,
    )
    return summary(json.loads(done.stdout))


def summary(kinds: list[dict[str, Any]]) -> dict[str, Any]:
    """All kinds of pages together."""
    times: dict[float, int] = {}
    for kind in kinds:
        for milliseconds, count in kind["response_times"].items():
            times[float(milliseconds)] = times.get(float(milliseconds), 0) + count
    every = sorted(ms for ms, count in times.items() for _ in range(count))
    began = min(kind["start_time"] for kind in kinds)
    ended = max(kind["last_request_timestamp"] for kind in kinds)
    return {
        "pages a second": round(len(every) / (ended - began), 1),
        "p50": every[len(every) // 2],
        "p95": every[int(0.95 * len(every))],
        "failed": sum(kind["num_failures"] for kind in kinds),
    }
