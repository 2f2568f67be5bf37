"""`manage.py import_facts`: exports of other assistants."""

import json
import os
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from memory.models import Memory
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEA, CATS = "User likes tea", "User keeps two cats"


@pytest.fixture(autouse=True)
def member():
    return MembershipFactory(user__email="ann@example.com")


@pytest.fixture
def bring(tmp_path, capsys):
    """Import a document or text; returns what the command says."""

    def bring(document, **options):
        file = tmp_path / "memories"
        text = document if isinstance(document, str) else json.dumps(document)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (MARCH.timestamp(), MARCH.timestamp()))
        call_command("import_facts", file, user="ann@example.com", **options)
        return capsys.readouterr().out.strip()

    return bring


def stored():
    return dict(Memory.objects.active().values_list("content", "stated_at"))


def open_webui(text, at=MARCH, **how):
    seconds = int(at.timestamp())
    entry = {"id": text, "user_id": "u", "content": text, "updated_at": seconds}
    return entry | {"created_at": seconds} | how


def mem0(text, **how):
    dates = {"created_at": "2026-03-01T04:00:00.5-08:00", "updated_at": None}
    return {"id": "1", "memory": text, "metadata": {}, "user_id": "ann"} | dates | how


def test_open_webui_memories_have_the_dates_of_their_last_change(bring):
    entries = [open_webui(TEA, created_at=0), open_webui(CATS)]
    assert bring(entries) == "2 add"
    assert stored() == {TEA: MARCH, CATS: MARCH}
    assert bring(entries) == "2 ignore (duplicate)"


@pytest.mark.parametrize("wrap", [list, lambda entries: {"results": entries}])
def test_mem0_memories_are_imported(bring, wrap):
    document = wrap([mem0(TEA), mem0(CATS, updated_at="2026-04-01T00:00:00Z")])
    assert bring(document) == "2 add"
    assert stored()[TEA] == MARCH.replace(microsecond=500_000)
    assert stored()[CATS] == datetime(2026, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize("wrap", [list, lambda entries: {"memories": entries}])
def test_enabled_memories_of_chatgpt_are_imported(bring, wrap):
    off = {"content": "User sails", "enabled": False}
    dated = {"content": CATS, "enabled": True, "created_at": "2026-04-01T00:00:00Z"}
    assert bring(wrap([{"content": TEA}, off, dated])) == "2 add"
    assert stored() == {TEA: MARCH, CATS: datetime(2026, 4, 1, tzinfo=UTC)}


def test_copied_lines_of_chatgpt_have_the_date_of_the_file(bring):
    text = f"- {TEA}\n\n• {CATS}\r\n"
    assert bring(text, format="chatgpt") == "2 add"
    assert stored() == {TEA: MARCH, CATS: MARCH}
    assert bring(text, format="chatgpt") == "2 ignore (duplicate)"


def test_conversations_of_chatgpt_have_a_command_of_their_own(bring):
    with pytest.raises(CommandError, match="with `import_conversations`"):
        bring([{"title": "Tea", "mapping": {}}])


@pytest.mark.parametrize(
    "entry",
    [
        *(3, {}, {"memory": TEA}, open_webui(TEA) | {"content": 3}),
        *(
            open_webui(TEA, updated_at=date)
            for date in (1e99, -1e99, "soon", "2026-13-45T99:00", [1], True)
        ),
        open_webui(TEA, updated_at=None, created_at=None),
    ],
)
def test_a_malformed_entry_is_named_and_nothing_is_stored(bring, entry):
    if isinstance(entry, dict):
        entry = {"user_id": "u"} | entry
    with pytest.raises(CommandError, match=r"^Entry 2 is no memory with a date\.$"):
        bring([open_webui(TEA), entry])
    assert not stored()


def test_an_entry_of_before_1900_is_refused(bring):
    with pytest.raises(CommandError, match="Entry 1 is dated before 1900"):
        bring([mem0(TEA, created_at="1800-01-01T00:00:00Z")])


def test_memories_of_several_users_are_refused(bring):
    with pytest.raises(CommandError, match="several users"):
        bring([open_webui(TEA), open_webui(CATS, user_id="other")])
    assert not stored()


@pytest.mark.parametrize("document", [[3], [{"name": TEA}], [[]]])
def test_an_unknown_list_is_refused(bring, document):
    with pytest.raises(CommandError, match="name it with --format"):
        bring(document)


@pytest.mark.parametrize("name", ["mem0", "openwebui", "chatgpt"])
def test_a_named_format_is_the_one_that_is_read(bring, name):
    with pytest.raises(CommandError, match=r"^The file has no list of memories\.$"):
        bring({"text": TEA, "stated_at": MARCH.isoformat()}, format=name)


def test_an_empty_list_has_no_facts(bring):
    assert bring([], format="mem0") == "0 facts"


def test_text_that_postgresql_refuses_is_cleaned(bring):
    assert bring([open_webui("User likes\x00 tea \ud800")]) == "1 add"
    assert list(stored()) == [f"{TEA} \ufffd"]


def test_deep_nesting_is_refused_in_one_sentence(bring):
    with pytest.raises(CommandError, match="none of the files that Meddie knows"):
        bring("[" * 100_000)
