"""What providers take as sound: checked before it is sent, and cut where it is long.

WAV, MP3 and Ogg are cut where a part of them is a recording by itself.
"""

import struct
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import PurePath

from meddie.ai.errors import RecordingTooLarge, UnknownSound

TAKEN = {"flac", "m4a", "mp3", "mp4", "mpeg", "mpga", "oga", "ogg", "wav", "webm"}
LARGEST = 24 * 1024**2  # bytes; OpenAI takes 25 MB
LONGEST = 15 * 60  # seconds; its models take 23 minutes
MOST_PARTS, LARGEST_HEADS = 40, 256 * 1024
# Kilobits a second of MPEG's layer III: of its first version, and of the others.
RATES = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
OPUS_RATE = 48_000  # granules a second


def parts_of(name: str, recording: bytes) -> list[bytes]:
    """Each may be sent by itself. Raises UnknownSound, RecordingTooLarge."""
    suffix = PurePath(name).suffix.removeprefix(".")
    if suffix not in TAKEN:
        raise UnknownSound(suffix)
    cut = CUTS.get(suffix)
    try:
        parts = list(islice(cut(recording), MOST_PARTS + 1)) if cut else []
    except (struct.error, IndexError, ValueError, ZeroDivisionError):
        parts = []  # broken; the provider says so
    parts = parts or [recording]
    if len(parts) > MOST_PARTS or max(map(len, parts)) > LARGEST:
        raise RecordingTooLarge
    return parts


def _cut_wav(recording: bytes) -> Iterator[bytes]:
    place, form = 12, b""
    while place + 8 <= len(recording):
        name, size = struct.unpack_from("<4sI", recording, place)
        start = place + 8
        if name == b"fmt ":
            form = recording[place : start + size]
        elif name == b"data":
            second, frame = struct.unpack_from("<IH", form, 16)
            step = min(LONGEST * second, LARGEST - 1000) // frame * frame
            sound = recording[start : start + size]
            for at in range(0, len(sound), step):
                part = sound[at : at + step]
                data = b"data" + struct.pack("<I", len(part)) + part
                whole = struct.pack("<I", 4 + len(form) + len(data))
                yield b"RIFF" + whole + b"WAVE" + form + data
            return
        place = start + size + size % 2


def _cut_mp3(recording: bytes) -> Iterator[bytes]:
    """By the rate of the first frame; a decoder finds the next frame by itself."""
    start = 0
    if recording[:3] == b"ID3":
        high, upper, lower, low = recording[6:10]
        start = 10 + (high << 21 | upper << 14 | lower << 7 | low)
    if recording[start] != 0xFF:
        return
    is_first = recording[start + 1] >> 3 & 3 == 3
    rate = RATES[not is_first][recording[start + 2] >> 4]
    step = min(LONGEST * rate * 1000 // 8, LARGEST)
    for at in range(start, len(recording), step):
        yield recording[at : at + step]


def _cut_ogg(recording: bytes) -> Iterator[bytes]:
    """At its pages (RFC 3533), each part with those of the heads."""
    heads = part = b""
    place, began, last, rate = 0, 0, 0, OPUS_RATE
    while recording[place : place + 4] == b"OggS":
        (granule,) = struct.unpack_from("<q", recording, place + 6)
        count = recording[place + 26]
        sizes = recording[place + 27 : place + 27 + count]
        sound = place + 27 + count
        page = recording[place : sound + sum(sizes)]
        if recording[sound : sound + 7] == b"\x01vorbis":
            (rate,) = struct.unpack_from("<I", recording, sound + 12)
        place += len(page)
        if granule == 0 and not part and len(heads) < LARGEST_HEADS:
            heads += page
            continue
        is_long = granule - began > LONGEST * rate
        if part and (is_long or len(heads) + len(part) + len(page) > LARGEST):
            yield heads + part
            part, began = b"", last
        part, last = part + page, granule
    if part:
        yield heads + part


CUTS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "wav": _cut_wav,
    "mp3": _cut_mp3,
    "ogg": _cut_ogg,
}
