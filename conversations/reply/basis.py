"""What an answer without a model rests on: the message as judged, and what fits it best."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.utils.timezone import localdate

from conversations.attachments.in_prompt import is_being_read
from conversations.models import Attachment, Message
from conversations.reply import confirmations
from conversations.reply.known_facts import KnownFacts
from conversations.reply.manner import judged_message
from conversations.reply.nearest import nearest_remarks, without_subject
from conversations.reply.remarks import Remarks
from conversations.reply.turn import Turn
from meddie.ai.events import Basis, Remark
from meddie.languages import ANSWERED
from memory.judgement.judge import HEALTH_CLASSES, MARGINS, Judged, belongs, judge
from memory.recall.asked import AskedAbout
from memory.subjects import USER, Household, Subject
from memory.wording import answers, corrections, dialogue, wishes
from memory.wording.ahead import days_to_come
from memory.wording.splitting import split_clauses, split_sentences
from memory.wording.subject_labels import shown_text
from memory.wording.subjects import mentions_another
from memory.wording.wishes import names_whole
from memory.wording.words import (
    SPOKEN,
    content_tokens,
    grounded,
    plain,
    spoken_language,
    stems_of,
    tokens,
)
from people.models import Person, User

CLEAR = 0.35  # of a fact for a message that asks nothing
RELATED = 0.7  # of a fact for a question about the world
ASKS_AHEAD = -0.35  # of the class of appointments, for a question
UNSOUGHT_LINES = 2  # of a file that nothing else is known of
FEW_WORDS = 2  # of a first message that is a greeting at most
ABOUT = 0.2
"""Of the cosine of a message and a line without its words. "What is the capital of France?"
and "My name is Kate" have 0.19, "Which tablets does she take?" and "Ramipril 5 mg every
morning" 0.28."""
SAFETY = {"safety": -0.3} | {
    name: MARGINS[name] for name in HEALTH_CLASSES if name != "operation"
}
"""By class, the margin of a clause that a question what is allowed needs to be answered."""

EARLY = date(2000, 1, 1)  # before the days that facts name


def basis_of(
    text: str,
    remarks: Remarks,
    *,
    keeps: bool,
    earlier: Sequence[str] = (),
    lines: Sequence[Remark] = (),
    person: Person | None = None,
) -> Basis:
    """What is known for a message of a user. Uses the encoder.

    `earlier` are the user's messages before it, the last one first, `lines` those of its
    files, `person` is that of the conversation.
    """
    message = judged_message(text, remarks.named_in(text))
    if message.may_i and remarks.asked.subject is None:
        remarks = replace(remarks, asked=replace(remarks.asked, subject=USER))
    known = remarks.known
    reminds = dialogue.wants_reminder(text)
    facts = known.texts
    named, corrected = corrections.with_name(text, facts, earlier)
    said = [named] if named else dialogue.lasting(text, remarks.household)
    pool = [*lines, *remarks.notes(person), *remarks.facts()]
    vital: list[Remark] = []
    if message.may_i:
        vital, near = _allowing(text, remarks, [*pool, *remarks.doubtful_facts()])
        pool = [*vital, *near]
    elif known.found.overview:
        pool = [*remarks.in_order(pool), *remarks.doubtful_facts()]
    elif (message.asks or message.manner) and (
        asks_ahead(text) or remarks.names_day(text)
    ):
        message = replace(message, manner="", asks=True)
        pool = _ahead(text, remarks, lines, unnamed=message.unnamed)
    elif message.general:
        told = pool if message.unnamed else []
        pool = _nearest(text, remarks, pool, RELATED) or _with_words(
            text, remarks, told
        )
    elif message.asks:
        pool = _answering(text, remarks, pool, earlier)
    else:
        pool = nearest_remarks(text, pool, CLEAR, remarks.asked)
    return Basis(
        manner=message.manner,
        asks=message.asks,
        wishes=message.wishes,
        may_i=message.may_i,
        asked=None
        if message.general or _names_no_one(text, remarks)
        else _whom(remarks.asked),
        lasting=said,
        about=remarks.about_of(corrected) if named else "",
        is_known={plain(sentence) for sentence in said}
        <= {plain(fact) for fact in facts},
        unwanted=[] if reminds else wishes.unwanted(text, facts, *earlier[:1]),
        found=pool,
        vital=len(vital),
        overview=known.found.overview,
        forgets_all=wishes.wants_all(text),
        reminds=reminds,
        keeps=keeps,
        language=remarks.language,
    )


def asks_ahead(text: str) -> bool:
    """Whether a question is about what is to come. Uses the encoder."""
    judged = judge(split_sentences(text))
    return any(
        found.scores["appointment"] > ASKS_AHEAD
        and found.scores["appointment"] > max(found.scores[c] for c in HEALTH_CLASSES)
        for found in judged
        if found.scores
    )


