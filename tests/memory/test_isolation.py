"""No door of memory gives other users, or other spaces, what Ann stored at home."""

import inspect
import uuid
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.models import Message
from meddie.ai import embeddings
from memory import service
from memory.episodes import move_run
from memory.exports import exported_facts
from memory.facts import resolve, store
from memory.facts.imports import import_facts
from memory.facts.store import NoOwner
from memory.models import Memory, MemoryLink, MemoryPolicy, ProfileFact
from memory.recall import recall as reading
from memory.recall.lists import retired_facts
from memory.recall.recall import prepare_query
from memory.subjects import NO_HOUSEHOLD, Subject
from memory.values import Candidate, ImportedFact, ProfileCandidate
from people.scope import Scope
from tests.conversations import transcripts
from tests.factories import MemoryFactory, ProfileFactFactory
from tests.memory.conftest import remember_profile, said
from tests.memory.embedders import WIDE, WordEmbedder
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db
SECRET = "User is allergic to ibuprofen and lives in Gdynia"
HOME = "User lives in Gdynia"
OTHER_HOME = "User lives in LA"
FORMER = "User drove taxis"
OVERVIEW = "What do you know about me?"


def recall(scope, text=SECRET, **how):
    return service.recall(scope, service.prepare_query(text), **how)


def remember(scope, *facts, **how):
    return service.remember(
        scope, service.prepare_facts(facts, NO_HOUSEHOLD), said(**how)
    )


def forget(scope, *sentences):
    return service.forget_stated(scope, service.prepare_forgetting(sentences), said())


def withdraw(scope):
    return service.withdraw(
        scope, Memory.objects.filter(content=SECRET).values_list("source_message")
    )


def apply_answer(scope):
    """Apply an answer about rows that were read elsewhere."""
    home = Memory.objects.get(content=HOME, user__name="Ann")
    secret = Memory.objects.get(content=SECRET, user__name="Ann")
    comparison = resolve.Comparison([home], [secret])
    verdict = resolve.Verdict(**ruling("ignore"))
    store.lock(scope)
    return resolve.carry_out(scope, comparison, [verdict])


DOORS = {
    "recall": recall,
    "recall: literal ranking": lambda scope: recall(scope, ranking="chat_literal"),
    "recall: fused ranking": lambda scope: recall(scope, ranking="fused"),
    "recall: ranked": lambda scope: recall(scope, ranking="ranked"),
    "search": lambda scope: service.search(scope, SECRET),
    "near": lambda scope: service.near(scope, SECRET),
    "recall: overview": lambda scope: recall(scope, OVERVIEW),
    "recall: memories of the last reply": lambda scope: service.recall(
        scope,
        replace(
            service.prepare_query("tea"),
            carried=frozenset(Memory.objects.values_list("pk", flat=True)),
        ),
    ),
    "newest": lambda scope: reading.newest(scope, 10),
    "keys": service.keys,
    "seen_facts": lambda scope: list(service.seen_facts(scope)),
    "explain": lambda scope: service.explain(
        scope,
        service.prepare_query(SECRET),
        policy=MemoryPolicy.objects.of(scope.space_id),
        ranking="chat",
    ),
    "recall: by words": lambda scope: service.recall(
        scope, prepare_query(SECRET, embedder=embeddings.none()), ranking="fused"
    ),
    "remember": lambda scope: remember(scope, Candidate(SECRET), Candidate(HOME)),
    "remember: nearly the same": lambda scope: remember(
        scope, Candidate(f"{SECRET} indeed")
    ),
    "remember: an earlier statement": lambda scope: remember(
        scope, Candidate(SECRET), at=timezone.now() - timedelta(days=9)
    ),
    "remember: in place of a memory": lambda scope: remember(
        scope, Candidate(OTHER_HOME, supersedes=Memory.objects.get(content=HOME).pk)
    ),
    "import": lambda scope: list(
        import_facts(scope, [ImportedFact(Candidate(SECRET), timezone.now())])
    ),
    "forget_stated": lambda scope: forget(scope, SECRET),
    "forget_stated: nearly the same": lambda scope: forget(scope, f"{SECRET} indeed"),
    "forget: by key": lambda scope: service.forget(
        scope, [Memory.objects.get(content=SECRET, user__name="Ann").pk]
    ),
    "forget: undo": lambda scope: service.forget(
        scope,
        [
            *Memory.objects.values_list("pk", flat=True),
            *ProfileFact.objects.values_list("pk", flat=True),
        ],
        undo=True,
    ),
    "forget: everything": lambda scope: service.forget(scope, None),
    "restore": lambda scope: service.restore(
        scope, list(Memory.objects.values_list("pk", flat=True))
    ),
    "correct": lambda scope: service.correct(
        scope,
        Memory.objects.get(content=SECRET, user__name="Ann").pk,
        service.prepare_facts([Candidate(OTHER_HOME)], NO_HOUSEHOLD),
    ),
    "correct: a profile fact": lambda scope: service.correct(
        scope,
        ProfileFact.objects.get(user__name="Ann").pk,
        service.prepare_facts([Candidate("Bob")], NO_HOUSEHOLD),
    ),
    "erase": lambda scope: service.erase(
        scope,
        [
            *Memory.objects.values_list("pk", flat=True),
            *ProfileFact.objects.values_list("pk", flat=True),
        ],
    ),
    "assign": lambda scope: service.assign(
        scope,
        [
            *Memory.objects.values_list("pk", flat=True),
            *ProfileFact.objects.values_list("pk", flat=True),
        ],
        Subject("mother"),
    ),
    "stated_only_in": lambda scope: service.stated_only_in(
        scope, list(Message.objects.values_list("pk", flat=True))
    ),
    "withdraw": withdraw,
    "move_run": lambda scope: move_run(
        scope,
        set(
            Memory.objects.exclude(source_message=None).values_list(
                "source_message", flat=True
            )
        ),
        uuid.uuid4(),
    ),
    "exported_facts": lambda scope: list(exported_facts(scope)),
    "retired": retired_facts,
    "profile": reading.profile,
    "remember_profile": lambda scope: remember_profile(
        scope, [ProfileCandidate("identity", "name", "Bob")], said()
    ),
    "forget_stated: a profile fact": lambda scope: forget(scope, "name: Ann"),
    "resolve": lambda scope: resolve.read_comparison(
        scope, list(Memory.objects.values_list("pk", flat=True))
    ),
    "resolve: an answer for read rows": apply_answer,
    "visible_to": lambda scope: list(Memory.objects.visible_to(scope)),
    "owned_by": lambda scope: list(Memory.objects.owned_by(scope)),
}
"""What a scope can do with memories."""
WITHOUT_MEMORIES = {
    "count": "returns a number",
    "keep_apart": "writes an event",
    "older_read": "is tried in test_older_facts.py, as is the next",
    "settle_older": "needs facts that a job has read",
    "relatives_like": "is tried in test_relatives.py, as are the next",
    "join_relative": "needs a relative and a person",
    "join_person": "needs two people",
    "remember_episode": "stores a row of its own",
    "capture_episode": "stores jobs, which the worker runs in its scope",
    "journal": "stores a line of the scope's user",
    "capture_later": "stores a job, which the worker runs in its scope",
    "record_unreadable_block": "writes an event",
    "record_failure": "writes an event",
}


