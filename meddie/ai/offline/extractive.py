"""Summaries from the sentences with the rarest words, in their order; titles."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from meddie.ai.events import ChatMessage, text_of

ROOM = 800  # characters
LONGEST = 200
_SENTENCE = r"(?<=[.!?…。])\s+|\n+"


def summarise(messages: Sequence[ChatMessage]) -> dict[str, str]:
    told = json.loads(text_of(messages[-1]))
    texts = [*told["earlier"], *(f"{m['role']}: {m['text']}" for m in told["messages"])]
    parts = [part[:LONGEST] for text in texts for part in re.split(_SENTENCE, text)]
    words = [set(re.findall(r"\w{3,}", part.casefold())) for part in parts]
    seen = Counter(word for one in words for word in one)
    worth = {word: log(1 + len(parts) / seen[word]) for word in seen}
    left, chosen = set(range(len(parts))), set[int]()
    while left and sum(len(parts[n]) for n in chosen) < ROOM - LONGEST:
        best = max(sorted(left), key=lambda n: sum(worth[word] for word in words[n]))
        left.remove(best)
        if not any(worth[word] for word in words[best]):
            break
        chosen.add(best)
        worth |= dict.fromkeys(words[best], 0)
    return {"summary": " ".join(parts[n] for n in sorted(chosen))}


def title(messages: Sequence[Mapping[str, object]]) -> str:
    lines = text_of(messages[-1]).splitlines() if messages else []
    line = next((line for line in lines if line[:1] not in {"", "<"}), "")
    return re.split(_SENTENCE, line)[0].rstrip(".,;:!? ") or "Conversation"
