"""Ranking `fused`, for messages: meaning, words, neighbours, speaker and session.

Weights were tuned on LoCoMo's development half (benchmarks/recall.md).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from memory.recall import sql
from memory.recall.rankings.ranking import Ranking, Scores, reaches_about, reaches_floor
from memory.recall.signals import Flags, Integers, Numbers, Rows, Signals
from memory.recall.thresholds import Thresholds

COSINE, KEYWORD = 0.6, 0.4
# Added if the row was said by the person whom the query names.
SPEAKER = 0.25
# Added to long texts; a text of SUBSTANTIAL different words gets half of it.
SUBSTANCE = 0.2
SUBSTANTIAL = 10
# Share of its session's best score that every row gets.
SESSION = 0.4
NEIGHBOURING = np.array([0, -1, 1, -2, 2])
# What a word counts in the row itself and in its neighbours: a question explains the
# answer that follows it.
NEARNESS = np.array([1.0, 0.75, 0.5, 0.25, 0.25])
# BM25's k1 and b.
SATURATION, LENGTH = 0.6, 0.75
# What a word counts at most, in the shortest of texts.
MOST_FOR_LENGTH = 1.25
# Candidates by meaning, by words and by both. More changed nothing.
POOL = 30
# Knuth's multiplier, 2^64 over the golden ratio: makes one number of session and place.
SPREAD = np.uint64(0x9E3779B97F4A7C15)


def _candidates(signals: Signals) -> Rows:
    """The best by meaning, by words and by both, and their direct neighbours."""
    every = np.arange(len(signals.ids))
    compared, held = signals.compared, (signals.words | signals.days) > 0
    words = _share(_held(signals, every), signals) * _dilution(signals)
    distance = np.where(compared, 1 - signals.cosines, np.inf)
    score = (
        COSINE * np.nan_to_num(signals.cosines)
        + np.where(compared, KEYWORD, 1.0) * words
        + SPEAKER * signals.spoken
    )
    pools = (
        signals.lowest(every[compared], POOL, distance),
        signals.lowest(every[held], POOL, -words, distance),
        signals.lowest(every[compared | held], POOL, -score),
    )
    near = _neighbours(signals, np.unique(np.concatenate(pools)), NEIGHBOURING[:3])
    return np.unique(near[near >= 0])


def _score(signals: Signals, rows: Rows) -> Scores:
    near = _neighbours(signals, rows, NEIGHBOURING)
    held = _held(signals, near) * (near >= 0)[..., None]
    worth = (NEARNESS * _dilution(signals)[near])[..., None]
    score = _own_score(signals, rows, _share((held * worth).max(axis=1), signals))
    values = np.full(len(signals.ids), -np.inf)
    values[rows] = score + SESSION * _session_best(signals.sessions[rows], score)
    keywords = np.zeros(len(signals.ids))
    keywords[rows] = _share(held.max(axis=1), signals)
    return Scores(values, keywords)


def _own_score(signals: Signals, rows: Rows, words: Numbers) -> Numbers:
    cosines, sizes = signals.cosines[rows], signals.sizes[rows]
    meaning = np.where(np.isnan(cosines), words, COSINE * cosines + KEYWORD * words)
    substance = SUBSTANCE * sizes / (sizes + SUBSTANTIAL)
    own: Numbers = meaning + SPEAKER * signals.spoken[rows] + substance
    return own


def _session_best(sessions: Integers, scores: Numbers) -> Numbers:
    _, number = np.unique(sessions, return_inverse=True)
    best = np.zeros(len(scores))
    np.maximum.at(best, number, scores)
    of_session: Numbers = best[number] * (sessions != sql.NO_SESSION)
    return of_session


def _neighbours(signals: Signals, rows: Rows, steps: Integers) -> Rows:
    """Rows `steps` places away in the session, -1 for none."""
    found = np.where(steps == 0, rows[:, None], -1)
    placed = np.flatnonzero(signals.places >= 0)
    if not len(placed):
        return found
    sessions, places = signals.sessions.view(np.uint64), signals.places.view(np.uint64)
    position = sessions * SPREAD + places
    placed = placed[np.argsort(position[placed])]
    wanted = position[rows][:, None] + steps.view(np.uint64)
    there = np.searchsorted(position[placed], wanted).clip(max=len(placed) - 1)
    known = (position[placed][there] == wanted) & (signals.places[rows] >= 0)[:, None]
    return np.where(known & (steps != 0), placed[there], found)


def _gate(signals: Signals, scores: Scores, limits: Thresholds) -> Flags:
    """The rows that pass, of conversations and files of which one says enough."""
    groups = np.where(signals.places < 0, sql.NO_SESSION, signals.sessions)
    about = groups[reaches_about(signals, scores, limits)]
    return reaches_floor(signals, scores, limits) & np.isin(groups, about)


def _held(signals: Signals, rows: Rows) -> Integers:
    """1 per word that a row holds, in one more dimension."""
    bits = np.arange(len(signals.weights))
    held: Integers = (signals.words | signals.days)[rows][..., None] >> bits & 1
    return held


def _share(worth: npt.NDArray[Any], signals: Signals) -> Numbers:
    share: Numbers = worth @ np.array(signals.weights) / (sum(signals.weights) or 1)
    return share


def _dilution(signals: Signals) -> Numbers:
    """BM25's length part: 1 in a text of usual length."""
    usual = signals.usual
    if usual is None:
        sizes = np.maximum(signals.sizes, 1)
        usual = np.exp(np.log(sizes).mean()) if len(sizes) else 1.0
    length = 1 - LENGTH + LENGTH * signals.sizes / max(usual, 1.0)
    return np.minimum(MOST_FOR_LENGTH, (1 + SATURATION) / (1 + SATURATION * length))


FUSED = Ranking(
    "fused",
    columns=("sizes", "spoken", "sessions", "places"),
    candidates=_candidates,
    score=_score,
    gate=_gate,
    floor=reaches_floor,
    needs_vector=False,
)
