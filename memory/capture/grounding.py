# ruff: noqa: RUF001 - Russian letters are meant
"""Does this text say that fact? The rules of S3-38 and S3-39, in any script."""

import re

from memory.capture.kin import KIN, NAMES_OF_THE_USER, as_mother
from memory.capture.same_fact import negated
from memory.words import content_tokens, stem, tokens

OVERLAP = 0.45
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
FORGETTING = re.compile(
    r"\b(?:forget|forgot|delete|remove|erase|zapomni|usuń|wymaż|skasuj|забуд|забыть|удали|сотри)",
    re.IGNORECASE,
)
REMINDER = re.compile(
    r"\b(?:don['’]t|do not|never|nie|не) (?:forget|zapomnij|zapominaj|забудь|забывай)\w*"
    r"(?: that|, że|, что)?\W*",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"\b(?:ignore|disregard|drop|scrap) (?:that|what|the)\b"
    r"|\byou (?:keep|always|still) (?:say|think|claim|repeat|mention|writ)\w*"
    r"|\b(?:stop|quit|stopped) (?:saying|telling|claiming|repeating|thinking|assuming"
    r"|insisting|mentioning|writing)\b|\b(?:wrongly|mistakenly|falsely|incorrectly)\b"
    r"|\bby mistake\b|\b(?:wrong|false|untrue|not true|a mistake|a lie) that\b"
    r"|\b(?:never|did not|didn['’]t) (?:say|said|tell|told|claim(?:ed)?)\b"
    r"|\bi (?:once )?(?:thought|believed)\b"
    r"|\b(?:przestań|nieprawda|błędnie|mylnie|przez pomyłkę|nigdy nie mówił[ae]m)\b"
    r"|\b(?:перестань|хватит|неправда|ошибочно|по ошибке|никогда не говорил[аи]?)\b",
    re.IGNORECASE,
)
"""Says that somebody said it, and was wrong."""
_FIRST_PERSON = """
i my me mine myself we our us ja mam jestem byłem byłam mnie mi mną mój moja moje mojej
mojego moim my mamy jesteśmy nas я меня мне мной мой моя моё мое мои моей моего мы нас
ich mich mir mein meine meinem meinen meiner wir uns unser unsere
"""
FIRST_PERSON = frozenset(_FIRST_PERSON.split()) | NAMES_OF_THE_USER
_OTHERS = """
he she they him her his their ona oni one jego jej ich он она они его
её ее их
"""
OTHERS = frozenset(_OTHERS.split()) | KIN
SUPPOSED = re.compile(
    r"\bused to\b|\b(?:if|unless) (?:i|my|we|our)\b|\b(?:gdybym|jeśli|jeżeli)\b|\bесли\b",
    re.IGNORECASE,
)
"""Says that it was so, or might be."""
FIRST_PERSON_ENDINGS = ("ę", "am", "em", "łem", "łam", "ю", "у")


def grounded(fact: str, text: str) -> bool:
    """Whether the text holds the fact, by the letters or by enough of its words.

    A fact of one telling word needs that word: "User is vegetarian".
    """
    compact = "".join(tokens(fact))
    if compact and compact in "".join(tokens(text)):
        return True
    said = (t for t in content_tokens(fact) if t not in NAMES_OF_THE_USER)
    wanted = {stem(as_mother(t)) for t in said}
    shared = len(wanted & {stem(as_mother(t)) for t in tokens(text)})
    return bool(wanted) and shared >= max(OVERLAP * len(wanted), min(2, len(wanted)))


def stated_anew(fact: str, message: str) -> bool:
    """Whether the user states the fact in this message.

    A question, a denial, a request to forget and what is said of somebody else hold
    the same words and state nothing.
    """
    return any(
        grounded(fact, sentence)
        and negated(fact) == negated(sentence)
        and _is_about_the_same(fact, sentence)
        for sentence in SENTENCE.findall(REMINDER.sub("", message))
        if "?" not in sentence and not FORGETTING.search(sentence)
        if not TAKEN_BACK.search(sentence)
        if bool(SUPPOSED.search(fact)) == bool(SUPPOSED.search(sentence))
    )


def _is_about_the_same(fact: str, sentence: str) -> bool:
    """Whether the sentence is about whom the fact is about.

    What is said is said of whoever is named last before it: "my sister is pregnant".
    """
    about = set(map(as_mother, tokens(fact)))
    words = list(map(as_mother, tokens(sentence)))
    if about & KIN:
        return bool(about & KIN & set(words))
    if not about & NAMES_OF_THE_USER:
        return not KIN & set(words)
    wanted = {stem(t) for t in content_tokens(fact) if t not in NAMES_OF_THE_USER}
    first = next((n for n, t in enumerate(words) if stem(t) in wanted), 0)
    before = [t for t in words[:first] if t in FIRST_PERSON | OTHERS]
    if before:
        return before[-1] in FIRST_PERSON
    return _speaks_of_oneself(words)


def _speaks_of_oneself(words: list[str]) -> bool:
    """Polish and Russian verbs may say "I" by their ending alone."""
    said = any(t in FIRST_PERSON or t.endswith(FIRST_PERSON_ENDINGS) for t in words)
    return said and not OTHERS & set(words)