def _answering(
    text: str, remarks: Remarks, pool: Sequence[Remark], earlier: Sequence[str]
) -> list[Remark]:
    """What answers a question; one without words of its own goes on with what was said."""
    if found := _nearest(text, remarks, pool, ABOUT):
        return found
    own = without_subject(text, remarks.asked)
    if not dialogue.goes_on(own):
        return []
    last = range(min(len(earlier), corrections.FOLLOWED))
    place = next((number for number in last if stems_of(earlier[number])), 0)
    followed, before = "".join(earlier[place : place + 1]), earlier[place + 1 :]
    named, corrected = corrections.with_name(followed, remarks.known.texts, before)
    followed = named or followed
    both = f"{followed} {text}".strip()
    found = _nearest(both, remarks, pool, ABOUT)
    is_past = belongs(text, "past") or belongs(both, "past")
    if followed and is_past:  # what was before the newest
        former = [item for item in pool if item.text == corrected]
        return [*former, *(item for item in found[::-1] if item not in former)]
    is_other = remarks.asked.subject not in {None, USER}
    return found or (list(pool) if is_other and not stems_of(own) else [])


def _ahead(
    text: str, remarks: Remarks, lines: Sequence[Remark], *, unnamed: bool
) -> list[Remark]:
    """What is to come; where the question names no one, of anyone with all its words."""
    if found := remarks.ahead(text):
        return found
    read = [*lines, *remarks.found_in_files()]
    if found := nearest_remarks(text, read, ABOUT, remarks.asked):
        return found
    if unnamed:
        remarks = replace(remarks, asked=replace(remarks.asked, subject=None))
    today = localdate(None, remarks.zone)
    told = [item for item in remarks.facts() if _is_not_over(item, today)]
    return _with_words(text, remarks, told)


def _is_not_over(remark: Remark, today: date) -> bool:
    """Whether it names no day, or one to come."""
    span = days_to_come(remark.text, remark.day or EARLY)
    is_dated = days_to_come(remark.text, EARLY) is not None
    return not is_dated or (span is not None and span.last >= today)


def _with_words(text: str, remarks: Remarks, pool: Sequence[Remark]) -> list[Remark]:
    """What has all words of a question that names no one: "When is the eye test?"."""
    topic = " ".join(word for word in content_tokens(text) if word not in SPOKEN)
    told = [*pool, *remarks.doubtful_facts()] if pool and topic else []
    whole = [item for item in told if names_whole(item.text, topic)]
    return remarks.in_order(nearest_remarks(text, whole, ABOUT, remarks.asked))


def _nearest(
    text: str, remarks: Remarks, pool: Sequence[Remark], least: float
) -> list[Remark]:
    """Of what is sure, else of what the user said before, else of what is not sure."""
    for more in (
        [*pool, *remarks.found_in_files()],
        list(remarks.said_before()),
        _doubtful(text, remarks),
    ):
        if found := nearest_remarks(text, more, least, remarks.asked):
            return remarks.in_order(found)
    return []


def _doubtful(text: str, remarks: Remarks) -> list[Remark]:
    """Of one who is named only what has other words of the question."""
    doubtful, topic = remarks.doubtful_facts(), without_subject(text, remarks.asked)
    if remarks.asked.subject is None:
        return doubtful
    return [item for item in doubtful if grounded(item.text, topic)]


def _names_no_one(text: str, remarks: Remarks) -> bool:
    """In a conversation about a person: it may be about the world."""
    about = remarks.household.about
    return (
        about is not None
        and remarks.asked.subject == about
        and not mentions_another(text)
    )


def _whom(asked: AskedAbout) -> tuple[str, str] | None:
    """The relation and the name; neither for the user."""
    subject = asked.subject
    return (subject.relation, subject.name) if subject and not subject.unsure else None


def remarks_of(
    text: str,
    earlier: Sequence[str],
    known: KnownFacts,
    household: Household,
    user: User | None,
) -> Remarks:
    """In the language of the message, else of those before it, else of the user's pages."""
    locale, zone = (user.locale, user.zone) if user else ("", None)
    spoken = next(filter(None, map(spoken_language, (text, *earlier))), "")
    language = spoken if spoken in ANSWERED else locale
    asked, subject = known.query.asked, known.query.asked.subject
    if subject and _is_thing(subject, known.texts, household):
        asked = replace(asked, subject=None)
    return Remarks(known, asked, household, zone, language)


def _is_thing(subject: Subject, facts: Sequence[str], household: Household) -> bool:
    """Whether a name is a word of facts, and of no one: "Who takes Xarelto?"."""
    known = (*household.people, *household.relatives)
    if not subject.name or subject.relation or subject.person_id or subject in known:
        return False
    return any(names_whole(fact, subject.name) for fact in facts)


