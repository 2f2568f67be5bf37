"""Words that wrap a statement or a question, stripped before a sentence is judged.

They are data, not meaning. One table of all languages; "|" and line ends part phrases.
"""

import re
from dataclasses import dataclass, replace
from functools import cache

from memory.wording.days import relative_phrases
from memory.wording.splitting import (
    CLOSING,
    QUESTION_MARKS,
    is_question,
    split_clauses,
    split_sentences,
)
from memory.wording.text_values import Clock, Day, Weekday, values_of
from memory.wording.words import CJK, levelled

POLITE = """
please|pls|plz|kindly|hey|hi|hello|also|and|ok|okay|so|now|bitte|auch|mal|doch|proszę|por favor|stp
s'il te plaît|s'il vous plaît|per favore|alsjeblieft|пожалуйста|请|lütfen|من فضلك
"""
ASKING = """
can you|could you|would you|will you|kannst du|könntest du|können sie|könnten sie|czy możesz|możesz
czy mógłbyś|puedes|podrías|peux-tu|tu peux|pouvez-vous|puoi|potresti|você pode|kun je|ты можешь|можешь
你能|你可以
"""
NOTES = """
remember|keep in mind|bear in mind|don't forget|note to self|note down|note|make a note|take note
write down|save|for the record|for your information|fyi|just so you know|you should know|you must know
i want you to know|i want you to remember|merk dir|merke dir|merken|notiere|notier|notieren|denk daran
denk dran|vergiss nicht|zur info|du solltest wissen|zapamiętaj to|zapamiętaj|pamiętaj|zanotuj|zapisz
miej na uwadze|wiedz|nie zapomnij|recuerda|recuerde|anota|apunta|ten en cuenta|para que sepas|no olvides
souviens-toi|souvenez-vous|rappelle-toi|notez|retiens|sache|sachez|n'oublie pas|pour info|ricorda
ricordati|annota|tieni presente|sappi|non dimenticare|lembre-se|lembra|anote|tenha em mente|onthoud
noteer|запомни|запомните|запиши|помни|имей в виду|учти|не забудь|记住|记下|请注意|不要忘记|unutma|تذكر|لا تنس
"""
NOTES_LAST = "覚えておいて|覚えておいてください|覚えてください|메모해 줘|기억해 줘|기억해줘|not al|aklında olsun"
KNOWN = """
did you know|do you know|have i told you|did i tell you|wusstest du|weißt du|wussten sie|czy wiesz|wiesz
sabías|sabes|tu sais|sais-tu|savais-tu|sapevi|lo sapevi|você sabia|wist je|ты знаешь|знаешь ли ты|ты знал
你知道吗|你知道|هل تعلم
"""
KNOWN_LAST = "知っていますか|知ってる|biliyor musun|biliyor muydun|알고 있어"
ENDS = """
remember it|remember that|remember this|note it|note that|keep that in mind|keep it in mind|please remember
fyi|just so you know|merk dir das|das merken|zapamiętaj to|zapamiętaj|zapamiętać|recuérdalo|recordarlo
anótalo|retiens-le|t'en souvenir|note-le|ricordalo|ricordartelo|запомни это|запомни|запомнить|记住|请记住
"""
LINKS = """
that|this|these things|these|the following|down|dass|daß|folgendes|das|że|następujące|que|de que|esto
ceci|che|questo|dat|dit|что|що|это|ki|أن|أنني
"""
SHOWS = """
list|show|show me|display|print|give me|tell me|name my|name all|what do you have on|what do you know
zeig|zeige|liste|nenne mir|nenn mir|nenne meine|nenn meine|nenne die|nenne alle|gib mir|sag mir|erzähl mir|pokaż|wymień|wypisz|podaj|wyświetl|powiedz mi
muéstrame|muestra|lista|enumera|dime|dame|montre|montre-moi|donne-moi|énumère|dis-moi|mostra|mostrami
elenca|dimmi|dammi|mostre|diga|toon|laat zien|geef me|покажи|перечисли|назови|расскажи|列出|显示|告诉我|给我
اعرض|أخبرني
"""
SHOWS_LAST = (
    "一覧にして|見せて|教えて|教えてください|보여줘|알려줘|göster|listele|söyle"
)
REMINDS = """
remind me|remind me about|remind us|set a reminder|set a reminder for|erinnere mich|erinner mich|erinnere mich daran
erinner mich daran|erinnern sie mich|mich erinnern|mich daran erinnern|przypomnij|przypomnij mi|przypomnij nam
przypomnij mi o|przypominaj mi|przypominaj mi o|mi przypomnieć|mi przypomnieć o|mi przypominać|recuérdame
recuérdeme|recordarme|rappelle-moi|rappelez-moi|me rappeler|ricordami|ricordarmi|lembre-me|lembra-me|me lembrar
herinner me|herinner mij|напомни|напомни мне|напомнить|напомнить мне|提醒我|ذكرني
"""
REMINDED, REMINDS_LAST = "mich|uns|me|mij|ons", "erinnern|herinneren"
"""Around what "can you" asks to be reminded of."""
NOTIFIES = """
let me know|let us know|tell me again|notify me|alert me|ping me|wake me|give me a shout|give me a nudge|give me a ring
give me a buzz|nudge me|poke me|warn me|sag mir bescheid|gib mir bescheid|weck mich
daj mi znać|daj znać|odezwij się|szturchnij mnie|powiadom mnie|obudź mnie|avísame|prévenez-moi|préviens-moi|avvisami|avise-me|me avise
laat me weten|waarschuw me|дай мне знать|дай знать|сообщи мне|разбуди меня|通知我
"""
NOTIFIED, NOTIFIES_LAST = "sag mir|sage mir|sag uns|gib mir|gib uns", "bescheid"
"""They ask for a reminder where they name a day."""
RECALLS = """
what|which|who|when|where|how|was|welche|welcher|welches|welchen|wer|wen|wann|wo|wie|co|jak|jaki|jaka|jakie|kiedy
gdzie|kto|ile|qué|cuál|cuáles|cuándo|quién|dónde|cuánto|cómo|quel|quelle|quels|quelles|quand|qui|où|cosa|quale
quali|quando|chi|dove|qual|quais|wat|welke|wanneer|что|какие|когда|什么
"""
"""After "remind me" they ask for what is known; so does "of" without a number."""
HANDS = """
here is|here's|here are|attached|see attached|hier ist|hier sind|anbei|im anhang|oto|w załączniku|przesyłam
aquí está|aquí están|adjunto|te envío|voici|voilà|ci-joint|ecco|in allegato|aqui está|aqui estão|em anexo
hier is|bijgevoegd|вот|прилагаю|这是|附件|これは|işte|ekte
"""
ADVERBS = """
actually|eigentlich|właściwie|en realidad|en fait|in realtà|na verdade|eigenlijk|на самом деле|其实|実は|aslında
"""
MISTAKES = """
correction|i was wrong|my mistake|i meant|i mean|sorry|oops|no wait|korrektur|ich habe mich geirrt|mein fehler
ich hab mich vertan|pomyłka|pomyliłem się|pomyliłam się|mój błąd|przepraszam|me equivoqué|corrección|perdón
je me suis trompé|je me suis trompée|erreur|pardon|mi sono sbagliato|mi sono sbagliata|scusa|me enganei
я ошибся|я ошиблась|我说错了|対不起
"""
REASONS = """
since|because|as|given that|now that|weil|da|ponieważ|bo|skoro|jako że|como|porque|ya que|puisque
parce que|comme|poiché|siccome|dato che|perché|já que|omdat|aangezien|так как|потому что|раз|因为|既然|çünkü
لأن|لأنني
"""
MAY_I = """
can i|could i|may i|should i|must i|is it safe|is it ok|is it okay|am i allowed|kann ich|darf ich|soll ich
muss ich|ist es sicher|czy mogę|czy moge|czy powinienem|czy powinnam|puedo|debo|puis-je|est-ce que je peux
je peux|posso|devo|можно ли|можно мне|могу ли|mag ik|kan ik|moet ik|我可以|我能
"""
SUPPOSES = """
if|unless|suppose|wenn|falls|jeśli|jeżeli|gdyby|gdybym|si|se|als|если|如果|eğer|もし|إذا|لو
"""
UPDATES = """
update|change|correct|ändere|aktualisiere|zmień|zaktualizuj|actualiza|cambia|mets à jour|aggiorna
atualize|измени|обнови
"""
INTO = "to|auf|zu|in|na|a|à|en|para|naar|на"
APART = r"[\s,;:.!¿¡…–—-]{0,4}"  # between the parts of a frame
LONGEST_END = 80  # characters of what comes after a wrapped sentence


