"""What came of a storm, counted in what Telegram took."""

import re
from dataclasses import dataclass
from itertools import pairwise

from tests.kill.messages import MESSAGES, deliveries, repeated
from tests.kill.storm import RECORDING, RETURNING, Storm
from tests.telegram_server import Call, TelegramServer

ANSWER = re.compile(r"Answer to number (\d+)")
OURS = re.compile(r"number \d+|so on")
"""In each part of an answer, and in the line about its fact."""


@dataclass(frozen=True)
class Figures:
    answered: int
    apologies: int
    out_of_order: int
    twice: int
    explained: int
    """Of those sent twice: the worker ended before it stored Telegram's receipt."""
    kills: int
    ended: int
    seconds: float
    silence: float

    def __str__(self) -> str:
        return (
            f"{self.answered} of {MESSAGES} answered, {self.apologies} apologies,"
            f" {self.out_of_order} out of order, {self.twice} sent twice"
            f" ({self.explained} of them as the chat worker ended less than"
            f" {RECORDING:.0f} s after Telegram took them, or with PostgreSQL away then,"
            f" less than {RETURNING:.0f} s after its return), {self.kills} kills,"
            f" {self.ended} programs ended by themselves, longest silence"
            f" {self.silence:.0f} s, {self.seconds:.0f} s in all"
        )


def figures(storm: Storm, telegram: TelegramServer) -> Figures:
    chats = deliveries(telegram)
    taken = sorted((call for calls in chats.values() for call in calls), key=_time)
    answers = [_numbers(calls) for calls in chats.values()]
    twice = [first for calls in chats.values() for first, _second in repeated(calls)]
    times = [storm.began, *map(_time, taken)]
    return Figures(
        answered=sum(map(len, answers)),
        apologies=sum(not OURS.search(call.params["text"]) for call in taken),
        out_of_order=sum(a > b for numbers in answers for a, b in pairwise(numbers)),
        twice=len(twice),
        explained=sum(storm.explains(call.time) for call in twice),
        kills=len(storm.kills),
        ended=len(storm.ends),
        seconds=times[-1] - times[0],
        silence=max(b - a for a, b in pairwise(times)),
    )


def _time(call: Call) -> float:
    return call.time


def _numbers(calls: list[Call]) -> list[int]:
    """The numbers that answers name, each once."""
    found = (n for call in calls for n in ANSWER.findall(call.params["text"]))
    return list(dict.fromkeys(map(int, found)))
