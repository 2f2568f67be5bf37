"""All rankings by name."""

from memory.recall.rankings.chat import CHAT, CHAT_LITERAL
from memory.recall.rankings.fused import FUSED
from memory.recall.rankings.ranking import Ranking

RANKINGS: dict[str, Ranking] = {r.name: r for r in (CHAT, CHAT_LITERAL, FUSED)}
