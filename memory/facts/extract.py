"""Ask the model for the facts that a message states."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from meddie.ai.background import answer_of
from meddie.ai.client import Endpoint
from meddie.ai.configured import configured
from meddie.ai.provider import extraction_provider
from meddie.ai.slots import is_own
from meddie.moments import told_moment
from memory import prompts
from memory.facts.deferred import Line
from memory.judgement.judge import judge_sentences
from memory.reasons import Reason
from memory.subjects import Household
from memory.values import ProfileCandidate, ProfileLine
from memory.wording.dialogue import is_off_record, lasting, with_confirmed
from memory.wording.evidence import Quote, has_value, is_literal, refusal_of
from memory.wording.frames import clauses_told
from memory.wording.guards import repeats_example
from memory.wording.wishes import is_wish, unwanted
from memory.wording.words import content_tokens, grounded, stems_of

EXTRACTION_SCHEMA = "memory_extraction"
MAX_TOKENS = 1500
NAMING_WORDS = 2  # content words of a request that names what to forget
Share = Annotated[float, Field(ge=0, le=1)]


def _valid_entries(schema: type[BaseModel]) -> Callable[[Any], Any]:
    """Drop malformed entries; a list without a valid one is malformed."""

    def keep(entries: Any) -> Any:
        if not isinstance(entries, list):
            return entries
        valid = [entry for entry in entries if _is_valid(schema, entry)]
        return valid or entries

    return keep


def _is_valid(schema: type[BaseModel], entry: Any) -> bool:
    try:
        schema.model_validate(entry)
    except ValidationError:
        return False
    return True


def _sentences(entries: Any) -> list[str]:
    """The texts of a list; nothing of what is malformed, as it is optional."""
    listed = entries if isinstance(entries, list) else []
    return [entry for entry in listed if isinstance(entry, str)]


def _lines(entries: Any) -> list[str]:
    return [entries] if isinstance(entries, str) else _sentences(entries)


def _or_stated(mode: Any) -> Any:
    return mode or "stated"


class Quoted(BaseModel):
    """What the model says of a fact. Old and weak models leave it out."""

    evidence: str = ""
    mode: Annotated[
        Literal["stated", "asked", "supposed", "quoted", "joke"],
        BeforeValidator(_or_stated),
    ] = "stated"
    about: str = ""

    @property
    def quote(self) -> Quote:
        return Quote(self.evidence, self.mode, self.about)


def _text_or_nothing(value: Any) -> str:
    return value if isinstance(value, str) else ""


StatedTime = Annotated[str, BeforeValidator(_text_or_nothing)]


class ExtractedFact(Quoted):
    text: str
    kind: str = "other"
    confidence: Share = 1.0
    valid_from: StatedTime = ""
    valid_until: StatedTime = ""


class ExtractedProfileFact(Quoted):
    category: str
    key: str
    value: str
    confidence: Share = 1.0
    importance: Share = 0.5
    correction: bool = False


class Extraction(BaseModel):
    facts: Annotated[
        list[ExtractedFact], BeforeValidator(_valid_entries(ExtractedFact))
    ]
    profile_facts: Annotated[
        list[ExtractedProfileFact],
        BeforeValidator(_valid_entries(ExtractedProfileFact)),
    ] = []
    forgets: Annotated[list[str], BeforeValidator(_sentences)] = []
    memory_line: Annotated[list[str], BeforeValidator(_lines)] = []

    @model_validator(mode="before")
    @classmethod
    def _read_sentences(cls, answer: Any) -> Any:
        """Accept a list of sentences as `memories` (S1-20)."""
        if not isinstance(answer, dict) or "facts" in answer:
            return answer
        memories = answer.get("memories")
        if not isinstance(memories, list):
            return answer
        return answer | {"facts": [{"text": sentence} for sentence in memories]}


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, and what is known before it. `stated_at` is in the user's time zone."""

    text: str
    stated_at: datetime
    household: Household
    context: Sequence[Line] = ()
    known: Sequence[str] = ()
    profile: Sequence[ProfileLine] = ()

    @property
    def confirmed(self) -> str:
        """The message; after a yes, the assistant's question comes before it."""
        replies = [text for role, text in self.context if role == "assistant"]
        return with_confirmed(self.text, replies[-1] if replies else "")

    @property
    def before(self) -> str:
        """The last two messages before it."""
        return "\n".join(text for _, text in self.context[-2:])

    @property
    def asking_to_forget(self) -> str:
        """The sentences that ask to forget something."""
        judged = judge_sentences(self.text)
        return " ".join(judgement.text for _, judgement in judged if is_wish(judgement))

    @property
    def may_teach(self) -> bool:
        """False if the message only asks, and nothing is to be forgotten."""
        if is_off_record(self.text):
            return False
        return bool(
            self.asking_to_forget
            or self.confirmed != self.text
            or any(map(stems_of, clauses_told(self.text)))
        )

    def refusal_of(self, fact: str, quote: Quote) -> Reason | None:
        """Why the message does not state the fact; None if it does."""
        if self._is_of_prompt(fact, quote):
            return Reason.OF_PROMPT
        if self.confirmed != self.text:
            return None if grounded(fact, self.confirmed) else Reason.UNGROUNDED
        return refusal_of(
            fact,
            self.text,
            quote,
            earlier="\n".join(text for _, text in self.context),
            stated_at=self.stated_at,
        )

    def _is_of_prompt(self, fact: str, quote: Quote) -> bool:
        """Whether a model repeats its instructions instead of the message."""
        said = "\n".join([self.text, *(text for _, text in self.context), *self.known])
        if repeats_example(f"{fact}\n{quote.evidence}", said):
            return True
        literal = is_literal(quote.evidence, prompts.EXTRACTION)
        return literal and not is_literal(quote.evidence, said)

    def profile_candidate(self, fact: ExtractedProfileFact) -> ProfileCandidate:
        data = fact.model_dump(exclude=set(Quoted.model_fields))
        withheld = self.refusal_of(fact.value, fact.quote)
        # A value may be of common words, as in "she/her"; an empty one is refused as such.
        is_said = not fact.value.strip() or has_value(fact.value, self.confirmed)
        if withheld == Reason.UNGROUNDED and is_said:
            withheld = None
        if fact.quote.of_another:
            withheld = Reason.ABOUT_ANOTHER
        return ProfileCandidate(**data, withheld=withheld)

    def wishes(self, proposed: Sequence[str]) -> list[str]:
        """The known sentences among them that the message asks to forget.

        "Forget that" is about the sentences and the messages before it.
        """
        asking = self.asking_to_forget
        if asking and len(content_tokens(asking)) < NAMING_WORDS:
            asking = f"{self.before}\n{self.text}"
        known = {*self.known, *(line.text for line in self.profile)}
        return [fact for fact in proposed if fact in known and grounded(fact, asking)]

    def in_own_words(self) -> Extraction:
        """What is extracted without a model."""
        facts = [
            ExtractedFact(text=sentence, evidence=sentence)
            for sentence in lasting(self.text, self.household)
        ]
        known = [*self.known, *(line.text for line in self.profile)]
        before = next((text for role, text in self.context[::-1] if role == "user"), "")
        return Extraction(facts=facts, forgets=unwanted(self.text, known, before))

    def document(self) -> dict[str, object]:
        return {
            "message": self.text,
            "stated_at": told_moment(self.stated_at),
            "context": [{"role": role, "text": text} for role, text in self.context],
            "known": [{"n": n, "text": text} for n, text in enumerate(self.known, 1)],
            "profile": [
                {"category": line.category, "key": line.key, "value": line.value}
                for line in self.profile
            ],
        }


def takes_own_words() -> bool:
    """Whether the user's own words are kept where nothing of an answer is accepted.

    With a model of a server of one's own.
    """
    connected = extraction_provider().connected
    return connected and is_own(Endpoint.for_extraction().base_url)


def ask_extractor(heard: Heard, *, for_space: bool = False) -> Extraction:
    """`for_space` asks for a line for all members, too. Raises AIErrors of `Provider.ask`.

    Without a model the answer is the user's own words.
    """
    provider = extraction_provider()
    if not provider.connected:
        return heard.in_own_words()
    asking = provider.ask(
        Extraction,
        prompts.extraction(heard.document(), for_space=for_space),
        name=EXTRACTION_SCHEMA,
        model=configured().extraction_model,
        max_tokens=MAX_TOKENS,
    )
    return answer_of(provider, asking)
