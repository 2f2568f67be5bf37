"""The web and Telegram under load. Pure."""

from collections.abc import Mapping
from typing import Any

from benchmarks.drawing import bars
from benchmarks.page.section import Section, ms, table

ADDED = """
A provider that begins to answer after {latency:.0f} ms, asked directly through the openai
SDK and through Meddie's web process in turns ({rounds} rounds); "added" is the difference
within a round, in milliseconds.

{times}
"""
STREAMS = """
Replies of {words} words at {pace:.0f} a second each, begun over {over:.0f} seconds; the added
time is that from sending the message to its first words, less the provider's latency. A
stall would be two seconds without news, or a stream that does not end.

{load}

A reply that waits for its first word, with its stream, its turn and its connection to the
provider, takes {each} kB of the web process ({before} MB before, {after} MB with
{streams}).
"""
PAGES = """
Readers who open one page after the other without a pause (locust; the chat, the people,
the health check), on one web process; milliseconds.

{pages}
"""
TELEGRAM = """
The webhook at {rate} requests a second ({requests} of them) answered in p50
{p50} ms, p95 {p95} ms. Two workers work off {done} updates a second ({updates} updates in
{chats} chats; the provider begins to answer after {thinking:.0f} ms).
"""


def first_token(figures: Mapping[str, Any]) -> Section:
    """What is added to the first token of one reader."""
    times = figures["times"]
    rows = [[name, ms(t["p50"]), ms(t["p95"])] for name, t in times.items()]
    shown = table(["", "p50", "p95"], rows)
    text = ADDED.format(
        latency=figures["latency"], rounds=figures["rounds"], times=shown
    )
    series = {cut: [t[cut] for t in times.values()] for cut in ("p50", "p95")}
    drawing = bars("Time to the first token", list(times), series, "ms")
    return Section("Time to the first token", text, {"first-token": drawing})


def streams(figures: Mapping[str, Any]) -> Section:
    """Many replies at once, and the memory of one."""
    rows = [
        [
            f"{figures[name]['streams']} on {name}",
            ms(figures[name]["added"]["p50"]),
            ms(figures[name]["added"]["p95"]),
            figures[name]["longest silence"],
            figures[name]["stalled"],
        ]
        for name in ("one", "two")
    ]
    load = table(
        ["streams on web processes", "added p50", "added p95", "longest silence", "stalled"],
        rows,
    )  # fmt: skip
    text = STREAMS.format(
        words=figures["words"],
        pace=figures["pace"],
        over=figures["over"],
        load=load,
        **figures["memory"],
    )
    return Section("Many replies at once", text)


def pages(figures: Mapping[str, Any]) -> Section:
    """Plain pages under load."""
    heads = ("pages a second", "p50", "p95", "failed")
    rows = [[n, *(load[head] for head in heads)] for n, load in figures.items()]
    return Section("Plain pages", PAGES.format(pages=table(["readers", *heads], rows)))


def telegram(figures: Mapping[str, Any]) -> Section:
    """The webhook and the workers."""
    times = {cut: ms(value) for cut, value in figures["webhook"].items()}
    done = figures["updates a second"]
    return Section("Telegram", TELEGRAM.format(done=done, **times, **figures))
