"""What an answer without a model rests on: the message as judged, and what fits it best."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, tzinfo

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.fact_texts import profile_text
from conversations.models import Attachment, AttachmentText, Message, Receipt
from conversations.reply import confirmations
from conversations.reply.known_facts import KnownFacts
from conversations.reply.turn import Turn
from meddie.ai.errors import NoEmbedder
from meddie.ai.events import Basis, Remark
from meddie.languages import ANSWERED
from memory.judgement.judge import judge, vectors_of
from memory.recall.query import classes_of
from memory.values import ProfileLine, Recalled
from memory.wording import answers, dialogue, wishes
from memory.wording.frames import wants_answer
from memory.wording.own_words import own_words
from memory.wording.splitting import is_question, split_sentences
from memory.wording.subjects import shown_text
from memory.wording.words import DENSE, grounded, plain, spoken_language, tokens
from people.person_text import PersonValues, markdown_lines

CLEAR = 0.35  # of a fact for a message that asks nothing
RELATED = 0.7  # of a fact for a question about the world
UNSOUGHT_LINES = 2  # of a file that nothing else is known of
LEAST_WORDS = 3  # of a line of a file that answers something
MOST_LINES = 100  # of the files of a message
MOST_WEIGHED = 200  # lines, the first ones
SHARED_WORDS = 0.3  # what common words are worth, as a cosine
NEAR_BEST = 0.6  # of the best line's score: others do not answer the same question
ABOUT = 0.2
"""Of the cosine of a message and a line without its words. "What is the capital of France?"
and "My name is Kate" have 0.19, "Which tablets does she take?" and "Ramipril 5 mg every
morning" 0.28."""
Kind = Receipt.Kind


def basis_of(  # noqa: PLR0913 -- what an answer rests on
    text: str,
    known: KnownFacts,
    zone: tzinfo | None,
    locale: str,
    *,
    keeps: bool,
    before: str = "",
    pool: Sequence[Remark] | None = None,
) -> Basis:
    """What is known for a message of a user in that time zone. Uses the encoder.

    `before` is the user's message before it. `pool` is weighed instead of the facts alone.
    """
    classes = classes_of(text)
    said, language = dialogue.lasting(text), _language(text, before, locale)
    facts = known.texts
    general = "general" in classes
    asks = (
        "?" in text
        or any(map(wants_answer, split_sentences(text)))
        or not classes.isdisjoint({"may_i", "general"})
    )
    pool = _facts(known, zone, language) if pool is None else pool
    vital: list[Remark] = []
    if "may_i" in classes:
        vital = _vital(text, known, pool)
        near = _best(text, [item for item in pool if item not in vital], ABOUT)
        pool = [*vital, *(item for item in near if grounded(item.text, text))]
    elif not known.found.overview:
        least = RELATED if general else ABOUT if asks else CLEAR
        pool = _best(text, [*pool, *_of_files(known, zone, language)], least)
        pool = pool or _best(text, list(_said_before(known, zone)), least)
    return Basis(
        classes=classes,
        asks=asks,
        lasting=said,
        is_known={plain(sentence) for sentence in said}
        <= {plain(fact) for fact in facts},
        unwanted=wishes.unwanted(text, facts, before),
        found=pool,
        vital=len(vital),
        overview=known.found.overview,
        forgets_all=wishes.wants_all(text),
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
    asked = confirmations.open_questions(turn.message)
    settled = _settled(text, asked)
    user, person = conversation.user, conversation.person
    locale = user.locale if user else ""
    spoken = (m.content for m in reversed(history) if m.role == Message.Role.USER)
    keeps, before = turn.scope.writes, next(spoken, "")
    language = _language(text, before, locale)
    lines = _lines_of_files(files, language)
    if settled is False:
        return Basis(asks=False, begins=False, settled=False, language=language)
    notes, facts = [], _facts(known, turn.zone, language)
    if person is not None:
        notes = _notes(person.details(timezone.localdate()), language)
        if user is None or person.user_id != user.pk:
            facts = [fact for fact in facts if grounded(person.name, fact.text)]
    pool = [*lines, *notes, *facts]
    basis = basis_of(
        text, known, turn.zone, locale, keeps=keeps, before=before, pool=pool
    )
    if turn.message.off_record:  # "don't save this" forgets what is known, nothing else
        known_texts = set(known.texts)
        unwanted = [wish for wish in basis.unwanted if wish in known_texts]
        basis = replace(basis, unwanted=unwanted)
    if files and not basis.asks:  # nothing of other files
        basis = replace(basis, found=[], lines_read=len(lines))
    elif lines and not set(lines) & set(basis.found):
        basis = replace(basis, found=[*lines[:UNSOUGHT_LINES], *basis.found])
    forgets_all = any(line.line_kind == Message.LineKind.FORGET_ALL for line in asked)
    return replace(
        basis,
        block=True,
        begins=not history,
        emergency=bool(turn.message.emergency),
        forgets_all=basis.forgets_all or bool(settled and forgets_all),
        settled=settled,
    )


def _settled(text: str, asked: Sequence[Message]) -> bool | None:
    """The yes or no to what the lines under the last reply ask, if it is nothing else."""
    if asked and answers.declines(text):
        return False
    forgets = {Message.LineKind.FORGET_ALL, Message.LineKind.ASKS_FORGET}
    may_forget = any(line.line_kind in forgets for line in asked)
    return True if may_forget and answers.agrees(text) else None


def _vital(text: str, known: KnownFacts, pool: Sequence[Remark]) -> list[Remark]:
    """What no answer may overlook, of facts and of notes; the nearest first."""
    flagged = {shown_text(item.text) for item in known.found.safety}
    judged = judge([item.text for item in pool])
    vital = [
        remark
        for remark, found in zip(pool, judged, strict=True)
        if remark.text in flagged or "safety" in found.classes
    ]
    near = _best(text, vital, -1)
    return [*near, *(item for item in vital if item not in near)]


def _best(text: str, remarks: Sequence[Remark], least: float) -> list[Remark]:
    by_text = {remark.text: remark for remark in reversed(remarks)}
    return [by_text[line] for line in _best_lines(text, list(by_text)[::-1], least)]


def _best_lines(text: str, lines: Sequence[str], least: float) -> list[str]:
    """The lines that the text is about, the nearest first.

    By the bundled encoder; without it by words alone.
    """
    read = lines[:MOST_WEIGHED]
    if not text.strip():
        return []
    try:
        vectors = vectors_of([text, *read])
        near = (vectors[1:] @ vectors[0]).tolist()
    except NoEmbedder:
        near = [0.0] * len(read)
    scores = {
        line: cosine + SHARED_WORDS * grounded(line, text)
        for cosine, line in zip(near, read, strict=True)
    }
    least = max([least, *(NEAR_BEST * score for score in scores.values())])
    ranked = sorted(scores, key=lambda line: -scores[line])
    return [line for line in ranked if scores[line] >= least]


def _language(text: str, before: str, locale: str) -> str:
    """That of the message, else of the one before it, else of the user's pages."""
    spoken = map(spoken_language, (text, before))
    return next((code for code in spoken if code in ANSWERED), locale)


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
        Remark(line, source=names[text.attachment_id])
        for text in texts.order_by("attachment", "number")
        for line in _telling_lines(text.content)
    ]
    return lines[:MOST_LINES]


