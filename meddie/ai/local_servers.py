"""Model servers on this machine, at the two addresses where they usually are."""

import asyncio
import re
from dataclasses import dataclass

import httpx2

SERVERS = {
    "Ollama": "http://127.0.0.1:11434/v1",
    "LM Studio": "http://127.0.0.1:1234/v1",
}
SERVER_EXAMPLES = {
    "Ollama": ("llama3.2", "ollama pull llama3.2"),
    "LM Studio": ("llama-3.2-3b-instruct", "lms get llama-3.2-3b-instruct"),
}
"""A small model of each, and the command that downloads it."""
ANSWERS_WITHIN = 0.5  # seconds
MODEL_NAME = re.compile(r"[\w./:@+-]{1,100}")


@dataclass(frozen=True, slots=True)
class LocalServer:
    """`models` is None if none answers; those for embeddings are left out."""

    name: str
    base_url: str
    models: tuple[str, ...] | None = None

    @property
    def model(self) -> str:
        return self.models[0] if self.models else SERVER_EXAMPLES[self.name][0]

    @property
    def download(self) -> str:
        return "" if self.models else SERVER_EXAMPLES[self.name][1]


async def find_servers() -> list[LocalServer]:
    # Without the proxies of the environment, and without redirects.
    async with httpx2.AsyncClient(trust_env=False, timeout=ANSWERS_WITHIN) as http:
        found = (_ask(http, name, url) for name, url in SERVERS.items())
        return list(await asyncio.gather(*found))


def known_servers() -> list[LocalServer]:
    return [LocalServer(name, url) for name, url in SERVERS.items()]


async def _ask(http: httpx2.AsyncClient, name: str, url: str) -> LocalServer:
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            answer = await http.get(f"{url}/models")
        names = (str(model["id"]) for model in answer.json()["data"])
        usable = [n for n in names if MODEL_NAME.fullmatch(n) and "embed" not in n]
        return LocalServer(name, url, tuple(usable[:20]))
    except (httpx2.HTTPError, TimeoutError, ValueError, TypeError, LookupError):
        return LocalServer(name, url)
