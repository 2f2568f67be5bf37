"""The parts of a text that are another's words: quotations, mails, chats and code.

By structure. The few words that introduce another's are in `lexicon`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory.wording import lexicon
from memory.wording.frames import unframed
from memory.wording.splitting import is_question
from memory.wording.words import DENSE, folded, plain, tokens

(
    REPORTING,
    FIRST_PERSON,
    SECOND_PERSON,
    OF_ONESELF,
    PERSONAL,
    TEXTS,
    MAIL_FROM,
    MAIL_SUBJECT,
) = map(
    folded,
    (
        lexicon.REPORTING,
        lexicon.FIRST_PERSON,
        lexicon.SECOND_PERSON,
        lexicon.OF_ONESELF,
        lexicon.FIRST_PERSON + lexicon.SECOND_PERSON,
        lexicon.TEXTS,
        lexicon.MAIL_FROM,
        lexicon.MAIL_SUBJECT,
    ),
)
SELF = FIRST_PERSON | folded(lexicon.NAMES_OF_SELF)
DENSE_REPORTING = re.compile(rf"(?:{lexicon.DENSE_REPORTING})\W*$")
DENSE_FIRST_PERSON = re.compile(lexicon.DENSE_FIRST_PERSON)
DENSE_TEXTS = re.compile(lexicon.DENSE_TEXTS)
MOST_LINES, MOST_MARKS = 400, 100  # of a text in which quotations are looked for
LONG_QUOTATION = 25  # words
LONG_DENSE_QUOTATION = 40  # characters
LEAST_WORDS = 4  # of a text after "this mail:"
LONGEST_SIGNATURE_LINE = 40  # characters
LEFT_OUT = "…"  # what follows a colon and is another's
COLON = r"(?:：|:(?=\s|$))"
FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
INLINE_CODE = re.compile(r"`([^`\n]+)`")
NO_WORD = re.compile(r"[\s=(){}<>;]")
MARKED_LINE = re.compile(r"\s{0,3}>")
COMPARED = re.compile(r"\s{0,3}>=?\s*\d")  # "> 180": more than
LEAD = re.compile(rf"^(?P<lead>[^\n]*?)\s?{COLON}\s*(?P<rest>.*)")
DIVIDER = re.compile(r"^\s*[-_=*~]{3,}\s*$")
TITLED_DIVIDER = re.compile(r"^\s*[-_=]{3,}.*[-_=]{3,}\s*$")
TIME = re.compile(r"\d{1,2}[:.]\d{2}")
ADDRESS = re.compile(r"\S@\S")
SPEAKER_LINE = re.compile(r"\W{0,4}(?P<name>[^\W\d][\w ()-]{0,24}?)\W{0,4}[:：]")
LABELLED_LINE = re.compile(
    r"^\s*(?:\d{1,2}[:.]\d{2}\s+)?(?P<name>[^\W\d_][\w'’. -]{0,24}?)\s?(?:：|:\s)\s*(?P<said>\S.*)"
)
STAMPED = re.compile(
    r"^\s*(?:\[[^\]]{0,30}\d{1,2}[:.]\d{2}[^\]]{0,30}\]|\d[\d/. ]{3,12},? \d{1,2}[:.]\d{2}[^-]{0,8}-)"
    r"\s*(?P<name>[^\d:：][^:：]{0,40})[:：]\s*(?P<said>\S.*)"
)
PAIRS = re.compile(
    r'“[^“”]*”|„[^„“”"]*[“”"]|«[^«»]*»|「[^「」]*」|『[^『』]*』|(?<!\w)"[^"]*"(?!\w)'
)
SENTENCE_END = re.compile(r"[.!?…](?=\W|$)|[。！？؟]")
SENTENCE_OR_LINE_END = re.compile(r"[.!?…]\s|[。！？؟\n]")
INLINE_HEADER = re.compile(r"(?<!\w)(?P<name>[^\W\d_]{2,12})\s?[:：]")
MOST_SIGNATURE_LINES, LEAST_TURNS = 4, 2
SIGNATURE_HAS_NO = re.compile(r"^[-*•\d]|[.!?…:。！？]$")
QUOTATION_MARKS = '“„«「『"'
CLAUSE_BREAK = re.compile(r"[,;，；、。！？]|[.!?]\s")


Part = tuple[int, int]


class TextLine(NamedTuple):
    start: int
    end: int
    text: str

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


Block = tuple[list[Part], int]
"""Parts that begin with a line, and the number of the line after them."""
NOTHING: Block = ([], 0)


def quoted_parts(text: str) -> list[Part]:
    """Where another's words begin and end, in order and apart."""
    lines = list(_lines(text))[:MOST_LINES]
    fences = list(_fences(lines))
    found = [*fences, *_blocks(_outside(lines, fences))]
    marked = sum(map(text.count, QUOTATION_MARKS)) + text.count("`")
    for pattern in (_inline_code, _quotations) if marked <= MOST_MARKS else ():
        found += [part for part in pattern(text) if not _overlaps(part, found)]
    return sorted(_joined(text, found))


