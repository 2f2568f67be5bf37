"""Leave out of old texts what states a retired fact, or no more than a known one."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import pairwise

from memory.wording.reading import Reading, reading_of
from memory.wording.splitting import sentence_places
from memory.wording.words import denies, forms_of, forms_of_stem, shared_stems


def includes(fuller: Reading, thinner: Reading) -> bool:
    """Whether all words and details of the thinner one are in the fuller one."""
    shared = shared_stems(thinner.stems, fuller.stems)
    return len(shared) == len(thinner.stems) > 0 and thinner.details <= fuller.details


def may_state(sentence: Reading, fact: Reading) -> bool:
    """Whether the fact may be read in the sentence. When in doubt it may."""
    denied = denies(sentence.text, fact.stems)
    return includes(sentence, fact) and not (
        not sentence.negated if fact.negated else denied
    )


def repeats(sentence: Reading, fact: Reading) -> bool:
    """Whether the sentence says no more than the fact. When in doubt it does."""
    same = (sentence.negated, sentence.relations) == (fact.negated, fact.relations)
    return same and includes(fact, sentence)


class StatementIndex:
    """Facts by the forms of their words, read once for many texts.

    `facts` maps each to the time until which it held, or to None.
    """

    def __init__(self, facts: Mapping[str, datetime | None]) -> None:
        self._facts = facts
        self._sizes: dict[str, int] = {}
        self._by_stem: dict[str, set[str]] = defaultdict(set)
        self._by_form: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for fact in facts:
            stems = reading_of(fact).stems
            self._sizes[fact] = len(stems)
            for stem in stems:
                self._by_stem[stem].add(fact)
                for form in forms_of_stem(stem):
                    self._by_form[form].add((fact, stem))

    def told_in(self, text: str, since: datetime | None = None) -> list[str]:
        """Facts that held at least until `since` and have all their words in the text."""
        if not self._facts:
            return []
        stems = reading_of(text).stems
        found = {pair for stem in stems for pair in self._by_form.get(stem, ())}
        for form in forms_of(stems):
            found.update((fact, form) for fact in self._by_stem.get(form, ()))
        words = Counter(fact for fact, _ in found)
        return [
            fact
            for fact, count in words.items()
            if count == self._sizes[fact] and self._held(fact, since)
        ]

    def with_words_of(self, sentence: str) -> set[str]:
        """Facts that have all words of the sentence."""
        stems = reading_of(sentence).stems
        found = set(self._facts) if stems else set()
        for stem in stems:
            found &= self._with_stem(stem)
            if not found:
                break
        return found

    def _with_stem(self, stem: str) -> set[str]:
        facts = {fact for fact, _ in self._by_form.get(stem, ())}
        return facts.union(*(self._by_stem.get(f, ()) for f in forms_of_stem(stem)))

    def _held(self, fact: str, since: datetime | None) -> bool:
        until = self._facts[fact]
        return since is None or until is None or until >= since


def without_retired(
    text: str, facts: StatementIndex, said_at: datetime | None = None
) -> str:
    """The text without the sentences that state a fact retired since `said_at`."""
    told = facts.told_in(text, said_at)
    if not told:
        return text

    def states_one(sentence: str) -> bool:
        parts = map(reading_of, {sentence, *reading_of(sentence).clauses})
        return any(may_state(part, reading_of(fact)) for part in parts for fact in told)

    return _without(text, states_one)


def without_known(text: str, facts: StatementIndex) -> str:
    """The text without the sentences of which each part says no more than a fact."""

    def is_known(part: str) -> bool:
        return any(
            repeats(reading_of(part), reading_of(f)) for f in facts.with_words_of(part)
        )

    def says_no_more(sentence: str) -> bool:
        return any(all(map(is_known, parts)) for parts in _readings(sentence))

    return _without(text, says_no_more)


def _without(text: str, drops: Callable[[str], bool]) -> str:
    """The text without these sentences; empty if no content word remains."""
    places = sentence_places(text)
    kept = [place for place in places if not drops(text[slice(*place)])]
    if kept == places:
        return text
    ends = [0, *(end for _, end in places[:-1]), len(text)]
    whole = dict(zip(places, pairwise(ends), strict=True))  # with what is between them
    rest = "".join(text[slice(*whole[place])] for place in kept).strip()
    return rest if reading_of(rest).stems else ""


def _readings(sentence: str) -> set[tuple[str, ...]]:
    """The sentence as a whole, and as the clauses that say something."""
    parts = tuple(
        part for part in reading_of(sentence).clauses if reading_of(part).stems
    )
    return {(sentence,), parts} - {()}
