"""Ways of doing the same thing, timed in turns, so that a noisy machine hits all alike."""

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

Way = Callable[[int], object]
"""Does its thing for the round of this number."""


def interleaved(
    ways: Mapping[str, Way], rounds: int, warm_up: int = 5
) -> dict[str, list[float]]:
    """Milliseconds of each way in each round, in a new order every round."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    shuffle = random.Random(3).shuffle  # noqa: S311 -- repeatable
    for number in range(warm_up + rounds):
        names = list(ways)
        shuffle(names)
        for name in names:
            began = time.perf_counter()
            ways[name](number)
            milliseconds = 1000 * (time.perf_counter() - began)
            if number >= warm_up:
                taken[name].append(milliseconds)
    return taken


def spread(milliseconds: Sequence[float]) -> dict[str, float]:
    """The median and the 95th percentile."""
    cuts = statistics.quantiles(milliseconds, n=20)
    return {
        "p50": round(statistics.median(milliseconds), 3),
        "p95": round(cuts[18], 3),
    }


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of what we took over the median of what they took."""
    return round(statistics.median(ours) / statistics.median(theirs), 3)
