"""How many answers a model server writes at once: it is asked."""

import ipaddress
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx2
from django.conf import settings

from meddie.ai import client
from meddie.ai.client import Endpoint, ProviderLimits

KNOWN_FOR = 600.0  # seconds
ANSWERS_WITHIN = 2.0  # seconds
LOCAL_SUFFIXES = (".local", ".lan", ".internal", ".home.arpa")
UNKNOWN_SLOTS = 1  # of a server that does not tell
BATCHING = {"vllm", "sglang"}  # they write as many answers as are asked for
_known: dict[Endpoint, tuple[float, int | None]] = {}


def _of_ollama(found: Any) -> int | None:
    """It does not tell; one is its default."""
    return 1 if isinstance(found["models"], list) else None


def _of_llama(found: Any) -> int | None:
    return found["total_slots"] if isinstance(found["total_slots"], int) else None


def _listed(found: Any) -> int | None:
    return len(found) if isinstance(found, list) else None


READERS: Mapping[str, Callable[[Any], int | None]] = {
    "/props": _of_llama,
    "/slots": _listed,
    "/api/ps": _of_ollama,
}


def is_own(base_url: str) -> bool:
    """Whether the server is no cloud: it may be slow, and write few answers at once."""
    if settings.MODEL_SLOTS is not None:
        return bool(settings.MODEL_SLOTS)
    host = urlsplit(base_url).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(LOCAL_SUFFIXES)


def limits_for(base_url: str) -> ProviderLimits:
    limits = client.LIMITS
    if not is_own(base_url):
        return limits
    slow = limits.complete_slowly
    return replace(limits, first_token=limits.thinking, complete=slow)


async def slots_of(endpoint: Endpoint) -> int | None:
    """None for a server without a limit. Remembered for ten minutes."""
    if not is_own(endpoint.base_url):
        return None
    if settings.MODEL_SLOTS:
        return settings.MODEL_SLOTS
    until, slots = _known.get(endpoint, (0.0, None))
    if time.monotonic() > until:
        slots = await _find(endpoint)
        _known[endpoint] = time.monotonic() + KNOWN_FOR, slots
    return slots


async def _find(endpoint: Endpoint) -> int | None:
    root = endpoint.base_url.rstrip("/").removesuffix("/v1")
    # Without the proxies of the environment, and without redirects.
    headers = {"Authorization": f"Bearer {endpoint.key}"}
    async with httpx2.AsyncClient(
        trust_env=False, timeout=ANSWERS_WITHIN, headers=headers
    ) as http:
        for path, read in READERS.items():
            if slots := await _read(http, f"{root}{path}", read):
                return slots
        if await _read(http, f"{endpoint.base_url}/models", _batches):
            return None
    return UNKNOWN_SLOTS


def _batches(found: Any) -> int | None:
    return (
        1 if any(listed["owned_by"] in BATCHING for listed in found["data"]) else None
    )


async def _read(
    http: httpx2.AsyncClient, url: str, read: Callable[[Any], int | None]
) -> int | None:
    try:
        answer = await http.get(url)
        return read(answer.json())
    except (httpx2.HTTPError, ValueError, TypeError, LookupError):
        return None
