"""What Ann stores at home nobody else gets, by any public function of memory."""

import inspect
import uuid
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import timedelta
from types import ModuleType

import numpy as np
import pytest
from django.utils import timezone

from meddie.ai import embeddings
from memory import journal, reembedding, vectors
from memory.capture import (
    deferred,
    forgetting,
    imports,
    message_edits,
    remember,
    store,
    worker,
)
from memory.capture.neighbours import Probe
from memory.capture.normalise import content_hash
from memory.capture.pending import Fact
from memory.capture.store import Nobody
from memory.models import Memory, MemoryLink
from memory.recall import large_scopes, recall, shelves, signals, sql
from memory.recall.rankings.chat import CHAT
from memory.recall.rankings.fused import FUSED
from memory.recall.signals import Signals
from memory.values import Candidate
from tests.factories import MemoryFactory
from tests.memory.conftest import said
from tests.memory.embedders import WIDE, WordEmbedder

pytestmark = pytest.mark.django_db
SECRET = "User is allergic to ibuprofen and lives in Gdynia"
HOME = "User lives in Gdynia"
OTHER_HOME = "User lives in LA"


def fact(scope, embedder, text=SECRET, **how):
    (vector,) = embedder.embed([text])
    return Fact(scope, Candidate(text), text, vector, embedder.model.name, said(**how))


def asked(embedder, text=SECRET):
    return recall.prepare_query(text, embedder=embedder)


def measured(scope, embedder):
    return signals.measure(scope, asked(embedder), shelves.MEMORIES, FUSED.columns)


def uuid_bytes(sent):
    return [uuid.UUID(bytes=sent[at : at + 16]) for at in range(0, len(sent), 16)]


def secrets():
    return list(Memory.objects.filter(content=SECRET).values_list("pk", flat=True))


def prepared(embedder, *texts):
    return remember.prepare_facts([Candidate(t) for t in texts], embedder=embedder)


