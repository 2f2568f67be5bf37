"""Which of a few loose lines, such as those of notes and files, a message is about."""

from collections.abc import Sequence

from meddie.ai.errors import NoEmbedder
from memory.judgement.judge import vectors_of
from memory.wording.words import grounded

MOST_READ = 200  # lines that are read
WORTH_OF_WORD = 0.3  # what a common word is worth, as a cosine
NEAR_BEST = 0.6  # of the best one's score: others do not answer the same question
LEAST_LIKENESS = 0.2
"""Of the cosine of a message and a line without its words. "What is the capital of France?"
and "My name is Kate" have 0.19, "Which tablets does she take?" and "Ramipril 5 mg every
morning" 0.28."""


def best_lines(
    text: str, lines: Sequence[str], least: float = LEAST_LIKENESS
) -> list[str]:
    """The lines that the text is about, the nearest first.

    By the bundled encoder; without it by words alone.
    """
    read = list(dict.fromkeys(lines))[:MOST_READ]
    if not text.strip():
        return []
    try:
        vectors = vectors_of([text, *read])
        near = (vectors[1:] @ vectors[0]).tolist()
    except NoEmbedder:
        near = [0.0] * len(read)
    scores = {
        line: cosine + WORTH_OF_WORD * grounded(line, text)
        for cosine, line in zip(near, read, strict=True)
    }
    least = max([least, *(NEAR_BEST * score for score in scores.values())])
    ranked = sorted(scores, key=lambda line: -scores[line])
    return [line for line in ranked if scores[line] >= least]
