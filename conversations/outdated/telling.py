"""Sentences about outdated answers, in the active language."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.fact_texts import LONGEST_SHOWN, shown_fact
from conversations.models import Message, OutdatedAnswer
from memory.models import Fact, Memory, MemoryUpdate, ProfileFact

Change = OutdatedAnswer.Change
MOST_LISTED = 20  # answers


def marked_sentences(messages: Collection[Message]) -> dict[UUID, list[str]]:
    """For replies of one user what each of them used that has changed since."""
    rows = OutdatedAnswer.objects.filter(message__in=messages)
    marks = list(rows.order_by("changed_at", "pk"))
    facts = _facts([mark.source for mark in marks]) if marks else {}
    told: dict[UUID, list[str]] = defaultdict(list)
    for mark in marks:
        sentence = sentence_of(mark, facts.get(mark.source))
        if sentence not in told[mark.message_id]:
            told[mark.message_id].append(sentence)
    return told


def chat_sentence(marks: Sequence[OutdatedAnswer]) -> str:
    """For a chat where several answers used the same."""
    mark = marks[0]
    return sentence_of(mark, _facts([mark.source]).get(mark.source), len(marks))


def sentence_of(mark: OutdatedAnswer, fact: Fact | None, count: int = 1) -> str:
    """What answers used and what became of it; the text only while it is known."""
    text = ""
    is_told = mark.change in {Change.CORRECTED, Change.MOVED}
    if is_told and fact is not None and not fact.is_retracted:
        text = Truncator(shown_fact(fact).rstrip(".")).chars(LONGEST_SHOWN)
    told = {"count": count, "text": text}
    if mark.change == Change.FILE_DELETED:
        used = ngettext(
            "This answer used a file.", "%(count)d earlier answers used a file.", count
        )
    elif text:
        used = ngettext(
            "This answer used: “%(text)s”.",
            "%(count)d earlier answers used: “%(text)s”.",
            count,
        )
    elif fact is not None and fact.user_id is None:
        used = ngettext(
            "This answer used something that members of the household share.",
            "%(count)d earlier answers used something that members of the household share.",
            count,
        )
    else:
        used = ngettext(
            "This answer used something that you told me.",
            "%(count)d earlier answers used something that you told me.",
            count,
        )
    day = date_format(timezone.localtime(mark.changed_at), "MONTH_DAY_FORMAT")
    return f"{used % told} {_what_became(mark, fact) % {'day': day}}"


def _what_became(mark: OutdatedAnswer, fact: Fact | None) -> str:
    if mark.change == Change.FILE_DELETED:
        return _("You deleted it on %(day)s.")
    if mark.change == Change.MOVED:
        return _("Whom it is about was corrected on %(day)s.")
    is_shared = fact is not None and fact.user_id is None
    if mark.change == Change.FORGOTTEN:
        return (
            _("It was removed on %(day)s.")
            if is_shared
            else _("You asked me to forget it on %(day)s.")
        )
    if is_shared:
        return _("It was corrected on %(day)s.")
    return _("You corrected that on %(day)s.")


def answers_before(
    user_id: UUID | None, facts: Collection[UUID]
) -> dict[UUID, list[Message]]:
    """The user's answers that used these facts, or what they replaced; the newest first."""
    updates = MemoryUpdate.objects.filter(Q(new__in=facts) | Q(new_fact__in=facts))
    replaced: dict[UUID, UUID] = {key: key for key in facts}
    for update in updates.only("old", "old_fact", "new", "new_fact"):
        old, new = update.old_id or update.old_fact_id, update.new_id
        if old is not None and (of := new or update.new_fact_id):
            replaced.setdefault(old, of)
    marks = OutdatedAnswer.objects.of_sources(list(replaced)).filter(
        message__conversation__user=user_id
    )
    marks = marks.select_related("message__conversation")
    found: dict[UUID, dict[UUID, Message]] = defaultdict(dict)
    for mark in marks.order_by("-message__created_at"):
        found[replaced[mark.source]].setdefault(mark.message_id, mark.message)
    return {key: list(answers.values()) for key, answers in found.items()}


def number_of_answers(count: int) -> str:
    text = ngettext(
        "%(count)d earlier answer used this",
        "%(count)d earlier answers used this",
        count,
    )
    return text % {"count": count}


def _facts(keys: Collection[UUID]) -> Mapping[UUID, Fact]:
    memories = Memory.objects.defer(*Memory.VECTORS).in_bulk(keys)
    return {**memories, **ProfileFact.objects.in_bulk(keys)}
