"""What a search measured, made up."""

import uuid
from collections.abc import Sequence
from typing import Any

import numpy as np

from memory.recall.signals import Measured


def measured(cosines: Sequence[float | None], **columns: Sequence[Any]) -> Measured:
    """A row for each cosine; the numbers of `ids` are 1, 2, 3 unless others are given."""
    count = len(cosines)
    numbers = columns.pop("ids", range(1, count + 1))
    values = {name: np.array(values) for name, values in columns.items()}
    none = np.zeros(count, np.int64)
    return Measured(
        ids=np.frombuffer(b"".join(uuid.UUID(int=n).bytes for n in numbers), "V16"),
        cosines=np.array(cosines, np.float64),
        **{"fresh": none == 0, "words": none, "days": none, "stated_at": none} | values,
    )
