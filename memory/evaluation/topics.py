"""How far a model tells a change of topic from what belongs to the topic.

On invented conversations: a running summary and the user's next messages.
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from meddie.ai.embeddings import Embedder
from meddie.ai.vectors import Vector
from memory.evaluation.everyday import LANGUAGES

FILE = Path(__file__).with_name("topics.json")


@dataclass(frozen=True, slots=True)
class TopicPairs:
    """The higher cosine of each two messages in a row: of a topic, and of another."""

    same: Vector
    other: Vector

    def left(self, threshold: float) -> float:
        """The share of turns that would leave a topic which goes on."""
        return float(np.mean(self.same < threshold))

    def noticed(self, threshold: float) -> float:
        """The share of turns with another topic that would begin an episode."""
        return float(np.mean(self.other < threshold))


def measure_topics(embedder: Embedder) -> TopicPairs:
    """Raises AIError."""
    topics = json.loads(FILE.read_text(encoding="utf-8"))
    same: list[float] = []
    other: list[float] = []
    for language in LANGUAGES:
        told = [topic[language] for topic in topics]
        summaries = embedder.embed([one["summary"] for one in told])
        for number, one in enumerate(told):
            messages = np.stack(embedder.embed(one["messages"]))
            for place, summary in enumerate(summaries):
                pairs = same if place == number else other
                pairs += [max(pair) for pair in pairwise(messages @ summary)]
    return TopicPairs(np.array(same), np.array(other))
