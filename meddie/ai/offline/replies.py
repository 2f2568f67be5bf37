"""What the stand-in says."""

import re
from collections.abc import Sequence

from meddie.ai.events import ChatMessage
from meddie.ai.offline import notes, prompt
from meddie.ai.offline.notes import Notes
from meddie.ai.offline.prompt import Known
from meddie.ai.offline.statements import is_polish, is_question, sentences

_OVERVIEW = re.compile(
    r"\bwhat (?:do|did|have) (?:you|i) (?:actually |still |already )?(?:know|remember|told?)"
    r"\b(?!.*\bbefore\b).*\b(?:me|you|far)\b|\bwho am i\b|\btell me about (?:me|myself)\b"
    r"|\bco (?:ty )?(?:o mnie |już )*(?:wiesz|pamiętasz)|\b(?:wiesz|pamiętasz) o mnie\b"
    r"|\bkim jestem\b",
    re.IGNORECASE,
)
_THANKS = re.compile(r"\b(?:thanks|thank you|thx|dzięk\w+|super)\b", re.IGNORECASE)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|evening|afternoon)|how are you|what's up|cześć|hej"
    r"|dzień dobry|dobry wieczór|witaj|siema|jak się masz|co słychać)\b",
    re.IGNORECASE,
)
_BYE = re.compile(
    r"^(?:bye|good ?bye|good night|see you|do widzenia|pa\b|na razie|dobranoc)",
    re.IGNORECASE,
)

ENGLISH = {
    "forgotten": "All right, I will forget this:",
    "nothing_to_forget": "I do not remember anything like that, so there is nothing to "
    "forget.",
    "noted": "Noted. From now on I remember that {echo}.",
    "and": " and that ",
    "known": "I know that already.",
    "updated": "I have put that into the notes.",
    "overview": "This is what I know about you:",
    "notes": "And this stands in the notes about {person}:",
    "empty": "I know nothing about you yet. Tell me something, for example: "
    '"I am allergic to ibuprofen."',
    "question": "This is what I remember that may matter here:",
    "no_facts": "I remember nothing that matters to this, and without a real model I "
    "cannot say more.",
    "greeting": "Hello! Tell me something about yourself and ask me about it later, also "
    "in a new conversation.",
    "thanks": "You are welcome.",
    "bye": "Goodbye! What you told me stays with me.",
    "small_talk": "I found nothing in that to remember. I keep lasting things, for example: "
    '"I prefer tea to coffee" or "My mother has type 2 diabetes".',
    "signature": "*I am Meddie's offline stand-in: simple rules, no language model. "
    "With an OPENAI_API_KEY a real model answers.*",
}
POLISH = {
    "forgotten": "Dobrze, zapominam:",
    "nothing_to_forget": "Niczego takiego nie pamiętam, więc nie ma czego zapominać.",
    "noted": "Zapamiętane: {echo}.",
    "and": "; ",
    "known": "To już wiem.",
    "updated": "Zapisuję to w notatkach.",
    "overview": "Oto, co o Tobie wiem:",
    "notes": "A to jest w notatkach ({person}):",
    "empty": "Jeszcze nic o Tobie nie wiem. Powiedz mi coś, na przykład: "
    "„Mam uczulenie na ibuprofen”.",
    "question": "Oto, co pamiętam i co może tu mieć znaczenie:",
    "no_facts": "Nie pamiętam niczego, co miałoby tu znaczenie, a bez prawdziwego modelu "
    "nie powiem więcej.",
    "greeting": "Dzień dobry! Powiedz mi coś o sobie, a później o to zapytaj, także "
    "w nowej rozmowie.",
    "thanks": "Nie ma za co.",
    "bye": "Do widzenia! Pamiętam, co mi powiedziano.",
    "small_talk": "Nie ma tu niczego do zapamiętania. Zapamiętuję rzeczy trwałe, "
    "na przykład: „Wolę herbatę od kawy” albo „Moja mama ma cukrzycę typu 2”.",
    "signature": "*Jestem zastępczym Meddie bez sieci: proste reguły, nie model językowy. "
    "Z kluczem OPENAI_API_KEY odpowiada prawdziwy model.*",
}


def write(messages: Sequence[ChatMessage]) -> str:
    """The whole reply, with its block, to the last message of the user."""
    said = [message["content"] for message in messages if message["role"] == "user"]
    text = (
        said[-1].strip().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") if said else ""
    )
    known = prompt.read(messages)
    words = POLISH if is_polish(text) else ENGLISH
    taken = notes.take(text, known)
    parts = [*_answer(text, known, taken, words), words["signature"], taken.block()]
    return "\n\n".join(part for part in parts if part)


def _answer(text: str, known: Known, taken: Notes, words: dict[str, str]) -> list[str]:
    if taken.asked_to_forget:
        return _forgetting(taken, words)
    parts = _noting(taken, words)
    if _OVERVIEW.search(text):
        return parts + _overview(known, words)
    if any(is_question(part) and not _GREETING.match(part) for part in sentences(text)):
        return parts + _recalling(known, words)
    return parts or [_small_talk(text, words)]


def _forgetting(taken: Notes, words: dict[str, str]) -> list[str]:
    if not taken.forgets:
        return [words["nothing_to_forget"]]
    return [words["forgotten"], _listed(taken.forgets)]


def _noting(taken: Notes, words: dict[str, str]) -> list[str]:
    if taken.new:
        echoes = words["and"].join(plain(one.echo) for one in taken.new)
        return [words["noted"].format(echo=echoes)]
    if taken.updates:
        return [words["updated"]]
    return [words["known"]] if taken.known else []


def _overview(known: Known, words: dict[str, str]) -> list[str]:
    if not known.facts and not known.notes:
        return [words["empty"]]
    facts = [words["overview"], _listed(known.facts)] if known.facts else []
    return facts + _noted_on_person(known, words)


def _recalling(known: Known, words: dict[str, str]) -> list[str]:
    if not known.facts and not known.notes:
        return [words["no_facts"]]
    facts = [words["question"], _listed(known.facts)] if known.facts else []
    return facts + _noted_on_person(known, words)


def _noted_on_person(known: Known, words: dict[str, str]) -> list[str]:
    if not known.notes:
        return []
    return [words["notes"].format(person=plain(known.person)), _listed(known.notes)]


def _small_talk(text: str, words: dict[str, str]) -> str:
    for pattern, answer in (
        (_GREETING, "greeting"),
        (_BYE, "bye"),
        (_THANKS, "thanks"),
    ):
        if pattern.search(text):
            return words[answer]
    return words["small_talk"]


def _listed(facts: Sequence[str]) -> str:
    return "\n".join(f"- {plain(fact)}" for fact in facts)


def plain(text: str) -> str:
    """Remembered text as text: it makes no link, no emphasis and no block."""
    return re.sub(r"([\\`*_\[\]<>{}#|~])", r"\\\1", text)
