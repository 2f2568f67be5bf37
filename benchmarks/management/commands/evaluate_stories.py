"""Measure whether memory is right after stories of changing facts."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchmarks.evaluation.playing import PlayedStory, play_stories
from benchmarks.evaluation.stories import InvalidStories, read_stories


class Command(BaseCommand):
    help = (
        "Play update stories through capture, resolution and forgetting, and print in how"
        " many the memory is as expected, with each difference. The command answers the"
        " model's calls itself, from the file, and uses the local embedding model."
        " Everything is rolled back. FILE has one story per line, as benchmarks/capture.md says."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--states", type=Path, help="a file to write the memory of each story to"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            stories = read_stories(options["file"])
        except InvalidStories as error:
            raise CommandError(str(error)) from error
        try:
            with tqdm(total=len(stories), file=sys.stderr, unit="story") as bar:
                played = [(story, bar.update())[0] for story in play_stories(stories)]
        except KeyboardInterrupt:
            raise CommandError("Stopped. Nothing was stored.") from None
        if options["states"]:
            _write_states(options["states"], played)
        if options["json"]:
            self.stdout.write(json.dumps(_figures(played), ensure_ascii=False))
            return
        for line in _report(played):
            self.stdout.write(line)


def _write_states(path: Path, played: Sequence[PlayedStory]) -> None:
    states = {one.story.id: one.state.as_data() for one in played}
    try:
        path.write_text(json.dumps(states, ensure_ascii=False, indent=1), "utf-8")
    except OSError as error:
        raise CommandError(f"The states cannot be written: {error}") from error


def _figures(played: Sequence[PlayedStory]) -> dict[str, Any]:
    return {
        "right": sum(not one.differences for one in played),
        "total": len(played),
        "wrong": [
            {
                "id": one.story.id,
                "lang": one.story.lang,
                "covers": one.story.covers,
                "differences": [asdict(found) for found in one.differences],
            }
            for one in played
            if one.differences
        ],
    }


def _report(played: Sequence[PlayedStory]) -> Iterator[str]:
    figures = _figures(played)
    yield f"{figures['right']}/{figures['total']} stories are right"
    for wrong in figures["wrong"]:
        for found in wrong["differences"]:
            yield f"{wrong['id']}: {found['where']}: {found['problem']}: {found['text']}"
