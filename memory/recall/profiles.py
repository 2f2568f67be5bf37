"""Named ways of ranking what was found."""

from dataclasses import dataclass

from memory.recall import fusion

LIMIT = 6


@dataclass(frozen=True, slots=True)
class Profile:
    """Weights of the two signals, and what is kept.

    `literal` is S0 to the letter: PostgreSQL's own ts_rank for the keyword signal, one
    gate for every model, no floors. `fused` has an arithmetic of its own, which looks at
    speakers, neighbours and sessions too, and goes on by words without a vector.
    """

    name: str
    cosine_weight: float = 0.7
    keyword_weight: float = 0.3
    limit: int = LIMIT
    literal: bool = False
    fused: bool = False
    gate: float | None = None


CHAT_LITERAL = Profile("chat_literal", literal=True, gate=0.35)
CHAT = Profile("chat")
FUSED = Profile("fused", fusion.COSINE, fusion.KEYWORD, fused=True)
PROFILES = {profile.name: profile for profile in (CHAT, CHAT_LITERAL, FUSED)}
