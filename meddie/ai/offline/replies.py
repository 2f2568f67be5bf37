"""What the stand-in says."""

import re
from collections.abc import Sequence

from meddie.ai.events import ChatMessage
from meddie.ai.offline import english, notes, prompt, words
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
    r"|\b(?:what|how) can you help(?: me)?(?: with)?\W*$|^w czym możesz (?:mi )?pomóc\b"
    r"|\bco (?:potrafisz|umiesz)\b|^pomoc\W*$",
    re.IGNORECASE,
)
_WHAT_TO_TELL = re.compile(
    r"\bwhat should i tell you\b|\bco warto ci powiedzieć\b", re.IGNORECASE
)
_VALUE = re.compile(
    r"\b(?:blood (?:pressure|sugar)|glucose|cholesterol|ldl|hdl|tsh|ferritin|ha?emoglobin"
    r"|crp|ciśnienie|cukier|glukoz\w+|cholesterol)\b[^.!?]*\d",
    re.IGNORECASE,
)
_OF_TODAY = re.compile(
    r"\bmy\b.*\b(?:yesterday|today|tomorrow)\b|\b(?:mój|moja|moje)\b.*"
    r"\b(?:wczoraj|dziś|dzisiaj|jutro)\b",
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


def write(messages: Sequence[ChatMessage]) -> str:
    """The whole reply, with its block, to the last message of the user."""
    said = [message["content"] for message in messages if message["role"] == "user"]
    text = said[-1].strip()[:READ] if said else ""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    known = prompt.read(messages)
    texts = words.choose(polish=is_polish(text), kept=known.kept)
    taken = notes.take(text, known)
    answer = _answer(text, known, taken, texts)
    parts = [*answer, _signature(answer, known, texts), taken.block()]
    return "\n\n".join(part for part in parts if part)


def _signature(answer: Sequence[str], known: Known, texts: dict[str, str]) -> str:
    """Who answers: said where a model would have said more, and in brief at first."""
    if any(texts[kind] in answer for kind in ("question", "no_facts", "small_talk")):
        return texts["signature"]
    return texts["short"] if known.first else ""


def _answer(text: str, known: Known, taken: Notes, texts: dict[str, str]) -> list[str]:
    if taken.asked_to_forget:
        return _forgetting(taken, texts)
    noted = _noting(taken, texts)
    if _OVERVIEW.search(text):
        return noted + _told(known, texts, "overview", otherwise="empty")
    if piece := _about_talking(text) or ("" if noted else _without_facts(text)):
        return [*noted, texts[piece]]
    if _asks(text) or (known.facts and not noted):
        return noted + _told(known, texts, "question", otherwise="no_facts")
    return noted or [texts["small_talk"]]


def _asks(text: str) -> bool:
    parts = (part for part in sentences(text) if not _GREETING.match(part))
    return any(is_question(part) for part in parts)


def _about_talking(text: str) -> str:
    if _WHAT_TO_TELL.search(text):
        return "tell"
    return "who" if _WHO_ARE_YOU.search(text) else ""


def _without_facts(text: str) -> str:
    """Small talk, or the reason why nothing of a statement is kept."""
    small_talk = _small_talk(text)
    if small_talk or _asks(text):
        return small_talk
    if _VALUE.search(text):
        return "value"
    return "passing" if _OF_TODAY.search(text) else ""


def _forgetting(taken: Notes, texts: dict[str, str]) -> list[str]:
    if not taken.forgets:
        return [texts["nothing_to_forget"]]
    return [texts["forgotten"], _listed(taken.forgets)]


def _noting(taken: Notes, texts: dict[str, str]) -> list[str]:
    if taken.new:
        echoes = texts["and"].join(plain(one.echo) for one in taken.new)
        return [texts["noted"].format(echo=echoes)]
    if taken.updates:
        return [texts["updated"]]
    return [texts["known"]] if taken.known else []


def _told(
    known: Known, texts: dict[str, str], heading: str, *, otherwise: str
) -> list[str]:
    """What is known, under a heading."""
    parts = [texts[heading], _listed(known.facts)] if known.facts else []
    if known.notes:
        parts.append(texts["notes"].format(person=plain(known.person)))
        parts.append(_listed([note.text for note in known.notes]))
    return parts or [texts[otherwise]]


def _small_talk(text: str) -> str:
    return next((kind for pattern, kind in _SMALL_TALK if pattern.match(text)), "")


def _listed(facts: Sequence[str]) -> str:
    return "\n".join(f"- {plain(english.second_person(fact))}" for fact in facts)


def plain(text: str) -> str:
    """Remembered text as text: it makes no link, no emphasis and no block."""
    return re.sub(r"([\\`*_\[\]<>{}#|~])", r"\\\1", text)
