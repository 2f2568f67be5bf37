"""What an answer without a model rests on: the message as judged, and what fits it best."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, tzinfo

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.fact_texts import profile_text
from conversations.models import Attachment, AttachmentText, Message, Receipt
from conversations.reply.known_facts import KnownFacts
from conversations.reply.turn import Turn
from meddie.ai.events import Basis, Remark
from memory.judgement.judge import judge_sentences
from memory.recall.lines import LEAST, best_lines
from memory.recall.query import beginning_and_end
from memory.values import ProfileLine, Recalled
from memory.wording import dialogue
from memory.wording.own_words import own_words
from memory.wording.subjects import OF_USER, shown_text, subject_of
from memory.wording.words import grounded, is_question, language_of, plain
from people.person_text import PersonValues, clean_line

CLEAR = 0.35  # of a fact for a message that asks nothing
LINES = 2  # of a file that nothing else is known of
MOST_LINES = 100  # of the files of a message
Kind = Receipt.Kind


def basis_of(
    text: str,
    known: KnownFacts,
    zone: tzinfo | None,
    locale: str,
    *,
    keeps: bool,
    pool: Sequence[Remark] | None = None,
) -> Basis:
    """What is known for a message of a user in that time zone. Uses the encoder.

    `pool` is weighed instead of the facts alone.
    """
    judged = [one for _, one in judge_sentences(beginning_and_end(text))]
    classes = frozenset().union(*(one.classes for one in judged))
    said, language = dialogue.lasting(text), _language(text, locale)
    listed = {item.memory_id: item.text for item in (*known.found.items, *known.listed)}
    facts = [*listed.values(), *(line.text for line in known.profile)]
    asks = "?" in text or is_question(text)
    pool = list(_facts(known, zone)) if pool is None else pool
    if not known.found.overview:
        least = LEAST if asks else CLEAR
        pool = _best(text, [*pool, *_of_files(known, zone, language)], least)
        pool = pool or _best(text, list(_said_before(known, zone)), least)
    return Basis(
        classes=classes,
        asks=asks,
        lasting=said,
        is_known={plain(one) for one in said} <= {plain(one) for one in facts},
        unwanted=dialogue.unwanted(text, facts),
        found=pool,
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
    language = _language(text, locale)
    lines = _lines_of_files(files, language)
    notes, facts = [], list(_facts(known, turn.zone))
    if person is not None:
        notes = _notes(person.details(timezone.localdate()), language)
        if user is None or person.user_id != user.pk:
            facts = [one for one in facts if grounded(person.name, one.text)]
    pool = [*lines, *notes, *facts]
    keeps = turn.scope.writes and not turn.message.off_record
    basis = basis_of(text, known, turn.zone, locale, keeps=keeps, pool=pool)
    if lines and not set(lines) & set(basis.found):
        basis = replace(basis, found=[*lines[:LINES], *basis.found])
    asked = bool(history) and history[-1].role == Message.Role.SYSTEM  # to forget all
    return replace(
        basis,
        block=True,
        begins=not history,
        emergency=bool(turn.message.emergency),
        forgets_all=basis.forgets_all or (asked and dialogue.confirms(text)),
    )


def _best(text: str, remarks: Sequence[Remark], least: float) -> list[Remark]:
    by_text = {one.text: one for one in reversed(remarks)}
    return [by_text[line] for line in best_lines(text, list(by_text)[::-1], least)]


def _language(text: str, locale: str) -> str:
    code = language_of(text)
    return code if code in {"en", "pl"} else locale


def _heading(name: str, language: str) -> str:
    with translation.override(language):
        return _("%(name)s says:") % {"name": name}


def _notes(person: PersonValues, language: str) -> list[Remark]:
    with translation.override(language):
        heading = _("Notes about %(name)s:") % {"name": person.name}
    texts = (person.health_notes, person.supplements, person.medications)
    return [Remark(line, source=heading) for text in texts for line in _lines(text)]


def _lines_of_files(files: Sequence[Attachment], language: str) -> list[Remark]:
    """The first lines of the message's files."""
    texts = AttachmentText.objects.filter(
        attachment__in=files, kind=AttachmentText.Kind.CHUNK
    )
    names = {file.pk: _heading(file.name, language) for file in files}
    lines = [
        Remark(line, source=names[one.attachment_id])
        for one in texts.order_by("attachment", "number")
        for line in _lines(one.content)
    ]
    return lines[:MOST_LINES]


def _of_files(
    known: KnownFacts, zone: tzinfo | None, language: str
) -> Iterator[Remark]:
    """Lines of files of other messages that a search has found."""
    for item in known.found.further.get(Kind.ATTACHMENT, ()):
        heading = _heading(_file_name(item), language)
        for line in _lines(item.text):
            yield Remark(line, _day(item, zone), source=heading)


def _said_before(known: KnownFacts, zone: tzinfo | None) -> Iterator[Remark]:
    """What the user said, but did not ask, in earlier messages."""
    for item in known.found.further.get(Kind.MESSAGE, ()):
        own = own_words(item.text) if item.label == Message.Role.USER else ""
        if own and not is_question(own):
            yield Remark(own, _day(item, zone), literal=True)


def _facts(known: KnownFacts, zone: tzinfo | None) -> Iterator[Remark]:
    for line in known.profile:
        yield Remark(profile_text(line.key, line.value), _day(line, zone))
    items = {item.memory_id: item for item in (*known.found.items, *known.listed)}
    for item in items.values():
        text, until = shown_text(item.text), item.label.partition("until ")[2]
        if until:
            source = _("Until %(day)s:") % {"day": _shown_day(until)}
            yield Remark(text, _day(item, zone), source=source)
            continue
        literal = subject_of(item.text) != OF_USER and not item.shared
        yield Remark(text, _day(item, zone), literal=literal)


def _shown_day(text: str) -> str:
    """Of a month or a year the text."""
    try:
        return date_format(date.fromisoformat(text), "j E Y")
    except ValueError:
        return text


def _day(item: Recalled | ProfileLine, zone: tzinfo | None) -> date:
    return item.stated_at.astimezone(zone).date()


def _file_name(item: Recalled) -> str:
    """The name of the file of a text, whose label is as in "[document#A2] page 3"."""
    texts = Attachment.objects.filter(texts=item.memory_id)
    return texts.values_list("name", flat=True).first() or item.label


def _lines(text: str) -> list[str]:
    lines = (clean_line(line) for line in text.splitlines() if not line.startswith("#"))
    return [part for line in lines for part in re.split(r"(?<=[.!?])\s+", line) if part]
