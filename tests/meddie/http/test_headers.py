"""Headers of what is answered beside Django."""

import httpx2
import pytest

from meddie.asgi import application
from meddie.threads import run_coroutine
from tests.waiting import PATIENCE


async def ask(method, path, headers):
    transport = httpx2.ASGITransport(app=application)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://127.0.0.1"
    ) as client:
        return await client.request(method, path, headers=headers)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/healthz", {}, 200),
        ("/healthz", {"Host": "10.0.0.7"}, 200),
        ("/mcp", {"Content-Length": "999999999"}, 413),
        ("/chat/send", {"Content-Length": "999999999"}, 413),
        (f"/{'x' * 20_000}", {}, 414),
        (f"/api/{'x' * 20_000}", {}, 414),
    ],
)
def test_answers_beside_django_have_its_headers(path, headers, status):
    answer = run_coroutine(ask("POST", path, headers), PATIENCE)
    assert answer.status_code == status
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'"