@dataclass(frozen=True, slots=True)
class Framed:
    """A sentence without its frame, and what the frame makes of it.

    It is to be `noted`, `shows` what is wanted, `hands` a file over, `corrects`, or
    `reminds`: of what is left at some time.
    """

    text: str
    noted: bool = False
    shows: bool = False
    hands: bool = False
    corrects: bool = False
    reminds: bool = False


@cache
def _phrases(listed: str) -> str:
    """A pattern of the phrases, the longest first; words end where they end."""
    found = {phrase for line in listed.splitlines() for phrase in line.split("|")}
    ordered = sorted(map(levelled, found - {""}), key=len, reverse=True)
    ends = ("" if re.match(f"[{CJK}]", phrase[-1]) else r"(?!\w)" for phrase in ordered)
    escaped = map(re.escape, ordered)
    return f"(?:{'|'.join(map(''.join, zip(escaped, ends, strict=True)))})"


@cache
def _opening(listed: str) -> re.Pattern[str]:
    skipped = rf"(?:{_phrases(POLITE)}{APART}){{0,3}}"
    asking = rf"(?P<asking>{_phrases(ASKING)}{APART})?"
    linked = rf"(?:(?:{_phrases(POLITE)}|{_phrases(LINKS)}){APART}){{0,3}}"
    return re.compile(
        rf"{APART}{skipped}{asking}{skipped}{_phrases(listed)}{APART}{linked}"
    )


