"""All rankings by name."""

from memory.recall.rankings.chat import CHAT, CHAT_LITERAL
from memory.recall.rankings.episodes import EPISODES
from memory.recall.rankings.fused import FUSED
from memory.recall.rankings.ranked import RANKED
from memory.recall.rankings.ranking import Ranking
from memory.recall.rankings.strict_semantic import STRICT_SEMANTIC

RANKINGS: dict[str, Ranking] = {
    ranking.name: ranking
    for ranking in (CHAT, CHAT_LITERAL, EPISODES, FUSED, RANKED, STRICT_SEMANTIC)
}