CALLS = {
    "recall.recall": lambda s, e: recall.recall(s, asked(e)),
    "recall.recall literal": lambda s, e: recall.recall(
        s, asked(e), ranking="chat_literal"
    ),
    "recall.recall without vectors": lambda s, e: recall.recall(
        s, asked(embeddings.none())
    ),
    "recall.recall overview": lambda s, e: recall.recall(
        s, asked(e, "What do you know about me?")
    ),
    "recall.rank_shelf": lambda s, e: recall.rank_shelf(
        s, asked(e), shelves.MEMORIES, CHAT, gated=False
    ),
    "recall.recall fused": lambda s, e: recall.recall(s, asked(e), ranking="fused"),
    "recall.rank_shelf fused": lambda s, e: recall.rank_shelf(
        s, asked(e), shelves.MEMORIES, FUSED, gated=False
    ),
    "large_scopes.is_large": lambda s, e: large_scopes.is_large(s, shelves.MEMORIES),
    "large_scopes.narrowed": lambda s, e: large_scopes.narrowed(
        s, asked(e), shelves.MEMORIES
    ),
    "sql.rarest_terms": lambda s, e: sql.rarest_terms(
        s, asked(e, " ".join(f"word{n}" for n in range(13))).terms, shelves.MEMORIES
    ),
    "sql.full_distances": lambda s, e: list(
        sql.full_distances(s, asked(WordEmbedder(WIDE)), shelves.MEMORIES, secrets())
    ),
    "sql.measured_columns": lambda s, e: uuid_bytes(
        sql.measured_columns(s, asked(e), (), shelves.MEMORIES, ["ids"])["ids"]
    ),
    "sql.read_texts": lambda s, e: list(
        sql.read_texts(s, shelves.MEMORIES, secrets(), alike=0.8)
    ),
    "signals.measure": measured,
    "store.same_text": lambda s, e: store.same_text(s, content_hash(SECRET)),
    "store.look": lambda s, e: store.look(
        s,
        Probe(
            content_hash(SECRET),
            "'ibuprofen':* | 'liv':*",
            vector=vectors.vector_text(e.embed([SECRET])[0]),
            model="words",
        ),
    ),
    "store.own": lambda s, e: store.own(s, [Memory.objects.get(content=SECRET).pk]),
    "remember.known": lambda s, e: remember.known(fact(s, e)),
    "rivals of a fact": lambda s, e: fact(s, e, OTHER_HOME).rivals,
    "remember.settle": lambda s, e: remember.settle(
        s, prepared(e, SECRET).items[0], "words", said()
    ),
    "imports.import_facts": lambda s, e: list(
        imports.import_facts(
            s,
            [(Candidate(t), timezone.now()) for t in (SECRET, OTHER_HOME)],
            embedder=e,
        )
    ),
    "imports.commit_batch": lambda s, e: imports.commit_batch(
        s, prepared(e, SECRET), [timezone.now()]
    ),
    "remember.outdated": lambda s, e: remember.outdated(
        fact(s, e, OTHER_HOME, at=timezone.now() - timedelta(days=9))
    ),
    "remember.resembling": lambda s, e: remember.resembling(fact(s, e)),
    "remember.commit": lambda s, e: remember.commit(
        s, prepared(e, SECRET, HOME), said()
    ),
    "remember.remember": lambda s, e: remember.remember(
        s,
        [
            Candidate(OTHER_HOME, supersedes=Memory.objects.get(content=HOME).pk),
            Candidate(SECRET),
        ],
        said(),
        embedder=e,
    ),
    "remember.write": lambda s, e: remember.write(fact(s, e, OTHER_HOME), None),
    "forgetting.forget": lambda s, e: forgetting.forget(
        s, forgetting.prepare_forgetting([SECRET, HOME], embedder=e), said()
    ),
    "deferred.facts": lambda s, e: list(deferred.facts(s)),
    "message_edits.withdraw": lambda s, e: message_edits.withdraw(
        s, list(Memory.objects.values_list("source_message", flat=True))
    ),
    "store.lock": lambda s, e: store.lock(s),
    "visible_to": lambda s, e: list(Memory.objects.visible_to(s)),
}
NOT_OF_A_SCOPE = {
    "forgetting.retract": "takes a row, for staff",
    "forgetting.erase": "takes a row, for staff",
    "forgetting.blank_old_texts": "gives a count",
    "forgetting.prepare_forgetting": "touches no database",
    "worker.remember": "acts in the job's own scope",
    "worker.forget": "acts in the job's own scope",
    "worker.run_job": "acts in the job's own scope",
    "worker.sweep": "gives a count",
    "worker.enqueue_after_commit": "announces a job that it is given",
    "large_scopes.candidates_statement": "pure",
    "large_scopes.candidates_values": "pure",
    "sql.measure_statement": "pure",
    "sql.texts_statement": "pure",
    "sql.owner_values": "pure",
    "sql.query_values": "pure",
    "sql.vector_width": "pure",
    "large_scopes.mark_large_scopes": "gives a count",
    "signals.remeasure": "gives numbers, see below",
    "recall.prepare_query": "touches no database",
    "recall.ranking_of": "gives a setting of the space, and no row",
    "remember.filled": "fills a row that it is given",
    "remember.prepare_facts": "touches no database",
    "remember.record_decisions": "writes what it is given",
    "store.audit": "writes rows that it is given",
    "store.insert": "writes a row that it is given",
    "store.link": "writes rows that it is given",
    "store.owner": "gives the scope's own user",
    "store.refresh": "writes rows that it is given",
    "store.restore": "writes rows that it is given",
    "store.retire": "writes rows that it is given",
    "store.successor_stated_at": "takes a row of the scope",
    "store.supersede": "writes rows that it is given",
    "store.whole": "takes a row of the scope",
    "deferred.put": "writes what it is given",
    "deferred.candidates_of": "takes a job of the scope",
    "deferred.as_data": "pure",
    "deferred.from_data": "pure",
    "vectors.embed": "touches no database",
    "vectors.vector_text": "pure",
    "journal.record": "writes what it is given",
    "journal.as_data": "pure",
    "reembedding.reembed": "gives a count",
    "reembedding.reembed_rows": "gives a count, of rows that it is given",
    "reembedding.reembed_all": "gives a count",
}
MODULES = (
    large_scopes,
    remember,
    imports,
    forgetting,
    store,
    worker,
    deferred,
    vectors,
    message_edits,
    signals,
    recall,
    journal,
    reembedding,
    sql,
)