def _lines(text: str) -> Iterator[TextLine]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield TextLine(start, start + len(line.rstrip("\r\n")), line.rstrip("\r\n"))
        start += len(line)


def _overlaps(part: Part, others: Sequence[Part]) -> bool:
    return any(part[0] < end and start < part[1] for start, end in others)


def _joined(text: str, parts: Sequence[Part]) -> Iterator[Part]:
    """Parts with only white space between them are one."""
    start = end = -1
    for part in sorted(parts):
        if end >= 0 and not text[end : part[0]].strip():
            end = max(end, part[1])
            continue
        if end >= 0:
            yield start, end
        start, end = part
    if end >= 0:
        yield start, end


def _fences(lines: Sequence[TextLine]) -> Iterator[Part]:
    """Fenced code; without an end it reaches to that of the text."""
    mark, start = "", 0
    for line in lines:
        fence = FENCE.match(line.text)
        if not mark and fence:
            mark, start = fence[1], line.start
        elif mark and fence and fence[1].startswith(mark):
            yield start, line.end
            mark = ""
    if mark:
        yield start, lines[-1].end


def _outside(lines: Sequence[TextLine], fences: Sequence[Part]) -> list[TextLine]:
    """The lines, those of code blank."""
    return [
        line._replace(text="")
        if _overlaps((line.start, line.end + 1), fences)
        else line
        for line in lines
    ]


def _blocks(lines: Sequence[TextLine]) -> Iterator[Part]:
    """Mails, reported texts, marked lines and chats, which begin with a line."""
    number = 0
    while number < len(lines):
        for read in (_mail, _reported, _reported_here, _marked, _chat, _named_text):
            parts, end = read(lines, number)
            if parts:
                yield from parts
                number = end - 1
                break
        number += 1


def _next_text(lines: Sequence[TextLine], number: int) -> int:
    """The first line from there that is not blank."""
    while number < len(lines) and lines[number].is_blank:
        number += 1
    return number


def _paragraph_end(lines: Sequence[TextLine], number: int) -> int:
    while number < len(lines) and not lines[number].is_blank:
        number += 1
    return number


def _part(lines: Sequence[TextLine], first: int, end: int) -> Block:
    return [(lines[first].start, lines[end - 1].end)], end


def _mail(lines: Sequence[TextLine], first: int) -> Block:
    """Header lines, one of who wrote it and one of its subject or an address."""
    begin = first + 1 if TITLED_DIVIDER.match(lines[first].text) else first
    end = begin
    while end < len(lines) and SPEAKER_LINE.match(lines[end].text):
        end += 1
    headers = lines[begin:end]
    names = [_header_name(line.text) for line in headers]
    told = any(ADDRESS.search(line.text) for line in headers)
    is_mail = told or not MAIL_SUBJECT.isdisjoint(names)
    if names[:1] and names[0] in MAIL_FROM and is_mail:
        return _part(lines, first, _mail_end(lines, end))
    return _mail_on_a_line(lines, first)


