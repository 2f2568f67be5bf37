"""The stories of `subjects/`: of whom each sentence of a message is."""

from collections import Counter
from dataclasses import replace
from functools import reduce
from pathlib import Path
from uuid import uuid4

from memory.subjects import Household, Subject, same_name
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