def public_functions(module: ModuleType):
    name = module.__name__.rpartition(".")[2]
    for function, value in vars(module).items():
        own = getattr(value, "__module__", "") == module.__name__
        if inspect.isfunction(value) and own and not function.startswith("_"):
            yield f"{name}.{function}"


def test_every_public_function_is_looked_at():
    there = {name for module in MODULES for name in public_functions(module)}
    looked_at = {name.partition(" ")[0] for name in CALLS} | set(NOT_OF_A_SCOPE)
    assert there <= looked_at
    assert {name for name in looked_at if "." in name} <= there


@pytest.fixture
def secret(tell):
    tell(SECRET, HOME, run_id=uuid.uuid4())
    return Memory.objects.get(content=SECRET)


def state_of(memories):
    return list(
        memories.order_by("pk").values(
            "pk", "content", "active", "stated_at", "confidence", "updated_at"
        )
    )


@pytest.mark.req("S0-07", "S0-08", "S0-09", "S0-29")
@pytest.mark.parametrize("who", ["same space", "other space", "no user"])
@pytest.mark.parametrize("call", list(CALLS))
def test_nobody_else_gets_or_changes_what_ann_stored(
    secret, scope, others, embedder, call, who
):
    other = others[["same space", "other space", "no user"].index(who)]
    mine = Memory.objects.filter(space_id=scope.space_id, user_id=scope.user_id)
    ids = {str(pk) for pk in mine.values_list("pk", flat=True)}
    before = state_of(mine)
    answer = None
    with suppress(Nobody) if who == "no user" else nullcontext():
        answer = CALLS[call](other, embedder)
    assert not ids & set(_ids_in(answer))
    assert state_of(mine) == before
    links = MemoryLink.objects.filter(memory__in=ids)
    assert set(links.values_list("user_id", "space_id")) == {
        (scope.user_id, scope.space_id)
    }


@pytest.mark.parametrize(
    "call", ["recall.recall", "signals.measure", "store.same_text", "remember.known"]
)
def test_ann_herself_gets_it(secret, scope, embedder, call):
    assert str(secret.pk) in set(_ids_in(CALLS[call](scope, embedder)))


def test_nobody_else_measures_anns_vectors_again(ann, home, scope, others):
    wide = WordEmbedder(WIDE)
    MemoryFactory(user=ann, space=home, content=SECRET, embedder=wide)
    right = measured(scope, wide)
    wrong = replace(right, cosines=right.cosines + 0.5)
    for whose, expected in ((scope, right), *((other, wrong) for other in others)):
        cosines = signals.remeasure(
            whose, asked(wide), shelves.MEMORIES, wrong, np.arange(1)
        ).cosines
        assert cosines == pytest.approx(expected.cosines)


def _ids_in(answer):
    """Every key that stands anywhere in an answer."""
    if isinstance(answer, uuid.UUID):
        yield str(answer)
    elif isinstance(answer, Memory):
        yield str(answer.pk)
    elif isinstance(answer, Signals):
        yield from (str(answer.key(place)) for place in range(len(answer.ids)))
    elif isinstance(answer, list | tuple | set):
        for item in answer:
            yield from _ids_in(item)
    elif hasattr(answer, "__dataclass_fields__"):
        for name in answer.__dataclass_fields__:
            yield from _ids_in(getattr(answer, name))
