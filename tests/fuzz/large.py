"""Attacks by size: bodies of many values at every door of programs, and files to import."""

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.conversations.attachments.hostile import lying
from tests.fuzz.actors import CSRF, Actor
from tests.fuzz.attack import Attack
from tests.fuzz.endpoint import COMPLETIONS, INGEST, JSON, MEMORIES, USER_ID, settle
from tests.fuzz.memories import MEM0
from tests.fuzz.webhook import SECRET
from tests.fuzz.world import STRANGER
from tests.hostile_json import LARGE_VALUES, MANY_VALUES, MEGABYTE, field, filled

SIZE = MEGABYTE * 15 // 16
IMPORT = "/memory/import"
ZEROS = bytes(8 * MEGABYTE)
FILES: tuple[Callable[[], bytes], ...] = (
    lambda: lying(zipfile.ZIP_BZIP2, ZEROS),
    lambda: lying(zipfile.ZIP_LZMA, ZEROS),
    lambda: lying(zipfile.ZIP_DEFLATED, ZEROS, stated=2**32 - 2),
    lambda: lying(zipfile.ZIP_DEFLATED, ZEROS, stated=8 * MEGABYTE, times=14),
    lambda: filled(b"{},", 6 * MEGABYTE),
    lambda: b"PK\3\4" + b"x" * 100,
    lambda: b'[{"mapping": {"a": {"message": {"id": "\\ud800"}}}}]',
    lambda: b"[" * MEGABYTE,
)


def attack_sizes(actor: Actor) -> None:
    """What has too many values is refused at every door, and changes nothing."""
    asking = replace(actor, name=STRANGER)
    bearer = {"Authorization": f"Bearer {actor.world.keys['proxy home']}", "Cookie": ""}
    kinds = {USER_ID: "x", "Accept": f"{JSON}, text/event-stream"}
    forget = f"{MEMORIES}/forget"
    for door in (COMPLETIONS, INGEST, MEMORIES, forget, *MEM0, "/mcp"):
        for body in _bodies():
            sent = (JSON, body)
            answer = asking.ask("POST", door, body=sent, headers=bearer | kinds)
            if answer.status != 413:
                asking.report(f"{door} {body[:80]!r}", f"gets {answer.status}")
    for bot in actor.world.bots:
        for body in _bodies():
            path, secret = f"/telegram/{bot.bot_id}", {SECRET: bot.secret}
            answer = actor.ask("POST", path, body=(JSON, body), headers=secret)
            if answer.status not in {400, 413}:
                actor.report(f"{path} {body[:80]!r}", f"gets {answer.status}")
    home = {str(asking.world.spaces["home"].pk)}
    settle(asking, "large bodies", home)


def _bodies() -> Iterator[bytes]:
    for part in MANY_VALUES.values():
        yield field(filled(part, SIZE))
        yield filled(part, SIZE)
    for make in LARGE_VALUES.values():
        yield field(make(MEGABYTE + MEGABYTE // 2))


def attack_imports(attack: Attack) -> None:
    """Files that unpack, or parse, to much are refused with a sentence."""
    actor = attack.actor
    for make in attack.some(FILES, attack.scale.values):
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"'
        body = head + b"\r\n\r\n" + make() + b"\r\n--x--\r\n"
        sent = ("multipart/form-data; boundary=x", body)
        answer = actor.ask("POST", IMPORT, body=sent, headers={"X-CSRFToken": CSRF})
        if answer.status not in {200, 302, 404, 422, 429}:
            actor.report(f"{IMPORT} {body[:80]!r}", f"gets {answer.status}")
        actor.settle(IMPORT, own_may_change=True)
