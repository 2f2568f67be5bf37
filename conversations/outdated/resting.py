"""Whether the text of an answer rests on something that it was given."""

from collections.abc import Sequence

from pydantic import BaseModel

from conversations import prompts
from meddie.ai.background import answer_of
from meddie.ai.provider import current_provider
from memory.wording.sentences import split_sentences
from memory.wording.words import shared_stems, stems_of

LEAST_OF_FILE = 2  # words of one line of a file; "Results" alone says nothing
ASKED_AT_ONCE = 10  # answers in a question
LONGEST_ANSWER = 1500  # characters of an answer in a question


class Using(BaseModel):
    """The numbers of answers."""

    answers: list[int]


def shares_words(text: str, answer: str, least: int = 1) -> bool:
    """Whether the answer has half of the content words and numbers of a sentence of it."""
    told = stems_of(answer)
    for sentence in split_sentences(text):
        stems = stems_of(sentence)
        shared = len(shared_stems(stems, told))
        if shared >= least and shared * 2 >= len(stems):
            return True
    return False


def asked_which_rest(known: str, answers: Sequence[str]) -> list[bool]:
    """What a model says of each answer. Raises the AIErrors of `Provider.ask`."""
    provider = current_provider()
    rests: list[bool] = []
    for start in range(0, len(answers), ASKED_AT_ONCE):
        part = [
            text[:LONGEST_ANSWER] for text in answers[start : start + ASKED_AT_ONCE]
        ]
        question = prompts.using(known, part)
        asking = provider.ask(Using, question, name="answers_using", max_tokens=200)
        named = set(answer_of(provider, asking).answers)
        rests += [n in named for n in range(1, len(part) + 1)]
    return rests
