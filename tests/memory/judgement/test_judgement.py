"""The judgement by examples, on sentences that were written before it was fitted."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.judgement import is_used
from meddie.ai import embeddings, local_embedder
from memory.judgement import judge
from memory.recall.query import is_overview
from memory.wording.dialogue import (
    announces_topic,
    is_off_record,
    lasting,
)
from memory.wording.wishes import is_wish
from tests.corpus import each_of

SENTENCES = Path(__file__).parent / "sentences"
CLASSES = {
    "emergency": "medical",
    "parts": "medical",
    "forget_facts": "forget",
    "health": "condition",
    "named_emergency": "medical",
    "named_emergency_apart": "medical",
    "family_emergency": "medical",
    "family_emergency_apart": "medical",
    "relatives": "statement",
    "relatives_apart": "statement",
    "handing_over": "statement",
    "handing_over_apart": "statement",
    "may_i_apart": "may_i",
    "general_apart": "general",
    "off_record_apart": "off_record",
}
"""Of files that are named otherwise."""


def is_of(*names):
    def judged(text):
        found = [one.classes for _, one in judge.judge_sentences(text)]
        return any(not one.isdisjoint(names) for one in found)

    return judged


def wishes(text):
    return any(is_wish(judged) for _, judged in judge.judge_sentences(text))


def is_emergency(*names):
    def judged(text):
        found = [one.classes for _, one in judge.judge_closely(text)]
        return any(not one.isdisjoint(names) for one in found)

    return judged


def read(name):
    """The sentences, each with its label; `-` is none."""
    lines = (SENTENCES / f"{name}.txt").read_text().splitlines()
    return [tuple(line.split(" ", 1)) for line in lines]


@each_of(
    ("name", "function", "least", "most"),
    [
        ("emergency", is_emergency("medical", "crisis"), 75, 1),
        ("parts", is_emergency("medical", "crisis"), 40, 5),
        ("named_emergency", is_emergency("medical"), 29, 0),
        ("named_emergency_apart", is_emergency("medical"), 25, 3),
        ("family_emergency", is_emergency("medical"), 12, 0),
        ("family_emergency_apart", is_emergency("medical"), 13, 1),
        ("may_i", is_of("may_i"), 37, 0),
        ("may_i_apart", is_of("may_i"), 37, 0),
        ("relatives", lasting, 34, 1),
        ("relatives_apart", lasting, 38, 10),
        ("handing_over", lasting, 4, 1),
        ("handing_over_apart", lasting, 6, 1),
        ("general", is_of("general", "closing"), 36, 1),
        ("general_apart", is_of("general", "closing"), 37, 0),
        ("order", is_of("order"), 58, 7),
        ("overview", is_overview, 58, 3),
        ("topic_change", announces_topic, 46, 2),
        ("forget", wishes, 43, 10),
        ("forget_facts", wishes, 31, 2),
        ("confirm", is_of("confirm"), 40, 1),
        ("recalling", is_of("recalling"), 43, 1),
        ("past", is_of("past"), 23, 2),
        ("safety", is_of("safety"), 20, 3),
        ("statement", is_of("statement"), 47, 3),
        ("greeting", is_of("greeting"), 16, 0),
        ("thanks", is_of("thanks"), 16, 0),
        ("feeling", is_of("feeling"), 15, 2),
        ("capability", is_of("capability"), 9, 0),
        ("forget_all", is_of("forget_all"), 10, 2),
        ("off_record", is_off_record, 21, 1),
        ("off_record_apart", is_off_record, 24, 1),
    ],
)
def test_new_sentences_are_judged(name, function, least, most):
    """At least so many are found, and at most so many of the others flagged."""
    lines = read(name)
    of_class = [text for label, text in lines if label != "-"]
    missed = [text for text in of_class if not function(text)]
    flagged = [text for label, text in lines if label == "-" and function(text)]
    assert len(of_class) - len(missed) >= least, f"missed: {missed}"
    assert len(flagged) <= most, f"flagged: {flagged}"


def test_facts_about_health_are_judged_by_their_kind():
    """The class with the highest score; 42 of 48, and 2 of the others flagged."""
    lines = read("health")
    found = [_kind(one) for one in judge.judge([text for _, text in lines])]
    pairs = [(label, kind) for (label, _), kind in zip(lines, found, strict=True)]
    assert sum(label == kind != "-" for label, kind in pairs) >= 42, pairs
    assert sum(label == "-" != kind for label, kind in pairs) <= 2, pairs


def _kind(judged):
    best = max(judge.HEALTH_CLASSES, key=judged.scores.get)
    return best if best in judged.classes else "-"


def test_kind_of_an_emergency_is_judged():
    wrong = [
        (label, text)
        for label, text in read("emergency")
        if label in {"medical", "crisis"} and not is_emergency(label)(text)
    ]
    assert len(wrong) <= 3, wrong


def test_new_sentences_are_no_examples():
    """Nor are they nearly the same as one that their class is fitted to."""
    examples = judge.read_examples()
    vectors = judge.vectors_of(list(examples))
    for file in SENTENCES.glob("*.txt"):
        name = CLASSES.get(file.stem, file.stem)
        used = np.array([is_used(name, classes) for classes in examples.values()])
        texts = [text for _, text in read(file.stem)]
        likeness = judge.vectors_of(texts) @ vectors[used].T
        near = likeness.max(axis=1) > 0.95
        assert not near.any(), (file.stem, np.array(texts)[near])


def test_classifier_is_fitted_to_the_examples():
    """Else `make judgement` has to run again."""
    assert judge.is_fitted()
    vectors = judge.vectors_of(list(judge.read_examples()))
    with np.load(judge.FITTED) as file:
        assert file["weights"].shape == (len(vectors), len(judge.MARGINS))
        difference = file["examples"].astype(int) - judge.to_bytes(vectors)
    assert np.abs(difference).max() <= 1


def test_examples_are_written_once_a_file():
    for file in judge.EXAMPLES_FOLDER.glob("*.txt"):
        lines = file.read_text().splitlines()
        assert len(lines) == len(set(lines)), file.stem
        assert all(line == line.strip() != "" for line in lines), file.stem


def test_ordinary_sentence_is_of_no_class():
    (judged,) = judge.judge(["The bus was late again because of the snow."])
    assert judged.classes == frozenset()
    assert set(judged.scores) == set(judge.MARGINS)


@each_of(
    ("text", "sentences"),
    [
        ("I am Ann. I like tea!  Really?", ["I am Ann.", "I like tea!", "Really?"]),
        ("Take 2.5 mg daily... OK", ["Take 2.5 mg daily...", "OK"]),
        ("你好。我叫安！真的？", ["你好。", "我叫安！", "真的？"]),  # noqa: RUF001
        ("one\n two \n\n", ["one", "two"]),
        ("… !?", []),
        ("", []),
    ],
)
def test_text_is_judged_sentence_by_sentence(text, sentences):
    assert [text[a:b] for a, b in judge.judged_places(text)] == sentences
    assert [one.text for _, one in judge.judge_sentences(text)] == sentences


def test_neighbours_of_very_many_sentences_are_judged_together():
    text = " ".join(f"Sentence {number}." for number in range(2001))
    judged = [text[a:b] for a, b in judge.judged_places(text)]
    assert len(judged) <= judge.MOST_SENTENCES
    assert " ".join(judged) == text


WALK = "We went for a walk by the river and talked about the garden, "


@pytest.mark.parametrize(
    "text",
    [
        f"{WALK * 40}and now I can't breathe and my lips are blue, call someone",
        f"{'The weather is nice today. ' * 200}I can't breathe! {WALK}and had tea.",
    ],
    ids=["long sentence", "many sentences"],
)
def test_long_message_hides_no_emergency(text):
    found = [one.classes for _, one in judge.judge_sentences(text)]
    assert any("medical" in classes for classes in found)


@each_of(
    ("text", "urgent"),
    [
        ("Her smile is crooked. She can't find her words.", [True, True]),
        ("I live in Bergen. I can't breathe! I like tea.", [False, True, False]),
        ("I can't breathe, and my name is Ann.", [True]),
        ("My chest of drawers is full. My leg is in plaster.", [False, False]),
    ],
)
def test_pair_shares_an_emergency_that_neither_sentence_is_alone(text, urgent):
    judged = [one.classes for _, one in judge.judge_closely(text)]
    assert ["medical" in classes for classes in judged] == urgent


def test_batch_judges_as_one_by_one():
    texts = ["I can't breathe!", "What do you know about me?", "I like tea."]
    for text, judged in zip(texts, judge.judge(texts), strict=True):
        (alone,) = judge.judge([text])
        assert judged.classes == alone.classes
        assert list(judged.scores.values()) == pytest.approx(
            list(alone.scores.values()), abs=1e-4
        )


def test_recall_uses_the_vector_of_a_judged_sentence(monkeypatch):
    text = "Which of my friends plays the cello?"
    judge.judge([text])
    monkeypatch.setattr(local_embedder, "encode", None)  # asking it fails
    assert embeddings.local().embed_query(text).any()


def test_nothing_is_judged_without_the_encoder(monkeypatch):
    monkeypatch.setattr(local_embedder, "installed", lambda: False)
    (judged,) = judge.judge(["I can't breathe!"])
    assert judged.classes == frozenset()
    assert list(judge.nearest_examples("I can't breathe!")) == []


def test_nearest_examples_are_not_told_after_a_change_of_the_examples(monkeypatch):
    labels = judge.read_examples() | {"A new sentence": {"ordinary"}}
    monkeypatch.setattr(judge, "read_examples", lambda: labels)
    assert list(judge.nearest_examples("I can't breathe!")) == []


def test_nearest_examples_are_told_with_their_classes():
    score, _, classes = next(judge.nearest_examples("I cannot breathe"))
    assert score > 0.8
    assert "medical" in classes
