"""A model provider on this machine that answers as the steps of a story say."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.conf import settings

from benchmarks.evaluation.stories import StoryStep
from memory.wording.same_fact import content_hash

Document = Mapping[str, Any]


class StoryProvider:
    """A pair without a verdict is added."""

    def __init__(self) -> None:
        self._step: StoryStep | None = None
        self._verdicts: dict[tuple[str, str], str] = {}

    def begin_story(self) -> None:
        self._verdicts.clear()

    def begin_step(self, step: StoryStep) -> None:
        """Verdicts of earlier steps remain."""
        self._step = step
        for pair in step.resolve:
            key = content_hash(pair.new), content_hash(pair.old)
            self._verdicts[key] = pair.verdict

    def extraction(self, _document: Document) -> dict[str, Any]:
        step = self._step
        facts = [*step.facts, *step.poison] if step else []
        return {"facts": [fact.model_dump() for fact in facts], "profile_facts": []}

    def resolution(self, document: Document) -> dict[str, Any]:
        decisions = [
            decision
            for new in document["new"]
            for decision in self._decisions(new, document["known"])
        ]
        return {"decisions": decisions}

    def _decisions(
        self, new: Document, known: Sequence[Document]
    ) -> Iterator[dict[str, Any]]:
        for old in known:
            pair = content_hash(new["text"]), content_hash(old["text"])
            action = self._verdicts.get(pair, "add")
            target = None if action == "add" else old["n"]
            yield {
                "new": new["n"],
                "target": target,
                "same_subject": action != "add",
                "same_time": action != "add",
                "both_can_be_true": action != "replace",
                "action": action,
            }

    def answer(self, body: Document) -> dict[str, Any]:
        """The answer to a request. Raises LookupError, TypeError and ValueError."""
        name = body["response_format"]["json_schema"]["name"]
        answers = {
            "memory_extraction": self.extraction,
            "memory_resolution": self.resolution,
        }
        return answers[name](_last_document(body["messages"]))


@contextmanager
def story_provider() -> Iterator[StoryProvider]:
    """Use the provider for structured questions, and the local model for vectors."""
    provider = StoryProvider()

    class Handler(_Handler):
        player = provider

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            with _settings(
                OPENAI_BASE_URL=f"http://127.0.0.1:{server.server_address[1]}/v1",
                OPENAI_API_KEY="stories",
                EMBEDDING_API_KEY="",
            ):
                yield provider
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    player: StoryProvider

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(size))
        try:
            content = json.dumps(self.player.answer(body), ensure_ascii=False)
        except (LookupError, TypeError, ValueError):
            self.send_error(400)
            return
        message = {"role": "assistant", "content": content}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        head = {
            "id": "s",
            "object": "chat.completion",
            "created": 0,
            "model": "stories",
        }
        self._send(json.dumps(head | {"choices": [choice]}).encode())

    def _send(self, answer: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Do not print."""


def _last_document(messages: Sequence[Document]) -> Document:
    """The document of the last user message that is one: a repair has none."""
    for message in reversed(messages):
        if message["role"] == "user" and message["content"].startswith("{"):
            document: Document = json.loads(message["content"])
            return document
    raise LookupError


@contextmanager
def _settings(**values: object) -> Iterator[None]:
    before = {name: getattr(settings, name) for name in values}
    try:
        for name, value in values.items():
            setattr(settings, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)