def test_every_door_that_takes_a_scope_is_tried():
    takes_scope = {
        name
        for name, function in inspect.getmembers(service, inspect.isfunction)
        if function.__module__ == service.__name__
        if Scope in inspect.get_annotations(function).values()
    }
    tried = {name.partition(":")[0] for name in DOORS} | WITHOUT_MEMORIES.keys()
    assert takes_scope <= tried


@pytest.fixture(params=["narrow", "wide"])
def secret(request, ann, home, monkeypatch):
    """Ann's facts, embedded with short or with long vectors; their keys."""
    embedder = WordEmbedder(WIDE) if request.param == "wide" else WordEmbedder()
    monkeypatch.setattr(embeddings, "current_embedder", lambda: embedder)
    conversation = transcripts.start_conversation(ann, home)
    message = transcripts.say(conversation, "user", SECRET)
    for text in (SECRET, HOME):
        MemoryFactory(
            user=ann,
            space=home,
            content=text,
            source_message=message,
            embedder=embedder,
        )
    former = MemoryFactory(user=ann, space=home, content=FORMER, embedder=embedder)
    former.retire(Memory.RetiredReason.RETRACTED)
    ProfileFactFactory(user=ann, space=home, key="name", value="Ann")
    rows = (*Memory.objects.all(), *ProfileFact.objects.all())
    return {str(row.pk) for row in rows}


def state():
    """All that can be seen of Ann's rows and links."""
    rows = Memory.objects.filter(content__in=[SECRET, HOME], user__name="Ann")
    home = rows.filter(space__name="Home").order_by("pk")
    links = MemoryLink.objects.filter(memory__in=home).order_by("pk")
    facts = ProfileFact.objects.filter(user__name="Ann", space__name="Home")
    return list(home.values()), list(links.values()), list(facts.values())


WHO = ["same space", "other space", "external user", "no user"]


@pytest.mark.req("S0-07", "S0-08", "S0-09", "S0-29", "S1-35")
@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("door", list(DOORS))
def test_other_scopes_neither_get_nor_change_what_ann_stored(secret, others, door, who):
    other = others[WHO.index(who)]
    before = str(state())
    answer = None
    with suppress(NoOwner) if who == "no user" else nullcontext():
        answer = DOORS[door](other)
    assert not secret & set(_ids_in(answer))
    assert str(state()) == before


@pytest.mark.parametrize("door", list(DOORS))
def test_ann_herself_gets_or_changes_it(secret, scope, door):
    before = str(state())
    answer = DOORS[door](scope)
    assert secret & set(_ids_in(answer)) or str(state()) != before


def _ids_in(answer):
    """Every key anywhere in an answer."""
    if isinstance(answer, uuid.UUID):
        yield str(answer)
    elif isinstance(answer, Memory):
        yield str(answer.pk)
    elif isinstance(answer, dict):
        yield from _ids_in(list(answer.values()))
    elif isinstance(answer, list | tuple | set):
        for item in answer:
            yield from _ids_in(item)
    elif hasattr(answer, "__dataclass_fields__"):
        for name in answer.__dataclass_fields__.keys() - {"proposal"}:  # what was sent
            yield from _ids_in(getattr(answer, name))