@cache
def _ending(listed: str, before: str) -> re.Pattern[str]:
    polite = rf"(?:(?:{_phrases(POLITE)}|{_phrases(ASKING)}){APART}){{0,3}}"
    return re.compile(rf"{before}{polite}{_phrases(listed)}\W{{0,4}}\Z")


LABEL = re.compile(r"\w[:：]\s*\w")


def _find_end(listed: str, before: str, level: str) -> re.Match[str] | None:
    return _ending(listed, before).search(level, max(len(level) - LONGEST_END, 0))


CLAUSE_MARKS = ",;:–—-"
INNER_REMINDER = re.compile(
    rf"(?<=\w)(?:\s?[{CLAUSE_MARKS}]\s?|\s(?:and|und|i|oraz|y|et|e|en)\s)"
    rf"(?:(?:{_phrases(POLITE)}|{_phrases(ASKING)})\s){{0,3}}{_phrases(REMINDS)}"
)
CLAUSE, WORD = r"\s?[,;:.!–—-]{1,3}\s?", r"\W?"
INSIDE = re.compile(rf"(?<=\w),?\s{{1,2}}{_phrases(ADVERBS)}(?=\s)")
INNER_QUESTION = re.compile(
    rf"(?P<told>\w{{1,20}}(?:\W\w{{1,20}}){{1,20}}?)\s(?:so\s|and\s|und\s|y\s|e\s)?{_phrases(MAY_I)}"
)
"""Of "I have asthma can I dive?", typed without a comma."""
UPDATE = re.compile(
    rf"{_opening(UPDATES).pattern}(?P<what>\S.{{0,60}}?)\s{_phrases(INTO)}\s(?P<value>\S.*)",
    re.DOTALL,
)


def unframed(sentence: str) -> Framed:
    """The sentence without its frame; without a question mark if the frame asked."""
    text, corrected = _corrected(sentence)
    if changed := UPDATE.match(levelled(text)):
        what, value = (text[slice(*changed.span(part))] for part in ("what", "value"))
        return Framed(_capitalised(f"{what}: {value}"), noted=True, corrects=True)
    reminder = _reminder(text)
    if reminder is not None and not _recalls(reminder.text):
        told = _capitalised(reminder.text.removeprefix("Of "))
        return replace(reminder, text=told, corrects=corrected)
    shows = bool(_opening(SHOWS).match(levelled(text))) or _ends(text, SHOWS_LAST)
    shows = shows or reminder is not None
    handed = _opening(HANDS).match(levelled(text))
    rest = _noted(text)
    if handed and LABEL.search(text):  # "here is my address: 5 Long Street"
        rest = text[handed.end() :]
    noted = rest is not None
    text = text if rest is None else rest
    if polite := _find_end(POLITE, CLAUSE, levelled(text)):
        text = text[: polite.start()]
    return Framed(
        sentence if text == sentence else _capitalised(text),
        noted=noted,
        shows=shows and not noted,
        hands=handed is not None and not noted,
        corrects=corrected,
    )


def framed_parts(sentence: str) -> list[Framed]:
    """The sentence without its frame; "I have asthma, remind me to …" are two."""
    inner = INNER_REMINDER.search(levelled(sentence))
    if inner is None:
        return [unframed(sentence)]
    parts = (sentence[: inner.start()], sentence[inner.start() :])
    return [unframed(part.lstrip(f" {CLAUSE_MARKS}")) for part in parts]


def wants_answer(sentence: str) -> bool:
    """Whether a sentence is a question without its frame, or wants something shown."""
    framed = unframed(sentence)
    return framed.shows or is_question(framed.text)


