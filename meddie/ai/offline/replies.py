"""What the stand-in says."""

import re
from collections.abc import Sequence

from meddie.ai.events import ChatMessage
from meddie.ai.offline import notes, prompt
from meddie.ai.offline.notes import Notes
from meddie.ai.offline.prompt import Known
from meddie.ai.offline.statements import is_polish, is_question, sentences

READ = 4000
"""Characters of a message: the rules are many."""

_OVERVIEW = re.compile(
    r"\bwhat (?:do|did|have) (?:you|i) (?:actually |still |already )?(?:know|remember|told?)"
    r"\b[^?.!]*\b(?:me|you|far)\b|\bwho am i\b|\btell me about (?:me|myself)\b"
    r"|\bdo you (?:know|remember) (?:me\b|(?:any|some)thing about me\b|who i am)"
    r"|\bco (?:ty )?(?:o mnie |już )*(?:wiesz|pamiętasz)|\b(?:wiesz|pamiętasz) (?:coś )?o mnie"
    r"|\bpamiętasz mnie\b|\bkim jestem\b",
    re.IGNORECASE,
)
_WHO_ARE_YOU = re.compile(
    r"\b(?:who|what) are you(?:\W*$|\?)|\bwhat can you do\b|^help\W*$|\bkim jesteś\b"
    r"|\bco (?:potrafisz|umiesz)\b|^pomoc\W*$",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon)|cześć|hej|dzień dobry"
    r"|dobry wieczór|witaj|siema)(?: there| meddie)?[\s,!.]*)*"
    r"(?:how are you(?: doing)?(?: today)?|what's up|jak się masz|co słychać)?[\s?!.]*$",
    re.IGNORECASE,
)
_BYE = re.compile(
    r"^(?:bye|good ?bye|good night|see you|do widzenia|pa\b|na razie|dobranoc)",
    re.IGNORECASE,
)
_THANKS = re.compile(r"^(?:thanks|thank you|thx|ok thanks|dzięk\w+)\b", re.IGNORECASE)
_SMALL_TALK = ((_GREETING, "greeting"), (_BYE, "bye"), (_THANKS, "thanks"))

ENGLISH = {
    "forgotten": "All right, I will forget this:",
    "nothing_to_forget": "I do not remember anything like that, so there is nothing to "
    "forget.",
    "noted": "Noted. From now on I remember that {echo}.",
    "and": " and that ",
    "known": "I know that already.",
    "updated": "I have put that into the notes.",
    "overview": "This is what I know about you:",
    "notes": "This stands in the notes about {person}:",
    "empty": "I know nothing about you yet. Tell me something, for example: "
    '"I am allergic to ibuprofen."',
    "question": "This is what I remember that may matter here:",
    "no_facts": "I remember nothing that matters to this, and without a real model I "
    "cannot say more.",
    "who": "I answer for Meddie while there is no language model: I note what you tell me "
    "about yourself, and bring it up when you ask.",
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
    "notes": "W notatkach ({person}) jest:",
    "empty": "Jeszcze nic o Tobie nie wiem. Powiedz mi coś, na przykład: "
    "„Mam uczulenie na ibuprofen”.",
    "question": "Oto, co pamiętam i co może tu mieć znaczenie:",
    "no_facts": "Nie pamiętam niczego, co miałoby tu znaczenie, a bez prawdziwego modelu "
    "nie powiem więcej.",
    "who": "Odpowiadam za Meddie, póki nie ma modelu językowego: notuję, co mi o sobie "
    "mówisz, i przypominam to, gdy o coś pytasz.",
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
    text = said[-1].strip()[:READ] if said else ""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    known = prompt.read(messages)
    words = POLISH if is_polish(text) else ENGLISH
    taken = notes.take(text, known)
    parts = [*_answer(text, known, taken, words), words["signature"], taken.block()]
    return "\n\n".join(part for part in parts if part)


def _answer(text: str, known: Known, taken: Notes, words: dict[str, str]) -> list[str]:
    if taken.asked_to_forget:
        return _forgetting(taken, words)
    noted = _noting(taken, words)
    if _OVERVIEW.search(text):
        return noted + _told(known, words, "overview", otherwise="empty")
    if _WHO_ARE_YOU.search(text):
        return [*noted, words["who"]]
    if not noted and (small_talk := _small_talk(text)):
        return [words[small_talk]]
    if _asks(text) or (known.facts and not noted):
        return noted + _told(known, words, "question", otherwise="no_facts")
    return noted or [words["small_talk"]]


def _asks(text: str) -> bool:
    parts = (part for part in sentences(text) if not _GREETING.match(part))
    return any(is_question(part) for part in parts)


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


def _told(
    known: Known, words: dict[str, str], heading: str, *, otherwise: str
) -> list[str]:
    """What is known, under a heading."""
    parts = [words[heading], _listed(known.facts)] if known.facts else []
    if known.notes:
        parts.append(words["notes"].format(person=plain(known.person)))
        parts.append(_listed([note.text for note in known.notes]))
    return parts or [words[otherwise]]


def _small_talk(text: str) -> str:
    return next((kind for pattern, kind in _SMALL_TALK if pattern.match(text)), "")


def _listed(facts: Sequence[str]) -> str:
    return "\n".join(f"- {plain(fact)}" for fact in facts)


def plain(text: str) -> str:
    """Remembered text as text: it makes no link, no emphasis and no block."""
    return re.sub(r"([\\`*_\[\]<>{}#|~])", r"\\\1", text)
