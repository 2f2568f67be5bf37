"""Recordings are cut where they are long, into parts that are recordings."""

import io
import struct
import wave

import pytest

from meddie.ai import recordings
from meddie.ai.errors import RecordingTooLarge, UnknownSound

MINUTE = 60


def wav(seconds, rate=100):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(bytes(range(250)) * (seconds * rate * 2 // 250))
    return file.getvalue()


def sound_of(recording):
    with wave.open(io.BytesIO(recording)) as sound:
        return sound.readframes(sound.getnframes())


def page(granule, data):
    head = b"OggS" + struct.pack("<BBqIII", 0, 0, granule, 1, 0, 0)
    return head + bytes([1, len(data)]) + data


def ogg(minutes):
    pages = [page((n + 1) * MINUTE * 48_000, b"%03d" % n) for n in range(minutes)]
    return page(0, b"OpusHead") + page(0, b"OpusTags") + b"".join(pages)


def mp3(minutes):
    """Of 8 kilobits a second."""
    return b"ID3\4\0\0\0\0\0\5tags." + b"\xff\xf3\x10\xc4" * (minutes * MINUTE * 250)


def test_long_wav_is_cut_and_nothing_of_it_is_lost():
    parts = recordings.parts_of("audio.wav", wav(40 * MINUTE))
    assert len(parts) == 3
    assert b"".join(map(sound_of, parts)) == sound_of(wav(40 * MINUTE))


def test_long_ogg_is_cut_at_its_pages_and_each_part_has_the_heads():
    parts = recordings.parts_of("audio.ogg", ogg(40))
    heads = page(0, b"OpusHead") + page(0, b"OpusTags")
    assert all(part.startswith(heads) for part in parts)
    assert heads + b"".join(part.removeprefix(heads) for part in parts) == ogg(40)
    assert [part.count(b"OggS") - 2 for part in parts] == [15, 15, 10]


def test_long_mp3_is_cut():
    parts = recordings.parts_of("audio.mp3", mp3(40))
    assert [len(part) // (MINUTE * 1000) for part in parts] == [15, 15, 10]


@pytest.mark.parametrize("name", ["audio.wav", "audio.ogg", "audio.mp3", "audio.m4a"])
@pytest.mark.parametrize(
    "data", [b"", b"OggS", b"RIFF\0\0\0\0WAVEdata", b"ID3", b"x" * 99]
)
def test_broken_and_short_recordings_are_sent_as_they_are(name, data):
    assert recordings.parts_of(name, data) == [data]


def test_unknown_and_large_recordings_are_refused_before_they_are_sent():
    with pytest.raises(UnknownSound):
        recordings.parts_of("audio.aac", b"\xff\xf1")
    with pytest.raises(RecordingTooLarge):
        recordings.parts_of("audio.m4a", bytes(recordings.LARGEST + 1))
