"""The stories of `subjects/`: of whom each sentence of a message is."""

from collections import Counter
from dataclasses import replace
from functools import reduce
from pathlib import Path
from uuid import uuid4

from memory.subjects import NO_HOUSEHOLD, Household, Subject, same_name
from memory.wording.dialogue import lasting
from memory.wording.subjects import subject_of
from memory.wording.words import plain

FOLDER = Path(__file__).parent / "subjects"


def stories(name):
    """The household and the messages with their subjects, of each story."""
    household, told = Household(), []
    for line in (FOLDER / name).read_text().splitlines():
        text, is_message, subjects = line.partition(" = ")
        if is_message:
            told.append((text, subjects.split("/")))
        elif "|" in line:
            people, _, about = line.partition("|")
            persons = [Subject("", n, uuid4()) for n in people.strip().split(", ") if n]
            about = next((p for p in persons if p.name == about.strip()), None)
            household, told = Household(persons, about=about), []
            yield household, told


def of_whom(*names):
    """The household, the text and whom it may be about."""
    for name in names:
        for line in (FOLDER / name).read_text().splitlines():
            home, is_row, rest = line.partition(" | ")
            if is_row:
                text, _, wanted = rest.rpartition(" = ")
                yield home, text, wanted.split(" or ")


def outcomes(name):
    """Each message with what is found: "right", "unsure", "wrong" or "lost"."""
    for household, told in list(stories(name)):
        known, before = household, []
        for message, subjects in told:
            known = replace(known, said=message, before="\n".join(before[-3:]))
            facts = lasting(message, known)
            found = [subject_of(fact, known) for fact in facts]
            yield message, subjects, found, outcome(found, subjects)
            known = reduce(_with, found, known)
            before.append(message)


def counted(name):
    return Counter(result for *_, result in outcomes(name))


def outcome(found, subjects):
    if not found:
        return "lost"
    if any(is_right(subject, wanted) for subject in found for wanted in subjects):
        return "right"
    return "unsure" if any(subject.unsure for subject in found) else "wrong"


def is_right(subject, wanted):
    if subject.unsure or wanted == "unsure":
        return subject.unsure and wanted == "unsure"
    if subject.is_user or wanted == "user":
        return subject.is_user and wanted == "user"
    named = bool(subject.name) and (
        same_name(subject.name, wanted) or plain(wanted) in plain(subject.name)
    )
    return named or wanted == subject.relation or plain(wanted) in plain(subject.words)


def _with(household, subject):
    if subject.unsure or subject.is_user:
        return household
    if not subject.person_id:
        return replace(household, relatives=[*household.relatives, subject])
    people = [
        replace(p, relation=p.relation or subject.relation)
        if p.person_id == subject.person_id
        else p
        for p in household.people
    ]
    return replace(household, people=people)


def facts_of_others(name):
    """Each message to an empty household with its facts, "right", "unsure", "wrong" or "lost"."""
    for line in (FOLDER / name).read_text().splitlines():
        message, is_message, wanted = line.partition(" = ")
        if is_message:
            known = replace(NO_HOUSEHOLD, said=message)
            found = [
                (fact, subject_of(fact, known)) for fact in lasting(message, known)
            ]
            yield message, found, _outcome_of_each(found, wanted.split(" + "))


def _outcome_of_each(found, wanted):
    """Right if each is; a part that is not told apart must be unsure."""
    subjects = [subject for _, subject in found]
    if not subjects:
        return "lost"
    if len(found) == len(wanted) and all(
        outcome([subject], accepted.split("/")) == "right"
        for subject, accepted in zip(subjects, wanted, strict=True)
    ):
        return "right"
    told = zip(subjects, wanted, strict=False) if len(found) == len(wanted) else ()
    rest = [s for s, accepted in told if outcome([s], accepted.split("/")) != "right"]
    return "unsure" if all(s.unsure for s in rest or subjects) else "wrong"