def _mail_on_a_line(lines: Sequence[TextLine], first: int) -> Block:
    """ "Look at this: From: T. Subject: …"."""
    line = lines[first]
    headers = list(INLINE_HEADER.finditer(line.text))
    names = [plain(header["name"]) for header in headers]
    senders = [n for n, name in enumerate(names) if name in MAIL_FROM]
    if senders and not MAIL_SUBJECT.isdisjoint(names[senders[0] + 1 :]):
        end = _paragraph_end(lines, first)
        return [(line.start + headers[senders[0]].start(), lines[end - 1].end)], end
    return NOTHING


def _header_name(text: str) -> str:
    found = SPEAKER_LINE.match(text)
    return plain(found["name"]) if found else ""


def _mail_end(lines: Sequence[TextLine], body: int) -> int:
    """The line after a mail: after its signature or before a line that divides.

    Else a question in a paragraph of its own at the end is the user's.
    """
    ends: list[int] = []
    number = first = _next_text(lines, body)
    while number < len(lines):
        end = _paragraph_end(lines, number)
        if DIVIDER.match(lines[number].text):
            return number
        if number > first and _is_signature(lines[number:end]):
            return end
        ends.append(end)
        last, number = number, _next_text(lines, end)
    if len(ends) > 1 and last + 1 == ends[-1] and is_question(lines[last].text):
        return ends[-2]
    return ends[-1] if ends else body


def _is_signature(lines: Sequence[TextLine]) -> bool:
    """A few short lines without the end of a sentence, as in "Best regards, / Tom"."""
    texts = [line.text.strip() for line in lines]
    return len(texts) <= MOST_SIGNATURE_LINES and all(
        len(text) <= LONGEST_SIGNATURE_LINE and not SIGNATURE_HAS_NO.search(text)
        for text in texts
    )


def _reported(lines: Sequence[TextLine], first: int) -> Block:
    """What follows a line such as "On Monday Ann wrote:", and this line."""
    line, number = lines[first].text.rstrip(), first
    if TIME.search(line) and first + 1 < len(lines) and not line.endswith((":", "：")):
        number, line = first + 1, lines[first + 1].text.rstrip()  # on two lines
    dated = bool(TIME.search(lines[first].text) and ADDRESS.search(line))
    if not line.endswith((":", "：")) or not (dated or _reports(line)):
        return NOTHING
    body = _next_text(lines, number + 1)
    if body == len(lines):
        return NOTHING
    _parts, end = _marked(lines, body)
    if not _parts:
        end = _mail_end(lines, body) if dated else _paragraph_end(lines, body)
    return _part(lines, first, end)


def _reported_here(lines: Sequence[TextLine], first: int) -> Block:
    """A line such as "Ann wrote: I'm vegan", where what is said is about who said it."""
    line = lines[first].text
    found = LEAD.match(line)
    said = found["rest"] if found else ""
    if not found or said[:1] in QUOTATION_MARKS or not _reports(found["lead"]):
        return NOTHING
    opening = SENTENCE_OR_LINE_END.split(said, maxsplit=1)[0]
    of_oneself = not OF_ONESELF.isdisjoint(tokens(plain(opening))) or "我" in opening
    return _part(lines, first, first + 1) if of_oneself else NOTHING


def _reports(lead: str) -> bool:
    """Whether the last clause says that another says something."""
    clause = CLAUSE_BREAK.split(lead.rstrip(" :：,，"))[-1]
    words = set(tokens(plain(clause)))
    if DENSE.search(clause):
        return bool(
            DENSE_REPORTING.search(clause) and not DENSE_FIRST_PERSON.match(clause)
        )
    return not REPORTING.isdisjoint(words) and FIRST_PERSON.isdisjoint(words)


def _marked(lines: Sequence[TextLine], first: int) -> Block:
    """Lines after a ">", unless it compares, as in "> 180"."""
    end = number = first
    while number < len(lines) and MARKED_LINE.match(lines[number].text):
        end = number + 1
        number = _next_text(lines, end)
    if all(COMPARED.match(line.text) for line in lines[first:end] if line.text.strip()):
        return NOTHING
    return _part(lines, first, end)


