"""What an answer without a model rests on: the message as judged, and what fits it best."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, tzinfo

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from conversations.fact_texts import profile_text
from conversations.models import Attachment, AttachmentText, Message, Receipt
from conversations.reply.known_facts import KnownFacts
from conversations.reply.turn import Turn
from meddie.ai.events import Basis, Remark
from memory import context
from memory.judgement.judge import judge_sentences
from memory.recall.lines import LEAST, best_lines
from memory.recall.query import beginning_and_end
from memory.subjects import OF_USER, shown_text, subject_of
from memory.values import ProfileLine, Recalled
from memory.words import grounded, is_question, language_of, plain
from people.person_text import PersonValues, clean_line

CLEAR = 0.35  # of a fact for a message that asks nothing
LINES = 2  # of a file
Kind = Receipt.Kind


def basis_of(
    text: str, known: KnownFacts, zone: tzinfo | None, locale: str, *, keeps: bool
) -> Basis:
    """What is known for a message of a user in that time zone. Uses the encoder."""
    judged = [one for _, one in judge_sentences(beginning_and_end(text))]
    classes = frozenset().union(*(one.classes for one in judged))
    said, language = context.lasting(text), _language(text, locale)
    listed = {item.memory_id: item.text for item in (*known.found.items, *known.listed)}
    facts = [*listed.values(), *(line.text for line in known.profile)]
    return Basis(
        classes=classes,
        asks="?" in text or is_question(text),
        lasting=said,
        is_known={plain(one) for one in said} <= {plain(one) for one in facts},
        unwanted=context.unwanted(text, facts),
        found=list(_found(text, known, zone, language)),
        overview=known.found.overview,
        forgets_all="forget_all" in classes,
        keeps=keeps,
        language=language,
    )


def basis_of_turn(
    turn: Turn,
    history: Sequence[Message],
    known: KnownFacts,
    files: Sequence[Attachment],
) -> Basis:
    """With the notes of the conversation's person, and the files of the message."""
    text, conversation = turn.message.content_to_keep, turn.reply.conversation
    user, person = conversation.user, conversation.person
    locale = user.locale if user else ""
    basis = basis_of(text, known, turn.zone, locale, keeps=turn.scope.writes)
    if person is not None:
        details = person.details(timezone.localdate())
        is_user = user is not None and person.user_id == user.pk
        basis = _about_person(basis, text, details, is_user=is_user)
    if files:
        basis = _with_files(basis, text, files)
    asked = bool(history) and history[-1].role == Message.Role.SYSTEM  # to forget all
    return replace(
        basis,
        block=True,
        begins=not history,
        emergency=bool(turn.message.emergency),
        forgets_all=basis.forgets_all or (asked and context.confirms(text)),
    )


def _about_person(
    basis: Basis, text: str, person: PersonValues, *, is_user: bool
) -> Basis:
    """With the person's notes, and of a user's facts those that name another person."""
    lines = _note_lines(person)
    if not basis.overview:
        lines = best_lines(text, lines)
    with translation.override(basis.language):
        heading = _("Notes about %(name)s:") % {"name": person.name}
    notes = [Remark(line, source=heading) for line in lines]
    named = [
        one
        for one in basis.found
        if is_user or one.source or grounded(person.name, one.text)
    ]
    return replace(basis, found=[*notes, *named])


def _with_files(basis: Basis, text: str, files: Sequence[Attachment]) -> Basis:
    """With the lines of the message's files that answer it, else their first ones."""
    texts = AttachmentText.objects.filter(
        attachment__in=files, kind=AttachmentText.Kind.CHUNK
    ).order_by("number")
    found = []
    for file in files:
        lines = [
            line
            for one in texts
            if one.attachment_id == file.pk
            for line in _lines(one.content)
        ]
        best = best_lines(text, lines) or lines
        heading = _heading(file.name, basis.language)
        found += [Remark(line, source=heading) for line in best[:LINES]]
    return replace(basis, found=[*found, *basis.found])


def _language(text: str, locale: str) -> str:
    code = language_of(text)
    return code if code in {"en", "pl"} else locale


def _heading(name: str, language: str) -> str:
    with translation.override(language):
        return _("%(name)s says:") % {"name": name}


def _found(
    text: str, known: KnownFacts, zone: tzinfo | None, language: str
) -> Iterator[Remark]:
    """Facts, else what the user said; and lines of files."""
    facts = {one.text: one for one in _facts(known, zone)}
    if known.found.overview:
        yield from facts.values()
        return
    least = LEAST if "?" in text or is_question(text) else CLEAR
    best = best_lines(text, list(facts), least)
    yield from (facts[line] for line in best)
    for item in known.found.further.get(Kind.ATTACHMENT, ()):
        heading = _heading(_file_name(item), language)
        for line in best_lines(text, _lines(item.text), least)[:LINES]:
            yield Remark(line, _day(item, zone), source=heading)
    said = {
        item.text: Remark(item.text, _day(item, zone), literal=True)
        for item in known.found.further.get(Kind.MESSAGE, ())
        if item.label == Message.Role.USER and not is_question(item.text)
    }
    if not best:
        yield from (said[line] for line in best_lines(text, list(said), least))


def _facts(known: KnownFacts, zone: tzinfo | None) -> Iterator[Remark]:
    for line in known.profile:
        yield Remark(profile_text(line.key, line.value), _day(line, zone))
    items = {item.memory_id: item for item in (*known.found.items, *known.listed)}
    for item in items.values():
        literal = subject_of(item.text) != OF_USER and not item.shared
        yield Remark(shown_text(item.text), _day(item, zone), literal=literal)


def _day(item: Recalled | ProfileLine, zone: tzinfo | None) -> date:
    return item.stated_at.astimezone(zone).date()


def _file_name(item: Recalled) -> str:
    """The name of the file of a text, whose label is as in "[document#A2] page 3"."""
    texts = Attachment.objects.filter(texts=item.memory_id)
    return texts.values_list("name", flat=True).first() or item.label


def _note_lines(person: PersonValues) -> list[str]:
    notes = (person.health_notes, person.supplements, person.medications)
    return [line for text in notes for line in _lines(text)]


def _lines(text: str) -> list[str]:
    lines = (clean_line(line) for line in text.splitlines() if not line.startswith("#"))
    return [part for line in lines for part in re.split(r"(?<=[.!?])\s+", line) if part]
