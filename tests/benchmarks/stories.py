"""Stories for tests: made in one line, and played in the whole pipeline."""

from datetime import UTC, datetime, timedelta

from benchmarks.evaluation.playing import PlayedStory, play_stories
from benchmarks.evaluation.stories import Story

DAY_ONE = datetime(2026, 1, 1, 10, tzinfo=UTC)


def step(day: int, said: str, **fields):
    return {"at": (DAY_ONE + timedelta(days=day)).isoformat(), "said": said, **fields}


def story(*steps, key="a", **expect):
    data = {"id": key, "steps": list(steps), "expect": expect}
    return Story.model_validate(data)


def play(*steps, **expect) -> PlayedStory:
    (played,) = play_stories([story(*steps, **expect)])
    return played


def texts(played: PlayedStory, state: str) -> set[str]:
    return set(played.state.rows[state].values())
