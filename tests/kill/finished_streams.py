"""Kill -9 the web process when half of the clients have the ends of their answers."""

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import httpx2

from conversations.models import Message
from tests.conversations.api.openai.client import COMPLETIONS, said
from tests.openai_answers import Answer
from tests.stack.web import WebProcess
from tests.waiting import PATIENCE

AT_ONCE = 20
WORDS = tuple(f"word{number} " for number in range(12))
HELD = 10  # words before all streams go on together


@dataclass(frozen=True)
class Finished:
    """Questions whose clients got an end, and those of them that are not stored whole."""

    told: int
    lost: list[str]

    def __add__(self, other: "Finished") -> "Finished":
        return Finished(self.told + other.told, self.lost + other.lost)


def play_round(openai_server, api, name: str, *, streams: bool = True) -> Finished:
    """Answer AT_ONCE calls, and kill the process while their ends are told."""
    openai_server.released.clear()
    answer = Answer("".join(WORDS), pieces=WORDS, hold=HELD, latency=0.3)
    openai_server.chat.default = openai_server.titles.default = lambda _body: answer
    questions = [f"Question {number} of {name}" for number in range(AT_ONCE)]
    started = threading.Barrier(AT_ONCE + 1 if streams else 1)
    web_process = WebProcess(DAILY_MESSAGES="100000")
    with web_process as web, ThreadPoolExecutor(AT_ONCE) as pool:

        def ask(question: str) -> str:
            body = {"model": "m", "stream": streams, "messages": [said(question)]}
            bearer = {"Authorization": f"Bearer {api.secret}"}
            chat = {"X-OpenWebUI-Chat-Id": question}
            return read_whole(web.url, body, bearer | chat, started)

        calls = {pool.submit(ask, question): question for question in questions}
        started.wait(PATIENCE)
        openai_server.released.set()
        told = []
        for call in as_completed(calls):
            if call.result():
                told.append(calls[call])
            if len(told) == AT_ONCE // 2:
                web.process.kill()
    rows = Message.objects.filter(role="assistant", answers__content__in=told)
    whole = rows.filter(status="done", content__startswith="".join(WORDS).strip())
    stored = set(whole.values_list("answers__content", flat=True))
    return Finished(
        len(told), [question for question in told if question not in stored]
    )


def read_whole(url, body, headers, started) -> bool:
    """Whether the client got the answer to its end before the process died."""
    got = ""
    end = "data: [DONE]" if body["stream"] else '"memories"'
    try:
        with (
            httpx2.Client(base_url=url, timeout=PATIENCE) as client,
            client.stream("POST", COMPLETIONS, json=body, headers=headers) as answer,
        ):
            for piece in answer.iter_text():
                if not got and body["stream"]:
                    started.wait(PATIENCE)
                got += piece
    except httpx2.TransportError:
        return False
    return end in got