def _of_files(
    known: KnownFacts, zone: tzinfo | None, language: str
) -> Iterator[Remark]:
    """Lines of files of other messages that a search has found, but no captions.

    A caption is what the user wrote with the file.
    """
    items = known.found.further.get(Kind.ATTACHMENT, ())
    texts = AttachmentText.objects.filter(pk__in=[item.memory_id for item in items])
    texts = texts.exclude(kind=AttachmentText.Kind.CAPTION)
    names = dict(texts.values_list("pk", "attachment__name") if items else ())
    for item in items:
        if item.memory_id not in names:
            continue
        heading = _heading(names[item.memory_id], language)
        for line in _telling_lines(item.text):
            yield Remark(line, _day(item, zone), source=heading)


def _said_before(known: KnownFacts, zone: tzinfo | None) -> Iterator[Remark]:
    """What the user said, but did not ask, in earlier messages."""
    for item in known.found.further.get(Kind.MESSAGE, ()):
        own = own_words(item.text) if item.label == Message.Role.USER else ""
        if own and not is_question(own):
            yield Remark(own, _day(item, zone), literal=True)


def _facts(known: KnownFacts, zone: tzinfo | None, language: str) -> list[Remark]:
    with translation.override(language):
        return list(_known(known, zone))


def _known(known: KnownFacts, zone: tzinfo | None) -> Iterator[Remark]:
    for line in known.profile:
        yield Remark(profile_text(line.key, line.value), _day(line, zone))
    items = {item.memory_id: item for item in (*known.found.items, *known.listed)}
    for item in items.values():
        text, until = shown_text(item.text), item.label.partition("until ")[2]
        if until:
            source = _("Until %(day)s:") % {"day": _shown_day(until)}
            yield Remark(text, _day(item, zone), source=source)
            continue
        literal = shown_text(item.text) == item.text and not item.shared
        yield Remark(text, _day(item, zone), literal=literal)


def _shown_day(text: str) -> str:
    """Of a month or a year the text."""
    try:
        return date_format(date.fromisoformat(text), "DATE_FORMAT")
    except ValueError:
        return text


def _day(item: Recalled | ProfileLine, zone: tzinfo | None) -> date:
    return item.stated_at.astimezone(zone).date()


def _lines(text: str) -> list[str]:
    lines = (line.text for line in markdown_lines(text))
    return [sentence for line in lines for sentence in split_sentences(line)]


def _telling_lines(text: str) -> list[str]:
    """The lines without headings and cells such as "Dose"."""
    return [line for line in _lines(text) if _tells(line)]


def _tells(line: str) -> bool:
    """Whether a line has three words, a number, or letters of a script without spaces."""
    words = tokens(line)
    return (
        len(words) >= LEAST_WORDS
        or any(character.isdigit() for character in line)
        or DENSE.search(line) is not None
    )
