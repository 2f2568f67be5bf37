"""How long one recall takes, beside others who do the same on this machine.

Every way embeds the message with the same model, asks for six rows of one user, and
takes its turn in every round. "Own statements" are Meddie's, run through psycopg after a
bare call of the model: what it could not do without.
"""

from functools import partial
from typing import Any

from benchmarks import rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from benchmarks.stores.bare import Bare, noted
from benchmarks.stores.chroma import Chroma
from benchmarks.stores.mem0 import Mem0
from benchmarks.stores.store import Store
from benchmarks.timing import Way, interleaved, ratio, spread
from meddie.ai.embeddings import LocalEmbedder
from memory.recall.recall import prepare_query, recall
from people.scope import Scope

SIZES = (100, 1_000, 10_000)
OTHERS = 50_000
OTHER_USERS = 2_000
ROUNDS = 60
LIMIT = 6
COMPARED = ("chat", "fused")
Rivals = dict[str, Store]


def run(scene: Scene) -> dict[str, Any]:
    """The figures for each size of the user's own store."""
    rivals: Rivals = {"mem0": Mem0(scene.folder), "chroma": Chroma(scene.folder)}
    base = rows.base()
    mine = dict(zip(SIZES, rows.scopes(len(SIZES)), strict=True))
    fill(rows.scopes(OTHER_USERS), OTHERS, base, rivals)
    for size, scope in mine.items():
        fill([scope], size, base, rivals)
    bare = Bare()
    sizes = {
        str(size): measure(ways(scope, bare, rivals)) for size, scope in mine.items()
    }
    return {"others": OTHERS, "rounds": ROUNDS, "sizes": sizes}


def fill(owners: list[Scope], count: int, base: rows.Matrix, rivals: Rivals) -> None:
    """The same facts for everybody who is compared, dealt out to their owners."""
    texts = facts(count, seed=count)
    vectors = rows.mixed(base, count, seed=count)
    rows.fill(owners, texts, vectors)
    for rival in rivals.values():
        rival.fill([str(owner.user_id) for owner in owners], texts, vectors)


def ways(scope: Scope, bare: Bare, rivals: Rivals) -> dict[str, Way]:
    """What is compared, by name."""
    asked = questions(ROUNDS + 5)
    user = str(scope.user_id)

    def meddie(ranking: str, embedder: LocalEmbedder, number: int) -> None:
        query = prepare_query(asked[number], embedder=embedder)
        recall(scope, query, ranking=ranking)

    made: dict[str, Way] = {}
    for ranking in COMPARED:
        made[ranking] = partial(meddie, ranking, LocalEmbedder())
        ask = partial(meddie, ranking, LocalEmbedder())
        known = [noted(partial(ask, number)) for number in range(len(asked))]
        made[f"{ranking}: own statements"] = partial(_replay, bare, asked, known)
    made["vectors in SQL"] = lambda number: bare.search(scope, asked[number], LIMIT)
    for name, rival in rivals.items():
        made[name] = partial(_search, rival, user, asked)
    return made


def _replay(bare: Bare, asked: list[str], known: Any, number: int) -> None:
    bare.replay(asked[number], known[number])


def _search(rival: Store, user: str, asked: list[str], number: int) -> None:
    rival.search(user, asked[number], LIMIT)


def measure(compared: dict[str, Way]) -> dict[str, Any]:
    """Milliseconds of every way, and Meddie's share of what it could not do without."""
    taken = interleaved(compared, ROUNDS)
    figures: dict[str, Any] = {name: spread(times) for name, times in taken.items()}
    for ranking in COMPARED:
        figures[ranking]["over own statements"] = ratio(
            taken[ranking], taken[f"{ranking}: own statements"]
        )
        for name in ("vectors in SQL", "mem0", "chroma"):
            figures[ranking][f"over {name}"] = ratio(taken[ranking], taken[name])
    return figures