def telling_clauses(sentence: str) -> list[str]:
    """The clauses that do not ask: all, or those before the last one of a question."""
    framed = unframed(sentence)
    if framed.shows:
        return []
    clauses = _with_leads(framed.text)
    if not is_question(framed.text):
        return clauses
    reasons, supposes = _opening(REASONS), _opening(SUPPOSES)
    asking = len(clauses) - 1
    while asking > 0 and supposes.match(levelled(clauses[asking])):
        asking -= 1
    told = [
        clause
        for place, clause in enumerate(clauses)
        if place < asking or reasons.match(levelled(clause))
    ]
    inner = INNER_QUESTION.match(levelled(clauses[asking]))
    return [*told, clauses[asking][: inner.end("told")]] if inner else told


def _with_leads(text: str) -> list[str]:
    """The clauses, each with what a colon introduces it by: "Tom: I'm vegan"."""
    clauses: list[str] = []
    end = 0
    for clause in split_clauses(text):
        start = text.index(clause, end)
        led = clauses and text[end:start].strip() in {":", "："}
        begin = text.rindex(clauses.pop(), 0, start) if led else start
        end = start + len(clause)
        clauses.append(text[begin:end])
    return clauses


def clauses_told(message: str) -> list[str]:
    """The clauses of a message that do not ask."""
    return [c for said in split_sentences(message) for c in telling_clauses(said)]


def without_reason(clause: str) -> str:
    """The clause without "since" or "because"; empty if it only supposes."""
    if _opening(SUPPOSES).match(levelled(clause)):
        return ""
    found = _opening(REASONS).match(levelled(clause))
    return _capitalised(clause[found.end() :]) if found else clause


def _corrected(sentence: str) -> tuple[str, bool]:
    """Without "actually", "I was wrong" and "sorry", and whether they were there."""
    text = sentence
    if found := _opening(f"{MISTAKES}|{ADVERBS}").match(levelled(text)):
        text = text[found.end() :]
    if found := _find_end(f"{MISTAKES}|{ADVERBS}", CLAUSE, levelled(text)):
        text = text[: found.start()]
    if found := INSIDE.search(levelled(text)):
        text = text[: found.start()] + text[found.end() :]
    return (text, text != sentence) if text else (sentence, False)


def _noted(text: str) -> str | None:
    """What is to be noted down; None where nothing says so."""
    level = levelled(text)
    asked = is_question(text)
    known, noted = _opening(KNOWN).match(level), _opening(NOTES).match(level)
    if known and asked:
        return _stated(text[known.end() :])
    if noted and (noted["asking"] or not asked):
        return _stated(text[noted.end() :])
    for listed, before in ((ENDS, CLAUSE), (NOTES_LAST, WORD), (KNOWN_LAST, WORD)):
        if found := _find_end(listed, before, level):
            return _stated(text[: found.start()])
    return None


def _reminder(text: str) -> Framed | None:
    """Of a wish to be reminded, `noted` if it is a clause ("that I …")."""
    level = levelled(text)
    if found := _opening(REMINDS).match(level):
        told = _capitalised(_stated(text[found.end() :]))
        return Framed(told, noted=_ends(found[0].rstrip(), LINKS), reminds=True)
    found, last = _opening(REMINDED).match(level), _find_end(REMINDS_LAST, WORD, level)
    if found and last and found["asking"]:
        told = _stated(text[found.end() : last.start()])
        return Framed(_capitalised(told), reminds=True)
    return _notice(text, level)


def _notice(text: str, level: str) -> Framed | None:
    """Of "Let me know on Friday", if it names a day or a month."""
    found, end = _opening(NOTIFIES).match(level), len(text)
    if found is None and (last := _find_end(NOTIFIES_LAST, WORD, level)):
        found, end = _opening(NOTIFIED).match(level), last.start()
    if found is None or not _names_day(text):
        return None
    return Framed(_capitalised(_stated(text[found.end() : end])), reminds=True)


def _names_day(text: str) -> bool:
    read = (value.readings[0] for value in values_of(text))
    dated = any(isinstance(known, (Day, Weekday, Clock)) for known in read)
    return dated or any(relative_phrases(text))


def _recalls(text: str) -> bool:
    if text.startswith("Of "):
        return not any(map(str.isdigit, text))
    return _opening(RECALLS).match(levelled(text)) is not None


def _stated(text: str) -> str:
    """Without the marks at its end, but for the bracket of what is in brackets."""
    stated = text.rstrip(CLOSING + "".join(QUESTION_MARKS))
    rest = text[len(stated) :]
    return stated + ")" * (")" in rest and stated.count("(") > stated.count(")"))


def _ends(text: str, listed: str) -> bool:
    return _find_end(listed, WORD, levelled(text)) is not None


def _capitalised(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
