"""The structure: where relations, settings, streams and lookups may be."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from django.apps import apps

from tests.corpus import each_of

ROOT = Path(__file__).parent.parent
APPS = ("meddie", "people", "memory", "conversations")
BELOW = {
    "people": {"people", "auth"},
    "memory": {"memory", "people"},
    "conversations": {"conversations", "memory", "people"},
    "telegram": {"telegram", "conversations", "people"},
    "api": {"api", "conversations", "people"},
}
UPWARD = "memory.Memory.source_message"
SOURCES = [
    path
    for app in APPS
    for path in sorted((ROOT / app).rglob("*.py"))
    if "migrations" not in path.parts
]


def names(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)
    }


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_relations_point_downwards_except_one():
    upward = [
        str(field)
        for app, allowed in BELOW.items()
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if field.is_relation and field.related_model and not field.auto_created
        if field.related_model._meta.app_label not in allowed
    ]
    assert set(upward) == {UPWARD}


def test_constraints_and_indexes_have_unique_names():
    given = [
        (model._meta.db_table, thing.name)
        for app in BELOW
        for model in apps.get_app_config(app).get_models()
        for thing in [*model._meta.constraints, *model._meta.indexes]
    ]
    assert all(name and not name.startswith("%") for _, name in given)
    assert len({name for _, name in given}) == len(given)


def test_scopes_are_made_in_one_module():
    makers = [
        label(path)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Scope"
    ]
    assert set(makers) == {"people/scope.py"}


def test_no_module_has_a_catch_all_name():
    drawers = {"utils", "helpers", "common", "misc", "manager", "base"}
    found = [label(p) for p in SOURCES if p.stem in drawers]
    assert found == ["meddie/postgresql/base.py"]  # Django's name for a backend


OF_FRAMEWORKS = {
    *("admin", "apps", "backup", "checks", "formats", "forms", "probe", "tasks"),
    *("tombstones", "urls", "views"),
}
OF_EACH_ROOM = {"channel", "metrics", "prompts", "routes", "schema"}
OF_ONE_THING = {  # its rows, its rules and its pages
    *("api_keys", "calibration", "deletion", "episodes", "files", "inbox"),
    *("headings", "invitations", "older", "people", "programs", "relatives"),
    *("replies", "subjects", "summaries", "vectors"),
}


def test_modules_of_the_same_name_mean_the_same():
    counts = Counter(path.stem for path in SOURCES if path.stem != "__init__")
    repeated = {name for name, count in counts.items() if count > 1}
    assert repeated <= OF_FRAMEWORKS | OF_EACH_ROOM | OF_ONE_THING


def test_a_loop_variable_says_what_it_is():
    stored = [
        f"{label(path)}:{name.lineno}"
        for path in SOURCES
        for name in ast.walk(ast.parse(path.read_text()))
        if isinstance(name, ast.Name)
        and name.id == "one"
        and isinstance(name.ctx, ast.Store)
    ]
    assert not stored


def test_only_replies_and_downloads_make_streaming_responses():
    users = [label(p) for p in SOURCES if "StreamingHttpResponse" in names(p)]
    assert users == [
        "conversations/api/openai/views.py",
        "conversations/web/streams.py",
        "conversations/web/takeout/views.py",
    ]


def test_only_the_settings_read_the_environment_of_the_application():
    readers = [
        label(path)
        for path in SOURCES
        if {"environ", "getenv"} & names(path)
        if not label(path).startswith("meddie/embedded/")
    ]
    # They name the settings module or numpy's threads, and read no setting.
    entrances = {"meddie/__init__.py", "meddie/asgi.py", "meddie/celery.py"}
    allowed = {"meddie/environment.py", *entrances}
    assert set(readers) <= allowed


def called(path: Path) -> set[str]:
    """The last names of what a module calls."""
    calls = [
        n.func for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)
    ]
    return {ast.unparse(function).rpartition(".")[2] for function in calls}


ASSEMBLY = {
    "prepare_query",
    "recall_facts",
    "without_repetition",
    "without_texts_in",
    "with_facts",
    "Brief",
}


ENDS_OF_SENTENCES = re.compile(r"\[(?=[^]]*\.)(?=[^]]*!)(?=[^]]*\?)[^]]*\]")
FOR_DISPLAY = {"conversations/telegram/split.py"}
"""Parts of a long message are cut where a reader pauses; nothing is learnt from them."""


def ends_sentences(source: str) -> bool:
    """Whether a regular expression has an idea of its own where a sentence ends."""
    constants = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant))
    texts = (n.value for n in constants if isinstance(n.value, str))
    return any(map(ENDS_OF_SENTENCES.search, texts))


def test_one_place_reads_sentences():
    readers = {
        label(path)
        for path in SOURCES
        if not label(path).startswith("memory/wording/")
        and ends_sentences(path.read_text())
    }
    assert readers == FOR_DISPLAY


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        ('re.split(r"(?<=[.!?])\\s", text)', True),
        ('SENTENCE = re.compile(r"[^?!.]+")', True),
        ('re.compile(r"[,;]")', False),
        ('split_sentences("Is it? Yes!")', False),
    ],
)
def test_an_own_idea_of_a_sentence_is_recognised(source: str, ends: bool):
    assert ends_sentences(source) == ends


WRITERS = {
    "memory/facts/commit.py",
    "memory/facts/kind.py",
    "memory/facts/lore.py",
    "memory/facts/profile_facts.py",
    "memory/facts/sentences.py",
    "memory/facts/store.py",
}
"""What decides on a fact and stores it: `commit` and the kinds, which it alone calls."""
NO_FACTS = {
    "memory/admin_events.py": "a name for a fact that is gone",
    "memory/facts/message_capture.py": "unsaved rows, to be compared with others",
    "memory/recall/calibration.py": "rows of a measurement, which is rolled back",
    "memory/tombstones.py": "rows of what was forgotten before a restore",
}
STORING = {
    *("Memory", "ProfileFact", "CommunityMemory"),
    *("filled", "keep_as_history", "settle"),
}
INSERT = re.compile(
    r"store\.insert\w*|(?:kind|SENTENCES|PROFILE|LORE)\.store|(?:Memory|ProfileFact)\.objects\..*\b(?:bulk_)?create"
)


def stored_facts(source: str) -> set[str]:
    """Calls that make the row of a fact, or insert it."""
    calls = [n.func for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call)]
    inserted = filter(INSERT.fullmatch, map(ast.unparse, calls))
    return {*inserted, *(STORING & set(map(_called, calls)))}


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Name):
        return function.id
    return getattr(function, "attr", "")


def test_one_place_stores_new_facts():
    found = {
        label(path): stored_facts(path.read_text())
        for path in SOURCES
        if label(path) not in WRITERS | NO_FACTS.keys()
    }
    assert {name: calls for name, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    "source",
    [
        "Memory(content=text).save()",
        "Memory.objects.create(content=text)",
        "ProfileFact.objects.filter(a=1).bulk_create(rows)",
        "store.insert(row)",
        "kind.filled(fact)",
        "SENTENCES.store(fact, row, None, reason, is_new=True)",
        "settle(facts)",
        "CommunityMemory(content=text)",
    ],
)
def test_the_storing_of_a_fact_is_recognised(source):
    assert stored_facts(source)


def test_one_module_puts_together_what_a_prompt_knows():
    found = {
        label(path): steps
        for path in SOURCES
        if label(path).startswith("conversations/")
        if (steps := called(path) & {*ASSEMBLY, "recall"})
    }
    assert found == {
        "conversations/model_trial.py": {"Brief"},  # of no user
        "conversations/reply/known.py": ASSEMBLY - {"Brief"},
        "conversations/reply/prompt_place.py": {"Brief"},
        "conversations/reply/known_facts.py": {"recall"},
    }


def test_signals_are_not_used():
    receivers = [
        label(p) for p in SOURCES if {"receiver", "post_save", "pre_save"} & names(p)
    ]
    assert receivers == []


VIEWS = [path for path in SOURCES if "views" in path.parts or path.stem == "views"]
KEYS = {"pk", "id", "pk__in", "id__in"}
OWN = "request.user.pk"
UNSCOPED = {"all", "select_related", "select_for_update", "order_by", "defer", "only"}


def bare_lookups(source: str) -> list[str]:
    """Calls that look a row up by its key alone, past the scoped querysets."""
    return [
        ast.unparse(call)
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and any(k.arg in KEYS and ast.unparse(k.value) != OWN for k in call.keywords)
        and (_on_a_manager(call.func) or _of_a_model(call))
    ]


def _on_a_manager(method: ast.expr) -> bool:
    while isinstance(method, ast.Attribute):
        base = method.value
        if not isinstance(base, ast.Call):
            return isinstance(base, ast.Attribute) and base.attr == "objects"
        if not isinstance(base.func, ast.Attribute) or base.func.attr not in UNSCOPED:
            return False
        method = base.func
    return False


def _of_a_model(call: ast.Call) -> bool:
    is_shortcut = ast.unparse(call.func) == "get_object_or_404"
    return is_shortcut and isinstance(call.args[0], ast.Name)


def test_no_view_looks_a_row_up_by_its_key_alone():
    assert {path.parts[len(ROOT.parts)] for path in VIEWS} == {
        "people",
        "conversations",
    }
    assert {label(p): bare_lookups(p.read_text()) for p in VIEWS} == {
        label(p): [] for p in VIEWS
    }


@each_of(
    ("source", "is_bare"),
    [
        ("Person.objects.get(pk=pk)", True),
        ("Person.objects.filter(id=pk).first()", True),
        ("Person.objects.select_related('space').get(pk=pk)", True),
        ("get_object_or_404(Person, pk=pk)", True),
        ("Person.objects.in_space(space.pk).filter(pk=pk).first()", False),
        ("get_object_or_404(space.memberships, pk=pk)", False),
        ("get_object_or_404(User, pk=request.user.pk)", False),
        ("Membership.objects.filter(space=space)", False),
    ],
)
def test_lookups_by_key_alone_are_recognised(source: str, is_bare: bool):
    assert bool(bare_lookups(source)) is is_bare


def test_the_settings_stay_one_short_file():
    assert len((ROOT / "meddie/settings.py").read_text().splitlines()) <= 265


LONG_MODULES = {
    "conversations/models/message.py": "a row with its texts and querysets",
    "conversations/reply/block_changes.py": "what each key of the block does",
    "conversations/reply/basis.py": "what a message is, and what fits it best",
    "conversations/reply/confirmations.py": "all that lines ask, and each answer",
    "conversations/reply/remarks.py": "all that an answer without a model may quote",
    "conversations/api/mem0/routes.py": "every call of mem0's clients, one after another",
    "conversations/api/memories/schema.py": "what all calls about memories send",
    "conversations/telegram/process.py": "what becomes of an update, step by step",
    "memory/models/memory.py": "a row with its texts, queryset and indexes",
    "memory/values.py": "all arguments and results",
    "memory/service.py": "the front door names all verbs",
    "memory/wording/days.py": "dates and phrases for days, in one place",
    "memory/wording/frames.py": "the frames around a statement, each with its words",
    "memory/wording/named_people.py": "what each word of a text may name",
    "memory/wording/numbers.py": "numbers in all forms",
    "memory/wording/quoted_parts.py": "the forms of quotations",
    "memory/wording/text_values.py": "shapes of values",
}
"""Modules above 300 lines, which a cut would make harder to read; none has 400."""
DATA = "memory/wording/lexicon.py"


def test_modules_stay_short_and_long_ones_have_a_reason():
    lengths = {label(p): len(p.read_text().splitlines()) for p in SOURCES}
    del lengths[DATA]
    assert {name for name, n in lengths.items() if n > 300} == LONG_MODULES.keys()
    assert max(lengths.values()) <= 400


def test_templates_and_scripts_hold_no_inline_code():
    inline = re.compile(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", re.I)
    bad = [
        label(path)
        for path in (ROOT / "templates").rglob("*.html")
        if inline.search(path.read_text())
    ]
    assert bad == []
