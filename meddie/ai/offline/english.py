"""First person to third, for the statements worth keeping."""

import re

QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|when|where|why|how|can|could|should|would|will|do|does"
    r"|did|is|are|am|may|shall|tell me|explain|if|suppose|imagine|maybe|perhaps)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:hi|hello|hey|well|so|also|oh|ok|okay|yes|no|and|but|actually|please|fyi|meddie"
    r"|by the way|i mean|in fact|sorry|correction|note|remember|keep in mind|just so you know|you should know"
    r"|i want you to know|for your information|unfortunately|because|that)\b[\s,:!-]*)+",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?:,\s*|\s+)(?:(?:and|but|while|whereas|plus)\s+)(?=(?:i|i'm|i've|my)\b)"
    r"|,\s*(?=(?:i|i'm|i've|my)\s)",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^((?:in|on|since|last|every|for|at)\s[^,]{1,30}?),?\s+(?=(?:i|my)\b)",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"(?<!until)(?<!till)(?<!by)\s*\b(?:right now|now|currently|actually|really|nowadays"
    r"|at present|these days)\b",
    re.IGNORECASE,
)
_FELT = re.compile(
    r"\b(?:pains?|\w*aches?|hurts?|sore|nausea|cramps?|feel\w*|dizz\w*)\b",
    re.IGNORECASE,
)
_AGO = re.compile(
    r",?\s+(?:(?<!the )last (?:night|week|month|year|spring|summer|autumn|winter)"
    r"|(?:about |some )?(?:an?|one|two|three|few|a few|\d+) (?:days?|weeks?|months?|years?)"
    r" ago|recently)$",
    re.IGNORECASE,
)
_MOVE = re.compile(
    r"^i(?:'ve| have)? (?:(?:just|recently|finally) )*(?i:moved|relocated)"
    r"(?: here)?(?: from [^,]+?)? to (?P<place>(?:the )?[^\W\d_a-z][\w'-]*"
    r"(?: (?!(?:In|On|Last|Since)\b)[^\W\d_a-z][\w'-]*)*)"
    r"(?P<tail>,? (?:in (?:\w+ )?(?:19|20)\d\d|(?:last|this) \w+|yesterday|today|recently"
    r"|(?:with|for|because)\b.*|(?:an?|one|two|three|few|a few|\d+) \w+ ago))?$"
)
YEARS_OLD = r"\1 years old"
_AGE = re.compile(r"^(\d{1,3})(?: ?(?:years?(?: old| of age)|yo|y/o))?$", re.IGNORECASE)
_PASSING = re.compile(
    r"\b(?:today|yesterday|tomorrow|tonight|now|currently|just|next (?:week|month|year)"
    r"|this (?:morning|afternoon|evening|week))\b"
    r"|\bat the moment\b",
    re.IGNORECASE,
)
_BE_PASSING = re.compile(
    r"(?:not )?(?:so |very |really |a bit |quite |too )*(?:sorry|sure|fine|ok|okay|good|great"
    r"|well|tired|hungry|thirsty|bored|happy|sad|glad|afraid|curious|ready|here|back|done"
    r"|late|busy|worried|confused|stressed|sick|ill|cold|hot|home|about|in|at|to|like|on"
    r" (?:holiday|vacation|my)|(?!living|working|taking|training|studying|using|expecting"
    r"|breastfeeding|planning|learning|recovering)\w+ing)\b",
    re.IGNORECASE,
)
_HAVE_PASSING = re.compile(
    r"(?:to|no idea|(?:no )?time|a clue|(?:an?|some|the|another|one) (?:\w+ )?(?:question|idea|headache"
    r"|cold|fever|problem|feeling|doubt|minute|request)|questions?|fever|it|this|that)\b",
    re.IGNORECASE,
)
_PRESENT = (
    "like|love|hate|prefer|enjoy|dislike|avoid|live|work|eat|drink|take|use|smoke|vape|sleep"
    "|run|play|train|exercise|speak|study|weigh|suffer|follow|practise|practice|own|keep"
    "|teach|swim|cycle|walk|go|wear|cook|ride|climb|dance|fast|track|snore|react|tolerate"
    "|come|grow|do|wake up|get up|volunteer|meditate|celebrate"
)
_LASTING_PAST = re.compile(
    r"(?:moved|broke|underwent|quit|gave (?:up|birth)|grew up|lost|gained|retired|married"
    r"|became|used to|switched|injured|fractured|tore|donated|graduated|adopted"
    r"|(?:have |has )?(?:started|stopped|begun|began)|lived|worked|studied|survived"
    r"|(?:was|got) (?:born|diagnosed|vaccinated|hospitali[sz]ed|operated|treated|prescribed"
    r"|married|divorced|told)"
    r"|had (?:\w+ ){0,5}?(?:surgery|operation|stroke|attack|cancer|transplant|baby|accident"
    r"|covid|miscarriage|removed|replaced|asthma|\w+ectomy)"
    r"|had .*\b(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"^i (?P<before>(?:(?:usually|always|often|sometimes|mostly|also|really|still|rarely"
    r"|never|mainly|only)\s)*)(?P<negation>(?:do not|don't|can't|cannot|can not|no longer)"
    rf"\s(?:really\s|usually\s)?)?(?P<verb>{_PRESENT})\b(?P<rest>.*)",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"^i(?:'d| would)? (?:want|like|plan|hope|intend|wish) to (?!know|ask|understand|see"
    r"|hear|talk|tell|check|thank|say|discuss|find out|start|be clear|get your)(?P<rest>.+)",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"^my (?P<who>[\w'-]+(?: [\w'-]+){0,3}?) (?P<rest>(?:(?:also|never|always) )?(?:is|are|was"
    r"|were|has|have|had|lives?|works?|died|takes?|likes?|loves?|suffers?|suffered|eats?"
    r"|drinks?|hates?|prefers?|plays?|turns?|turned|got|doesn't|don't|cannot|can't|isn't"
    r"|smokes?|smoked|needs?|comes?)\b.+)",
    re.IGNORECASE,
)
_NOT_MINE = re.compile(
    r"(?:blood (?:pressure|sugar)|glucose|cholesterol|ldl|hdl|tsh|ferritin|ha?emoglobin|crp"
    r"|question|point|problem|guess|idea|bad|head|stomach|throat|mistake)\b",
    re.IGNORECASE,
)
_THIRD = {"i": "they", "i'm": "they are", "i've": "they have", "i'd": "they would"}
_THIRD |= {"my": "their", "mine": "theirs", "me": "them", "myself": "themselves"}
_SECOND = {"i": "you", "i'm": "you are", "i've": "you have", "i'd": "you would"}
_SECOND |= {"my": "your", "mine": "yours", "me": "you", "myself": "yourself"}
_SECOND |= {"am": "are", "im": "you are"}


def without_opening(text: str) -> str:
    """The text without "well, please remember that" and the like."""
    return _OPENING.sub("", text)


def clauses(sentence: str) -> list[str]:
    """The parts of a sentence that could stand alone."""
    whole = _bare(
        without_adverbs(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    )
    return [part for piece in _JOINT.split(whole) if (part := _bare(piece))]


def without_adverbs(sentence: str) -> str:
    """The sentence without "now" and "actually", unless it tells how somebody feels."""
    if _FELT.search(sentence):
        return sentence
    return _ADVERB.sub("", sentence).strip(" ,")


def will_pass(clause: str) -> bool:
    """Whether it is true of this day only."""
    return bool(_PASSING.search(clause))


def statement(clause: str) -> tuple[str, str] | None:
    """The fact about the user and how to say it to them; None if it will not last."""
    if move := _MOVE.match(f"i{clause[1:]}"):
        clause = f"I live in {move['place']}"
    clause = _AGO.sub("", clause)
    if will_pass(clause):
        return None
    fact = _fact(clause)
    return (
        (fact, _spoken(clause, _SECOND).replace("you was", "you were"))
        if fact
        else None
    )


def _bare(piece: str) -> str:
    """Without "well, please remember that", and with the time at its end."""
    clause = _OPENING.sub("", piece.strip(" ,"))
    if when := _WHEN.match(clause):
        clause = f"{clause[when.end() :]} {when[1][0].lower()}{when[1][1:]}"
    return clause


def _fact(clause: str) -> str:
    if called := re.match(r"call me (.+)", clause, re.IGNORECASE):
        return f"User wants to be called {called[1]}"
    if mine := _MINE.match(clause):
        owned = f"{mine['who']} {_spoken(mine['rest'], _THIRD)}"
        return "" if _NOT_MINE.match(mine["who"]) else f"User's {owned}"
    return _of_myself(clause)


def _of_myself(clause: str) -> str:
    if be := re.match(r"i(?:'?m| am) (.+)", clause, re.IGNORECASE):
        return (
            "" if _BE_PASSING.match(be[1]) else _user("is", _AGE.sub(YEARS_OLD, be[1]))
        )
    if goal := _GOAL.match(clause):
        return _user("wants to", goal["rest"])
    past = clause.removeprefix("I ").removeprefix("i ")
    if past != clause and _LASTING_PAST.match(past):
        return _user("", past.removeprefix("have "))
    if have := re.match(r"i(?:'ve| have)(?: got)? (.+)", clause, re.IGNORECASE):
        return "" if _HAVE_PASSING.match(have[1]) else _user("has", have[1])
    if no_have := re.match(r"i (?:do not|don't) have (.+)", clause, re.IGNORECASE):
        return (
            ""
            if _HAVE_PASSING.match(no_have[1])
            else _user("does not have", no_have[1])
        )
    return _by_verb(clause)


def _by_verb(clause: str) -> str:
    found = _VERB.match(clause)
    if found is None or re.match(
        r"\s*(?:it|this|that|you|your|how|him|her|them|these|those)\b", found["rest"]
    ):
        return ""
    verb, negation = found["verb"].lower(), (found["negation"] or "").lower()
    if negation.startswith("no longer"):
        verb = f"no longer {_third_person(verb)}"
    elif negation.startswith("do"):
        verb = f"does not {verb}"
    elif negation:
        verb = f"cannot {verb}"
    else:
        verb = _third_person(verb)
    return _user(f"{found['before'].lower()}{verb}", found["rest"])


def second_person(fact: str) -> str:
    """A remembered sentence as it is said to the user; itself where that is not simple."""
    if re.search(r"\b(?:they|their|theirs|them|themselves|User)\b", fact[4:]):
        return fact
    if fact.startswith("User's "):
        return "Your " + fact.removeprefix("User's ")
    found = _TOLD.match(fact)
    return f"You {found[1]}{_TO_YOU[found[2]]}{found[3]}" if found else fact


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return f"{verb}es"
    if verb.endswith(" up"):
        return f"{verb[:-3]}s up"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _user(verb: str, rest: str) -> str:
    return " ".join(f"User {verb} {_spoken(rest, _THIRD)}".split())


def _spoken(text: str, person: dict[str, str]) -> str:
    def other(word: re.Match[str]) -> str:
        return person.get(word[0].lower(), word[0])

    return re.sub(
        r"\b(?:i'm|im|i've|i'd|i|my|mine|me|myself|am)\b", other, text, flags=re.I
    )


_TO_YOU = {_third_person(verb): verb for verb in _PRESENT.split("|")}
_TO_YOU |= {"is": "are", "was": "were", "has": "have", "does not": "do not"}
_TO_YOU |= {
    word: word for word in ("had", "cannot", "moved", "quit", "broke", "stopped")
}
_TO_YOU |= {"wants": "want"}
_TOLD = re.compile(
    r"^User ((?:(?:also|usually|always|often|sometimes|never|no longer|rarely) )*)"
    rf"({'|'.join(sorted(_TO_YOU, key=len, reverse=True))})\b(.*)"
)
