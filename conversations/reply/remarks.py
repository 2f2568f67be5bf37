"""What an answer without a model may quote: of another than the one asked about nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from uuid import UUID

from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.fact_texts import medicine_text, profile_text
from conversations.models import Attachment, AttachmentText, Message, Receipt
from conversations.reply.file_lines import LABEL, sentences_in, telling_lines
from conversations.reply.known_facts import KnownFacts
from meddie.ai.events import Remark
from memory.recall.asked import ALL, AskedAbout
from memory.subjects import USER, Household, Subject
from memory.values import ProfileLine, Recalled
from memory.wording.ahead import Ahead, ahead, on_day_of
from memory.wording.frames import wants_answer
from memory.wording.medicines import medicines
from memory.wording.own_words import own_words
from memory.wording.reading import reading_of
from memory.wording.splitting import split_sentences
from memory.wording.subject_labels import shown_text
from memory.wording.subjects import asked_about, subject_of
from memory.wording.words import content_tokens
from people.models import Person

LEAST_SAID = 3  # content words of a message that is quoted
MOST_LINES = 100  # of the files of a message
Kind = Receipt.Kind


@dataclass(frozen=True, slots=True)
class Remarks:
    """Reads what is known for a question, in a language and dated in a time zone."""

    known: KnownFacts
    asked: AskedAbout
    household: Household
    zone: tzinfo | None
    language: str

    def facts(self) -> list[Remark]:
        """The profile and facts about the one asked about, or about all."""
        with translation.override(self.language):
            return [*self._profile(), *self._facts(doubtful=False)]

    def ahead(self, question: str) -> list[Remark]:
        """What the one asked about has ahead, in order, each under its day.

        Of a question with a name ("Dr. H.") only what names it, if anything does.
        """
        now = timezone.now().astimezone(self.zone)
        known = self._on_day_of(question) or ahead(self._own(), now)
        names = reading_of(question).names
        named = [
            found
            for found in known
            if not names.isdisjoint(reading_of(found.fact.text).words)
        ]
        with translation.override(self.language):
            return [
                Remark(
                    shown_text(found.fact.text),
                    source=f"{date_format(found.day, 'DATE_FORMAT')}:",
                    literal=shown_text(found.fact.text) == found.fact.text,
                )
                for found in named or known
            ]

    def names_day(self, question: str) -> bool:
        return bool(self._on_day_of(question))

    def _on_day_of(self, question: str) -> list[Ahead[Recalled]]:
        now = timezone.now().astimezone(self.zone)
        items = (*self.known.found.items, *self.known.listed)
        known = {item.memory_id: item for item in items}
        own = on_day_of(question, self._own(), now)
        if own or self.asked.subject not in {None, USER}:
            return own
        return on_day_of(question, known.values(), now)  # the user may go with them

    def _own(self) -> list[Recalled]:
        items = (*self.known.found.items, *self.known.listed)
        own = {item.memory_id: item for item in items if self._is_of(item)}
        return list(own.values())

    def doubtful_facts(self) -> list[Remark]:
        """Those that may be about another."""
        with translation.override(self.language):
            heading = _("Not sure about whom:")
            told = self._facts(doubtful=True)
            return [replace(remark, source=remark.source or heading) for remark in told]

    def in_order(self, found: Sequence[Remark]) -> list[Remark]:
        """What is ahead by its day; each medicine in one line, the newest first."""
        items = (*self.known.found.items, *self.known.listed)
        facts = {shown_text(item.text): item for item in items}
        told = [facts[remark.text] for remark in found if remark.text in facts]
        now = timezone.localtime(timezone.now(), self.zone)
        days = [shown_text(known.fact.text) for known in ahead(told, now)]
        by_key = {item.memory_id: item for item in items}
        lines, again = self._medicines(told, by_key)
        texts = {key: shown_text(by_key[key].text) for key in (*lines, *again)}
        hidden = {texts[key] for key in again} - {texts[key] for key in lines}
        kept = [remark for remark in found if remark.text not in hidden]
        kept = _reordered(_reordered(kept, [texts[key] for key in lines]), days)
        whole = {texts[key]: line for key, line in lines.items() if line}
        return [
            replace(remark, text=whole[remark.text], literal=False)
            if remark.text in whole
            else remark
            for remark in kept
        ]

    def _medicines(
        self, told: Sequence[Recalled], by_key: Mapping[UUID, Recalled]
    ) -> tuple[dict[UUID, str], set[UUID]]:
        """Lines by the key of a fact of each, empty where the fact is enough; other keys."""
        doses = self.known.doses
        shown = {item.memory_id for item in told}
        linked = {
            key
            for pair in doses.asked.items()
            if not shown.isdisjoint(pair)
            for key in pair
        }
        wanted = [by_key[key] for key in by_key if key in shown | linked]
        found = [
            medicine
            for subject in dict.fromkeys(item.about for item in wanted)
            for medicine in medicines(
                doses.of(item for item in wanted if item.about == subject),
                self.zone,
                subject,
            )
        ]
        lines, again = dict[UUID, str](), set[UUID]()
        with translation.override(self.language):
            for medicine in found:
                keys = [
                    key for key in medicine.keys if key is not None and key in shown
                ]
                if keys:
                    changed = medicine.name and (medicine.before or medicine.unsettled)
                    lines[keys[0]] = medicine_text(medicine) if changed else ""
                    again.update(keys[1:])
        return lines, again

    def _profile(self) -> Iterator[Remark]:
        if self.known.found.overview or self.asked.means(USER):
            for line in self.known.profile:
                text = profile_text(line.key, line.value)
                yield Remark(text, _day(line, self.zone))

    def _facts(self, *, doubtful: bool) -> Iterator[Remark]:
        items = (*self.known.found.items, *self.known.listed)
        for item in {item.memory_id: item for item in items}.values():
            means = (
                self._names_no_other(item.text) if item.shared else self._is_of(item)
            )
            unsure = item.about.unsure and not item.shared
            may_be = unsure and self.asked.may_mean(item.text)
            if unsure != doubtful or not (means or may_be):
                continue
            text, until = shown_text(item.text), item.label.partition("until ")[2]
            if until:
                source = _("Until %(day)s:") % {"day": _shown_day(until)}
                yield Remark(text, _day(item, self.zone), source=source)
                continue
            literal = text == item.text and not item.shared
            yield Remark(text, _day(item, self.zone), literal=literal)

    def _is_of(self, item: Recalled) -> bool:
        """All that is known of the user's people is theirs to see."""
        asked = self.asked.subject
        everything = self.known.found.overview and (asked is None or asked.is_user)
        return everything or self.asked.means(item.about)

    def notes(self, person: Person | None = None) -> list[Remark]:
        """On the people of the space whom it is about, else on that of the conversation."""
        if self.asked.subject is None:
            return list(self._notes(person)) if person else []
        keys = self.asked.person_ids(self.household)
        rows = Person.objects.filter(pk__in=keys, deleted_at=None) if keys else ()
        return [remark for row in rows for remark in self._notes(row)]

    def _notes(self, person: Person) -> Iterator[Remark]:
        details = person.details(timezone.localdate())
        with translation.override(self.language):
            heading = _("Notes about %(name)s:") % {"name": details.name}
        for text in (details.health_notes, details.supplements, details.medications):
            yield from (Remark(line, source=heading) for line in sentences_in(text))

    def lines_of(self, files: Sequence[Attachment]) -> list[Remark]:
        """The first lines of the message's files."""
        texts = AttachmentText.objects.filter(
            attachment__in=files, kind=AttachmentText.Kind.CHUNK
        )
        names = {file.pk: file.name for file in files}
        found = texts.order_by("attachment", "number") if files else ()
        lines = [
            Remark(line, source=self._heading(names[text.attachment_id]))
            for text in found
            for line in telling_lines(text.content, text.place)
        ]
        return lines[:MOST_LINES]

    def found_in_files(self) -> Iterator[Remark]:
        """Lines of files of other messages that a search has found, but no captions.

        A caption is what the user wrote with the file.
        """
        items = self.known.found.further.get(Kind.ATTACHMENT, ())
        texts = AttachmentText.objects.filter(pk__in=[item.memory_id for item in items])
        texts = texts.exclude(kind=AttachmentText.Kind.CAPTION)
        said = "attachment__message__content"
        rows = texts.values_list("pk", "attachment__name", "place", said)
        found = {key: told for key, *told in rows} if items else {}
        for item in items:
            name, place, caption = found.get(item.memory_id, (None, "", ""))
            if name is None or not self._names_no_other(f"{_words(name)}\n{caption}"):
                continue
            if not all(map(self._may_be_of_asked, item.text.splitlines())):
                continue
            heading = self._heading(name)
            for line in telling_lines(item.text, place):
                if self._is_not_anothers(line):
                    yield Remark(line, _day(item, self.zone), source=heading)

    def said_before(self) -> Iterator[Remark]:
        """What the user said, but did not ask, in earlier messages."""
        items = self.known.found.further.get(Kind.MESSAGE, ())
        messages = Message.objects.filter(pk__in=[item.memory_id for item in items])
        people = dict(
            messages.values_list("pk", "conversation__person_id") if items else ()
        )
        for item in items:
            own = own_words(item.text) if item.label == Message.Role.USER else ""
            if not _tells_something(own):
                continue
            there = self.household.with_about(people.get(item.memory_id))
            if self.asked.means(subject_of(own, replace(there, said=own, before=""))):
                yield Remark(own, _day(item, self.zone), literal=True)

    def about_of(self, fact: str) -> str:
        """Whom a known fact is about, as a block says it: in its words if it names them."""
        items = (*self.known.found.items, *self.known.listed)
        about = next((item.about for item in items if item.text == fact), USER)
        said = subject_of(fact, replace(self.household, said=fact, before=""))
        return (said.words if said.is_same(about) else "") or about.text or "user"

    def named_in(self, text: str) -> Subject | None:
        bare = replace(self.household, about=None, said=text, before="")
        return asked_about(text, bare)

    def _names_no_other(self, text: str) -> bool:
        """Whether each line names the one asked about, or none but the user."""
        return all(
            self._may_mean(self.named_in(line)) for line in text.splitlines() if line
        )

    def _may_mean(self, named: Subject | None) -> bool:
        return named is None or named.is_user or self.asked.means(named)

    def _may_be_of_asked(self, line: str) -> bool:
        """Whether a file may be. Papers of the user name others: "Doctor: Eva Lind"."""
        label = LABEL.match(line)
        named = self.named_in(line[label.end() :] if label else line)
        is_of_user = self.asked.means(USER) and named and named.relation in {"", ALL}
        is_unknown = named and not named.person_id and (label or is_of_user)
        return bool(is_unknown) or self._may_mean(named)

    def _is_not_anothers(self, line: str) -> bool:
        """Not "Father: asthma"; "Known", "Bekannte" begin labels and name none."""
        label = LABEL.match(line)
        named = self.named_in(label[1][:1].lower() + label[1][1:]) if label else None
        return self._may_mean(named) or (
            named is not None and named.relation == "friend"
        )

    def _heading(self, name: str) -> str:
        with translation.override(self.language):
            return _("%(name)s says:") % {"name": name}


def _tells_something(said: str) -> bool:
    """Whether a message has some words, and asks and wants nothing."""
    sentences = split_sentences(said)
    return len(content_tokens(said)) >= LEAST_SAID and not any(
        map(wants_answer, sentences)
    )


def _reordered(found: Sequence[Remark], order: Sequence[str]) -> list[Remark]:
    """With those that are listed in that order, in the places of them all."""
    by_text = {remark.text: remark for remark in found}
    listed = iter([text for text in order if text in by_text])
    return [by_text[next(listed)] if r.text in order else r for r in found]


def _words(name: str) -> str:
    """Of a file: "discharge-father.docx" is about the father."""
    return re.sub(r"[-_.]+", " ", name)


def _shown_day(text: str) -> str:
    """Of a month or a year the text."""
    try:
        return date_format(date.fromisoformat(text), "DATE_FORMAT")
    except ValueError:
        return text


def _day(item: Recalled | ProfileLine, zone: tzinfo | None) -> date:
    return item.stated_at.astimezone(zone).date()
