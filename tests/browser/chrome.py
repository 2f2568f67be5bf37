"""A real Chromium, driven from a thread of its own.

Playwright's synchronous API runs an event loop in its thread, and Django refuses its
ORM there. So a test hands over what is to be done in the browser as a function, and
does everything of the database itself.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.chromium import executable

T = TypeVar("T")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",
]
PATIENCE = 60_000
"""Milliseconds that something may take to appear on a busy machine."""


class Chrome:
    """One browser for the whole run; each visit has a profile of its own."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="chrome")
        self.playwright: Playwright
        self.browser: Browser
        self.thread.submit(self._start).result()

    def _start(self) -> None:
        sys.settrace(None)  # nothing of the product runs in this thread
        self.playwright = sync_playwright().start()
        expect.set_options(timeout=PATIENCE)
        path = executable()
        assert path, "no Chromium; `make browser` installs one"
        self.browser = self.playwright.chromium.launch(executable_path=path, args=FLAGS)

    def stop(self) -> None:
        self.thread.submit(self._stop).result()
        self.thread.shutdown()

    def _stop(self) -> None:
        self.browser.close()
        self.playwright.stop()

    def visit(
        self,
        what: Callable[[Page], T],
        *,
        base_url: str,
        cookies: dict[str, str] | None = None,
        **options: Any,
    ) -> T:
        """Run `what` with a fresh page in the browser's thread and return its result.

        Fails when the page had an error of its own or broke its content policy.
        """
        return self.thread.submit(
            self._visit, what, base_url, cookies or {}, options
        ).result()

    def _visit(
        self,
        what: Callable[[Page], T],
        base_url: str,
        cookies: dict[str, str],
        options: dict[str, Any],
    ) -> T:
        context = self.browser.new_context(base_url=base_url, **options)
        try:
            context.set_default_timeout(PATIENCE)
            context.add_cookies(
                [{"name": k, "value": v, "url": base_url} for k, v in cookies.items()]
            )
            errors = _collect_errors(context)
            result = what(context.new_page())
        finally:
            context.close()
        assert errors == [], "; ".join(errors)
        return result


def _collect_errors(context: BrowserContext) -> list[str]:
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    context.on(
        "console",
        lambda said: (
            errors.append(said.text) if "Content Security Policy" in said.text else None
        ),
    )
    return errors
