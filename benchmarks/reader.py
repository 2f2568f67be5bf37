"""The user of locust: signed in, opens one page after the other."""

import os

from locust import FastHttpUser, task

HEADERS = {"Cookie": os.environ.get("COOKIE", "")}


class Reader(FastHttpUser):
    @task(3)
    def chat(self) -> None:
        self._get("/chat/new")

    @task(1)
    def people(self) -> None:
        self._get("/people")

    @task(1)
    def healthy(self) -> None:
        self._get("/healthz")

    def _get(self, path: str) -> None:
        with self.client.get(
            path, headers=HEADERS, allow_redirects=False, catch_response=True
        ) as page:
            if page.status_code != 200:
                page.failure(f"status {page.status_code}")