def basis_of_turn(
    turn: Turn,
    history: Sequence[Message],
    known: KnownFacts,
    files: Sequence[Attachment],
    household: Household,
) -> Basis:
    """With the files of the message."""
    text, conversation = turn.message.content_to_keep, turn.reply.conversation
    asked = confirmations.open_questions(turn.message)
    settled = _settled(text, asked)
    earlier = [m.content for m in reversed(history) if m.role == Message.Role.USER]
    if turn.message.quote:
        earlier.insert(0, turn.message.quote)
    remarks = remarks_of(text, earlier, known, household, conversation.user)
    language = remarks.language
    is_no = not asked and answers.declines(text)  # "no" to what was not asked
    if is_no or (settled is None and confirmations.names_subject(text, asked)):
        gone = is_no and confirmations.forgot_before(turn.message)
        return Basis(
            asks=False, begins=False, settled=True, gone=gone, language=language
        )
    if settled is False:
        return Basis(asks=False, begins=False, settled=False, language=language)
    lines = remarks.lines_of(files)
    basis = basis_of(
        text,
        remarks,
        keeps=turn.scope.writes,
        earlier=earlier,
        lines=lines,
        person=conversation.person,
    )
    if turn.message.off_record:  # "don't save this" forgets what is known, nothing else
        known_texts = set(known.texts)
        unwanted = [wish for wish in basis.unwanted if wish in known_texts]
        basis = replace(basis, unwanted=unwanted)
    if files:
        basis = _with_files(basis, lines)
    if not (history or files) and _says_nothing(basis, remarks, text):
        basis = replace(basis, manner="greeting")
    forgets_all = any(line.line_kind == Message.LineKind.FORGET_ALL for line in asked)
    return replace(
        basis,
        block=True,
        begins=not history,
        emergency=bool(turn.message.emergency),
        unread=[file.name for file in files if is_being_read([file])],
        forgets_all=basis.forgets_all or bool(settled and forgets_all),
        settled=settled,
    )


def _with_files(basis: Basis, lines: Sequence[Remark]) -> Basis:
    told = [said for said in basis.lasting if not dialogue.names_only(said)]
    basis = replace(basis, lasting=told)
    if not basis.asks:  # nothing of other files
        return replace(basis, found=[], lines_read=len(lines))
    if lines and not set(lines) & set(basis.found):
        return replace(basis, found=[*lines[:UNSOUGHT_LINES], *basis.found])
    return basis


def _allowing(
    text: str, remarks: Remarks, pool: Sequence[Remark]
) -> tuple[list[Remark], list[Remark]]:
    """What a question what is allowed must be told, and what else is near it."""
    vital = _vital(text, remarks, pool)
    others = [item for item in pool if item not in vital]
    others += remarks.found_in_files()
    near = nearest_remarks(text, others, ABOUT, remarks.asked)
    return remarks.in_order(vital), [item for item in near if grounded(item.text, text)]


def _says_nothing(basis: Basis, remarks: Remarks, text: str) -> bool:
    """Of a first message: a word or two. Of who told nothing yet, it is no goodbye."""
    told = basis.asks or basis.lasting or basis.unwanted or basis.reminds
    few = not basis.manner and len(tokens(text)) <= FEW_WORDS
    is_hello = basis.manner == "closing" and not remarks.known.texts
    return not (told or basis.forgets_all) and (few or is_hello)


def _settled(text: str, asked: Sequence[Message]) -> bool | None:
    """The yes or no to what the lines under the last reply ask, if it is nothing else."""
    if asked and answers.declines(text):
        return False
    forgets = {Message.LineKind.FORGET_ALL, Message.LineKind.ASKS_FORGET}
    may_forget = any(line.line_kind in forgets for line in asked)
    return True if may_forget and answers.agrees(text) else None


def _vital(text: str, remarks: Remarks, pool: Sequence[Remark]) -> list[Remark]:
    """What no answer may overlook, of facts and of notes: allergies, then the nearest."""
    flagged = {shown_text(item.text) for item in remarks.known.found.safety}
    judged = [judge([item.text, *split_clauses(item.text)]) for item in pool]
    vital = [
        remark
        for remark, clauses in zip(pool, judged, strict=True)
        if remark.text in flagged or any(map(_is_vital, clauses))
    ]
    near = nearest_remarks(text, vital, -1, remarks.asked)
    ordered = [*near, *(item for item in vital if item not in near)]
    return sorted(ordered, key=lambda item: not belongs(item.text, "allergy"))


def _is_vital(clause: Judged) -> bool:
    return any(clause.scores.get(c, -1) > least for c, least in SAFETY.items())
