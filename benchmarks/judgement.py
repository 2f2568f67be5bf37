"""Fit the judgement to its examples, or measure it on ordinary dialogue.

    python -m benchmarks judgement                      # what `make judgement` runs
    python -m benchmarks judgement --dialogues FILE     # LoCoMo's turns that it flags

scikit-learn is needed to fit only.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from memory.judgement import judge
from memory.judgement.judge import HEALTH_CLASSES, MARGINS

FOLDS = 10
PENALTY = 10
TALK = frozenset(
    {"statement", "greeting", "thanks", "feeling", "capability", "forget_all"}
)
"""Classes of what is said to the stand-in, with `passing` as their counter-class."""
ASKED = frozenset({"may_i", "general", "closing"})
"""Classes of messages that came last, with what is said and asked as their counter-class."""
HEADED = frozenset({*HEALTH_CLASSES, "appointment"})
FAMILY = frozenset({"harmed", "unharmed"})
"""Emergencies of a family and its everyday, which move `medical` alone."""
INCLUDED = {"order": "override", "medical": "harmed"}
"""By class, another one whose examples are its own, too."""
WORDS = frozenset({"name", "thing"})
"""Single words, which are no sentences."""


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=Path)
    options = parser.parse_args(arguments)
    if options.dialogues:
        measure(options.dialogues)
    else:
        fit()
    return 0


def fit() -> None:
    """Fit a classifier per class, store it, and print what cross-validation finds."""
    from sklearn.model_selection import StratifiedKFold, cross_val_predict  # noqa: PLC0415
    from sklearn.svm import SVC  # noqa: PLC0415

    labels = judge.read_examples()
    stored = judge.to_bytes(judge.vectors_of(list(labels)))
    examples = judge.from_bytes(stored)
    gamma = 1 / (examples.shape[1] * examples.var())
    weights = np.zeros((len(examples), len(MARGINS)), np.float32)
    biases = np.zeros(len(MARGINS), np.float32)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    say(f"{len(examples)} examples, {FOLDS}-fold cross-validation")
    say(f"{'class':14}{'examples':>9}{'found':>7}{'flagged of the others':>23}")
    for number, (name, margin) in enumerate(MARGINS.items()):
        used = np.array([is_used(name, c) for c in labels.values()], bool)
        belongs = np.array([_is_of(name, classes) for classes in labels.values()])[used]
        classifier = SVC(C=PENALTY, gamma=gamma)
        values = cross_val_predict(
            classifier, examples[used], belongs, cv=folds, method="decision_function"
        )
        found, flagged = (values > margin) & belongs, (values > margin) & ~belongs
        say(f"{name:14}{belongs.sum():9}{found.sum():7}{flagged.sum():23}")
        classifier.fit(examples[used], belongs)
        weights[np.flatnonzero(used)[classifier.support_], number] = (
            classifier.dual_coef_[0]
        )
        biases[number] = classifier.intercept_[0]
    np.savez_compressed(
        judge.FITTED,
        examples=stored,
        weights=weights,
        biases=biases,
        gamma=gamma,
        digest=judge.digest(labels),
    )
    say(f"Stored in {judge.FITTED.name}: {judge.FITTED.stat().st_size / 1e6:.1f} MB")


def is_used(name: str, classes: set[str]) -> bool:
    """Whether the machine of a class is fitted to an example.

    Classes that came later do not move the others. Facts of `safety` are compared with
    `harmless` ones alone, as there are some among all others, and those of HEADED with them
    and with each other. `ordinary` and the emergencies have
    statements and feelings among their sentences, unlabelled, so those of TALK do without.
    """
    if name == "name":
        return bool(classes & WORDS)
    classes = classes - WORDS
    if classes <= FAMILY:
        return bool(classes) and name == "medical"
    if name != "off_record" and classes <= {"off_record", "on_record"}:
        return False
    if name == "safety":
        return not classes.isdisjoint({"safety", "harmless"})
    if name in HEADED:
        return not classes.isdisjoint({*HEADED, "harmless"})
    facts = {"safety", "harmless", *HEADED}
    asking, without = facts | {"past", "present"}, {"ordinary", "medical", "crisis"}
    later = asking | {*TALK, *ASKED, "passing"}
    unused = {
        "off_record": facts,
        "past": facts | {*ASKED},
        "ended": later,
        **dict.fromkeys(ASKED, without | {"ended"}),
        **dict.fromkeys(TALK, asking | without | {"ended"}),
    }
    return not classes <= unused.get(name, later | {"ended"})


def _is_of(name: str, classes: set[str]) -> bool:
    return not classes.isdisjoint({name, INCLUDED.get(name, name)})


def measure(dialogues: Path) -> None:
    """Print how many turns have a sentence of each class."""
    turns = list(_turns(json.loads(dialogues.read_text())))
    flagged = dict.fromkeys(MARGINS, 0)
    for turn in turns:
        judged = [one.classes for _, one in judge.judge_closely(turn)]
        for name in frozenset().union(*judged):
            flagged[name] += 1
    for name, count in flagged.items():
        say(f"{name:14}{count:6} of {len(turns)} turns, {count / len(turns):.3%}")


def _turns(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if "text" in part and "speaker" in part:
            yield part["text"]
        for value in part.values():
            yield from _turns(value)
    elif isinstance(part, list):
        for value in part:
            yield from _turns(value)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
