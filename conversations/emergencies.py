# ruff: noqa: RUF001 - Russian letters are meant
"""Emergencies in messages, and the fixed note above the reply.

docs/emergencies.md names the signs and the sources of the numbers.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import TypedDict

from meddie.text import without_spans
from memory.judgement.judge import judge_closely
from memory.wording.words import language_of

NUMBERS = {"pl": ("112", "116 123", "116 111")}
"""By locale: emergency, crisis line for adults, for minors."""
STEM = 4  # letters by which the forms of a word are compared
SHORTEST_WORD = 3  # letters of a compared word
WORD = re.compile(r"[\w-]+")
CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
NOT_RUSSIAN = re.compile(r"[іїєґўј]", re.IGNORECASE)


class Emergency(TypedDict, total=False):
    """What a text says of an emergency. Empty if nothing."""

    spans: list[list[int]]
    """Where its sentences begin and end."""
    medical: bool
    crisis: bool


@dataclass(frozen=True, slots=True)
class NoteTexts:
    medical: str
    crisis: str
    support: str
    lines: str
    """The crisis lines of a locale in NUMBERS."""
    any_number: str
    any_lines: str


NOTE_TEXTS = {
    "en": NoteTexts(
        medical="""\
**This may be an emergency. Call {number} now**, or ask someone near you to call. Do not \
wait for an answer here, and do not drive yourself.""",
        crisis="""\
**You do not have to go through this alone. If you are in danger, call \
{number} now.**""",
        support="You can also talk to someone for free: {lines}.",
        lines="{adults} for adults, {minors} for children and teenagers, day and night",
        any_number="112 (US 911, UK 999)",
        any_lines="US 988, UK 116 123, day and night; other countries at findahelpline.com",
    ),
    "pl": NoteTexts(
        medical="""\
**To może być stan nagły. Zadzwoń teraz pod numer {number}** albo poproś o to kogoś obok. \
Nie czekaj na odpowiedź tutaj i nie prowadź samochodu.""",
        crisis="""\
**Nie musisz przechodzić przez to w pojedynkę. Jeśli grozi Ci niebezpieczeństwo, \
zadzwoń teraz pod numer {number}.**""",
        support="Możesz też bezpłatnie z kimś porozmawiać: {lines}.",
        lines="{adults} (dorośli), {minors} (dzieci i młodzież), całą dobę",
        any_number="112 (USA 911, Wielka Brytania 999)",
        any_lines="""\
Polska 116 123 (dorośli), 116 111 (dzieci i młodzież), całą dobę; inne kraje na \
findahelpline.com""",
    ),
    "de": NoteTexts(
        medical="""\
**Das kann ein Notfall sein. Ruf jetzt {number} an** oder bitte jemanden in deiner Nähe \
darum. Warte hier nicht auf eine Antwort und fahr nicht selbst.""",
        crisis="""\
**Du musst da nicht allein durch. Wenn du in Gefahr bist, ruf jetzt {number} an.**""",
        support="Du kannst auch kostenlos mit jemandem reden: {lines}.",
        lines="{adults} für Erwachsene, {minors} für Kinder und Jugendliche, Tag und Nacht",
        any_number="112",
        any_lines="""\
Deutschland 0800 111 0 111, Österreich 142, Schweiz 143, Tag und Nacht; andere Länder auf \
findahelpline.com""",
    ),
    "es": NoteTexts(
        medical="""\
**Esto puede ser una emergencia. Llama ahora al {number}** o pide a alguien cercano que \
llame. No esperes aquí una respuesta y no conduzcas tú.""",
        crisis="""\
**No tienes que pasar por esto en soledad. Si estás en peligro, llama ahora al \
{number}.**""",
        support="También puedes hablar gratis con alguien: {lines}.",
        lines="{adults} para adultos, {minors} para niños y adolescentes, día y noche",
        any_number="112 (Estados Unidos y México 911)",
        any_lines="""\
España 024, Estados Unidos 988, día y noche; otros países en findahelpline.com""",
    ),
    "ru": NoteTexts(
        medical="""\
**Это может быть неотложное состояние. Позвоните сейчас по номеру {number}** или \
попросите того, кто рядом. Не ждите ответа здесь и не садитесь за руль.""",
        crisis="""\
**Вам не нужно справляться с этим в одиночку. Если есть опасность, звоните сейчас: \
{number}.**""",
        support="Можно и бесплатно поговорить: {lines}.",
        lines="{adults} (взрослые), {minors} (дети и подростки), круглосуточно",
        any_number="112 (США 911, Великобритания 999)",
        any_lines="""\
Россия 8-800-2000-122 (дети, подростки и их родители); другие линии на \
findahelpline.com""",
    ),
}


def find_emergency(text: str) -> Emergency:
    """Judge a text: what `Message.emergency` holds of a message."""
    spans: list[list[int]] = []
    kinds: set[str] = set()
    for (start, end), judged in judge_closely(text):
        if found := judged.classes & {"medical", "crisis"}:
            spans.append([start, end])
            kinds |= found
    if not spans:
        return {}
    return {"spans": spans, "medical": "medical" in kinds, "crisis": "crisis" in kinds}


def emergency_sentences(text: str, emergency: Emergency) -> list[str]:
    return [text[start:end] for start, end in emergency.get("spans", [])]


def without_emergency(text: str) -> str:
    """A text that is no message without what it says of an emergency, such as a reply."""
    return without_spans(text, find_emergency(text).get("spans", []))


def may_be_kept(proposed: str, message: str, rest: str) -> bool:
    """Whether a fact comes from the rest of the message, not from its emergency.

    It has a word of the rest, and no long word that only the emergency has.
    """
    words, kept = _stems(proposed), _stems(rest)
    withheld = {word for word in _stems(message) - kept if len(word) >= STEM}
    return bool(words & kept) and not words & withheld


def emergency_note(text: str, emergency: Emergency, locale: str) -> str:
    """Return Markdown to show above the reply; empty without an emergency.

    In the language of the text if it has a note, else in that of the locale.
    """
    if not emergency:
        return ""
    words = (
        NOTE_TEXTS.get(_language_of(text)) or NOTE_TEXTS.get(locale) or NOTE_TEXTS["en"]
    )
    number, lines = words.any_number, words.any_lines
    if locale in NUMBERS:
        number, adults, minors = NUMBERS[locale]
        lines = words.lines.format(adults=adults, minors=minors)
    notes = [words.medical if emergency["medical"] else words.crisis]
    if emergency["crisis"]:
        notes.append(words.support)
    return "\n\n".join(note.format(number=number, lines=lines) for note in notes)


def _language_of(text: str) -> str:
    if CYRILLIC.search(text):
        return "" if NOT_RUSSIAN.search(text) else "ru"
    return language_of(text)


def _stems(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    letters = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    words = WORD.findall(letters)
    return {w[:STEM] for w in words if len(w) >= SHORTEST_WORD or w.isdigit()}