def _chat(lines: Sequence[TextLine], first: int) -> Block:
    """Lines after names, but those after "Me:"."""
    paragraph = lines[first : _paragraph_end(lines, first)]
    stamped = [STAMPED.match(line.text) for line in paragraph]
    turns = [
        is_stamped or LABELLED_LINE.match(line.text)
        for is_stamped, line in zip(stamped, paragraph, strict=True)
    ]
    if not turns or not turns[0]:
        return NOTHING
    end = max(number for number, turn in enumerate(turns, start=1) if turn)
    turns, said = turns[:end], [turn for turn in turns[:end] if turn]
    if not (stamped[0] or _is_talk(said)):
        return NOTHING
    parts, mine = [], False
    for line, turn in zip(paragraph, turns, strict=False):
        mine = plain(turn["name"]) in SELF if turn else mine
        if not mine:
            parts.append((line.start, line.end))
    return parts, first + end


def _is_talk(turns: Sequence[re.Match[str]]) -> bool:
    """Whether names and texts are a chat, not a list as in "Morning: ramipril"."""
    names = [plain(turn["name"]) for turn in turns]
    if len(names) < LEAST_TURNS or len(set(names)) == 1:
        return False
    again = len(set(names)) < len(names)
    return again or any(_is_spoken(turn["said"]) for turn in turns)


def _is_spoken(text: str) -> bool:
    asks = text.rstrip().endswith(("?", "!", "？", "！", "؟"))
    return asks or not PERSONAL.isdisjoint(tokens(plain(text)))


def _named_text(lines: Sequence[TextLine], first: int) -> Block:
    """What follows "What does this mail mean:", on its line or as a paragraph."""
    lead = LEAD.match(lines[first].text)
    if not lead or not _names_text(lead["lead"]):
        return NOTHING
    rest = lead["rest"].strip()
    if rest:
        if rest[0] in QUOTATION_MARKS or rest == LEFT_OUT or _is_short(rest):
            return NOTHING
        end = _paragraph_end(lines, first)
        return [(lines[first].start + lead.start("rest"), lines[end - 1].end)], end
    body = _next_text(lines, first + 1)
    if body == len(lines) or _mail(lines, body)[0] or _marked(lines, body)[0]:
        return NOTHING  # which is read as it is
    return _part(lines, body, _paragraph_end(lines, body))


def _names_text(lead: str) -> bool:
    clause = CLAUSE_BREAK.split(lead)[-1]
    words = set(tokens(plain(clause)))
    named = DENSE_TEXTS.search(clause) or not TEXTS.isdisjoint(words)
    return bool(named) and not unframed(lead).noted


def _is_short(text: str) -> bool:
    least = LONG_DENSE_QUOTATION // 4 if DENSE.search(text) else LEAST_WORDS
    return len(text if DENSE.search(text) else tokens(text)) < least


def _inline_code(text: str) -> Iterator[Part]:
    """Code in a line; a single word between its marks is the user's."""
    found = INLINE_CODE.finditer(text)
    return (code.span() for code in found if NO_WORD.search(code[1].strip()))


def _quotations(text: str) -> Iterator[Part]:
    """More than a sentence in quotation marks, or less that "She said:" to another."""
    for found in PAIRS.finditer(text):
        before = text[: found.start()]
        sentence = max(
            [end.end() for end in SENTENCE_OR_LINE_END.finditer(before)], default=0
        )
        lead = before[sentence:]
        introduced = lead.rstrip().endswith((":", "："))
        named = introduced and _names_text(lead.rstrip(" :："))
        told = introduced and _reports(lead) and not _addresses(found[0])
        if unframed(lead).noted or not (named or told or _is_long(found[0])):
            continue
        if _reports(lead):
            yield sentence + len(lead) - len(lead.lstrip()), found.end()
        elif FIRST_PERSON.isdisjoint(tokens(plain(lead))) or named:
            yield found.span()


def _addresses(quotation: str) -> bool:
    words = tokens(plain(quotation))
    return not SECOND_PERSON.isdisjoint(words) or not {*"你您"}.isdisjoint(quotation)


def _is_long(quotation: str) -> bool:
    if len(SENTENCE_END.findall(quotation)) > 1:
        return True
    if DENSE.search(quotation):
        return len(quotation) > LONG_DENSE_QUOTATION
    return len(tokens(quotation)) > LONG_QUOTATION
