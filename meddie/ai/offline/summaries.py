"""Summaries without a model: the lines of the user that say most."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from meddie.ai.events import ChatMessage, text_of

ROOM = 800  # characters
LONGEST_LINE = 200


def summarise(messages: Sequence[ChatMessage]) -> dict[str, str]:
    """The user's lines that say most, with their files, and the rarest words."""
    told = json.loads(text_of(messages[-1]))
    said = [m["text"] for m in told["messages"] if m["role"] == "user"]
    lines = (line for text in [*told["earlier"], *said] for line in text.splitlines())
    parts = list(dict.fromkeys(line[:LONGEST_LINE] for line in lines if line.strip()))
    words = [set(re.findall(r"\w{3,}", part.casefold())) for part in parts]
    seen = Counter(word for part_words in words for word in part_words)
    worth = {word: log(1 + len(parts) / seen[word]) for word in seen}
    left, chosen = set(range(len(parts))), set[int]()
    while left and sum(len(parts[n]) for n in chosen) < ROOM - LONGEST_LINE:
        best = max(sorted(left), key=lambda n: sum(worth[word] for word in words[n]))
        left.remove(best)
        if not any(worth[word] for word in words[best]):
            break
        chosen.add(best)
        worth |= dict.fromkeys(words[best], 0)
    kept = [parts[n] for n in sorted(chosen)]
    return {"summary": "\n".join(kept), "topic": _label(kept, seen)}


def _label(parts: Sequence[str], seen: Mapping[str, int]) -> str:
    """Three words: long ones are rare in any language, repeated ones are the topic."""
    text = re.sub(r"(?m)^\[\w+#\w+\]", "", "\n".join(parts))
    found = [word.casefold() for word in re.findall(r"\b[^\W\d_]{4,}\b", text)]
    worth = {word: len(word) * (1 + log(seen[word])) for word in found}
    return ", ".join(sorted(worth, key=lambda word: -worth[word])[:3])
