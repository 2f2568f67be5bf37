"""A file of another assistant, imported on the memory page after a preview."""

import io
import json
import re
import tracemalloc
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from conversations.web.memory_page import importing
from meddie.ai import embeddings
from memory.import_formats import InvalidImport
from memory.models import CaptureJob, Memory, ProfileFact
from memory.reasons import Reason
from people.scope import scope_for
from tests.conversations.attachments.documents import archive
from tests.conversations.attachments.hostile import MEGABYTE, lying
from tests.conversations.exports.records import APPLE, BOMB
from tests.conversations.test_exported_messages import conversation, node
from tests.conversations.web.memory_page.listing import FACT, groups
from tests.factories import ProfileFactFactory
from tests.hostile_json import filled
from tests.limits import limit_to

ZEROS = bytes(110 * MEGABYTE)
CLOSED = "The file is damaged."
LARGE = "What the zip file holds is too large."
MUCH = "The file holds too much."
HOSTILE = {
    "bzip2 that states 100 bytes": (lambda: lying(zipfile.ZIP_BZIP2, ZEROS), CLOSED),
    "LZMA that states 100 bytes": (lambda: lying(zipfile.ZIP_LZMA, ZEROS), CLOSED),
    "deflate that states 100 bytes": (
        lambda: lying(zipfile.ZIP_DEFLATED, ZEROS),
        LARGE,
    ),
    "bzip2": (lambda: lying(zipfile.ZIP_BZIP2, b"{}", stated=2), CLOSED),
    "zeros": (lambda: archive({"conversations.json": ZEROS}), LARGE),
    "zeros in parts": (
        lambda: archive({f"{n}.jsonl": bytes(30 * MEGABYTE) for n in range(4)}),
        LARGE,
    ),
    "zeros as XML": (lambda: archive({"record.xml": ZEROS}), LARGE),
    "entities": ((BOMB + APPLE.partition("]>")[2]).encode, "declarations"),
    "much that is remembered": (
        lambda: json.dumps([{"conversations_memory": "Tea. " * MEGABYTE}]).encode(),
        MUCH,
    ),
    "many values in a zip file": (
        lambda: archive({"conversations.json": filled(b"{},", 60 * MEGABYTE)}),
        MUCH,
    ),
    "many values": (lambda: filled(b"{},", 20 * MEGABYTE), MUCH),
    "a long list": (lambda: filled(b'"User likes tea",', 6 * MEGABYTE), MUCH),
    "many short lines": (lambda: b"a\n" * MEGABYTE, MUCH),
    "long lines": (lambda: b"tea " * (6 * MEGABYTE // 4), MUCH),
}

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views
TEA = "User likes tea"


@pytest.fixture
def bring(anns):
    """Send a document, text or zip file; the answer."""

    def bring(
        document,
        name="memories.json",
        *,
        confirm=False,
        take=(),
        client=anns,
        answers=(),
        **options,
    ):
        if not isinstance(document, bytes | str):
            document = json.dumps(document)
        content = document if isinstance(document, bytes) else document.encode()
        sent = {"file": SimpleUploadedFile(name, content), "take": list(take)}
        sent |= dict(answers)
        if confirm:
            sent["confirm"] = "1"
        return client.post("/memory/import", sent, follow=True, **options)

    return bring


def open_webui(*texts):
    return [
        {"user_id": "u", "content": text, "updated_at": 1_700_000_000} for text in texts
    ]


def previewed(answer):
    return {
        group.label: [f"{line.text} {line.why}".strip() for line in group.lines]
        for group in answer.context["outcomes"]
    }


def offered(answer):
    """What may be taken anyway."""
    return re.findall(r'name="take" value="([^"]+)"', answer.text)


def packed(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(f"export/{name}")  # always of the same time
            archive.writestr(entry, text)
    return buffer.getvalue()


def export(*messages):
    nodes, parent = [], "root"
    for number, text in enumerate(messages):
        nodes.append(node(str(number), "user", text, parent=parent))
        parent = str(number)
    return [conversation(*nodes)]


def test_preview_tells_what_would_become_of_each_fact_and_stores_nothing(
    bring, anns, remembered, fact
):
    forgotten = remembered("User takes aspirin")
    anns.post(f"/memory/{forgotten.pk}/forget")
    texts = (TEA, FACT, "User takes aspirin", "My PIN is 1234")
    shown = previewed(bring(open_webui(*texts)))
    assert shown == {
        "New": ["Likes tea"],
        "Known already": ["Is allergic to penicillin"],
        "Left out": [
            f"Takes aspirin {Reason.RETRACTED.label}",
            f"My PIN is 1234 {Reason.SECRET.label}",
        ],
    }
    assert groups(anns) == {"You": ["Is allergic to penicillin"]}


def test_another_allergy_is_new_although_a_sentence_on_allergies_was_erased(
    bring, anns, remembered
):
    erased = remembered("User asks to list the allergies", embedder=embeddings.local())
    anns.post(f"/memory/{erased.pk}/forget")
    walnuts = open_webui("Is allergic to walnuts", "User has allergies to list")
    assert list(previewed(bring(walnuts))) == ["New"]
    bring(walnuts, confirm=True)
    same = open_webui("User is allergic to walnuts")
    assert list(previewed(bring(same))) == ["Known already"]


def test_forgotten_fact_is_taken_line_by_line(bring, anns, remembered):
    for text in ("User takes aspirin", "User keeps bees"):
        anns.post(f"/memory/{remembered(text).pk}/forget")
    file = open_webui("User takes aspirin", "User keeps bees", "My PIN is 1234")
    assert offered(bring(file)) == ["User takes aspirin", "User keeps bees"]
    take = ["User takes aspirin", "My PIN is 1234"]
    again = bring(file, take=take)
    assert previewed(again)["New"] == ["Takes aspirin"]
    assert again.text.count(" checked") == 1
    done = bring(file, take=take, confirm=True)
    assert "1 thing imported. 2 were left out." in done.text
    assert groups(anns) == {"You": ["Takes aspirin"]}
    assert list(previewed(bring(file))) == ["Known already", "Left out"]


def test_statement_that_reads_like_a_question_can_be_taken(bring, anns):
    file = open_webui("What am I allergic to? Penicillin?")
    (key,) = offered(bring(file))
    bring(file, take=[key], confirm=True)
    assert Memory.objects.active().get().content == key


def test_forgotten_key_of_the_profile_can_be_taken(bring, anns, ann, home):
    name = ProfileFactFactory(user=ann, space=home, key="name", value="Anna")
    anns.post(f"/memory/{name.pk}/forget")
    fact = {"category": "identity", "key": "Name", "value": "Anna"}
    line = json.dumps(fact | {"stated_at": "2026-03-01T00:00:00Z"})
    (key,) = offered(bring(line))
    bring(line, take=[key], confirm=True)
    assert ProfileFact.objects.active().get().value == "Anna"


def test_newer_value_of_the_profile_is_shown_as_a_change(bring, ann, home):
    ProfileFactFactory(user=ann, space=home, key="name", value="Anna")
    newer = {"category": "identity", "key": "name", "value": "Kate"}
    line = json.dumps(newer | {"stated_at": timezone.now().isoformat()})
    assert previewed(bring(line)) == {"Changed": ["Name: Kate"]}
    bring(line, confirm=True)
    assert ProfileFact.objects.active().get().value == "Kate"


def test_confirmed_file_is_stored_with_its_dates(bring, anns, ann, home):
    answer = bring(open_webui(TEA, "User keeps two cats"), confirm=True)
    assert answer.redirect_chain == [("/memory", 302)]
    assert "2 things imported." in answer.text
    rows = Memory.objects.order_by("content")
    assert {(row.user, row.space, row.origin) for row in rows} == {
        (ann, home, "import")
    }
    assert rows[0].stated_at.year == 2023
    assert "0 things imported." in bring(open_webui(TEA), confirm=True).text


@pytest.mark.parametrize(
    ("document", "name"),
    [
        (
            {"results": [{"memory": TEA, "created_at": "2026-03-01T00:00:00Z"}]},
            "a.json",
        ),
        (f"- {TEA}\n", "memories.txt"),
        ({"memories": [{"content": TEA}]}, "chatgpt.json"),
        (
            packed(
                **{
                    "memories.jsonl": json.dumps(
                        {"text": TEA, "stated_at": "2026-03-01T00:00:00Z"}
                    )
                }
            ),
            "meddie.zip",
        ),
    ],
)
def test_files_of_mem0_chatgpt_and_meddie_are_read(bring, document, name):
    assert previewed(bring(document, name)) == {"New": ["Likes tea"]}


class TestConversations:
    """ChatGPT's conversations, which a model reads in the background."""

    def test_zip_file_of_its_export_is_counted_then_left_to_workers(self, bring, ann):
        file = packed(
            **{"conversations.json": json.dumps(export("I like tea", "And cats"))}
        )
        answer = bring(file, "export.zip")
        assert "2 of 2 messages that you wrote were not imported yet." in answer.text
        assert not CaptureJob.objects.exists()
        done = bring(file, "export.zip", confirm=True)
        assert "Meddie is reading 2 messages." in done.text
        assert {job.user for job in CaptureJob.objects.all()} == {ann}
        again = bring(file, "export.zip")
        assert "The file brings nothing new." in again.text
        assert 'name="confirm"' not in again.text

    def test_page_says_what_it_costs_here(self, bring, settings):
        file = packed(**{"conversations.json": json.dumps(export("I like tea"))})
        settings.OPENAI_API_KEY, settings.MODEL_SLOTS = "", None
        assert "it costs nothing" in bring(file, "export.zip").text
        settings.OPENAI_API_KEY = "key"
        settings.OPENAI_BASE_URL = "http://127.0.0.1:11434/v1"
        assert "Your own model" in bring(file, "export.zip").text
        settings.OPENAI_BASE_URL = "https://models.example/v1"
        assert "one request, for which the provider may" in bring(file, "e.zip").text

    def test_newest_messages_come_first_where_there_are_many(self, bring, monkeypatch):
        monkeypatch.setattr(importing, "MOST_MESSAGES", 1)
        later = timezone.now() - timedelta(days=1)
        nodes = [
            node("1", "user", "I like tea", parent="root"),
            node("2", "user", "I like coffee", parent="1", at=later),
        ]
        bring([conversation(*nodes)], confirm=True)
        assert CaptureJob.objects.get().payload["text"] == "I like coffee"


class TestRefusals:
    @pytest.mark.parametrize(
        ("document", "told"),
        [
            ([{"name": "x"}], "none of the files that Meddie knows"),
            ("hello", "none of the files that Meddie knows"),
            (b"\x89PNG\x00\x01\x02", "This file is no text."),
            (packed(a="b"), "none of the files that Meddie knows"),
            (packed(a="b")[:40], "This file is no text."),
            ([], "The file brings nothing new."),
        ],
    )
    def test_file_that_brings_nothing_says_why(self, bring, document, told):
        answer = bring(document, "file")
        assert told in answer.text
        assert 'name="confirm"' not in answer.text

    def test_refusal_is_shown_in_the_open_page(self, bring):
        answer = bring("hello", headers={"HX-Request": "true"})
        assert answer.headers["HX-Retarget"] == "#import-preview"
        assert "<main" not in answer.text

    def test_large_files_are_refused(self, bring, monkeypatch):
        monkeypatch.setattr(importing, "MOST_FACTS", 1)
        told = "The file has more than 1 facts. Bring a part of it."
        assert told in bring(open_webui(TEA, FACT)).text

    @pytest.mark.parametrize("kind", HOSTILE)
    def test_hostile_file_costs_the_web_process_next_to_nothing(self, ann, home, kind):
        make, told = HOSTILE[kind]
        file = SimpleUploadedFile("export.zip", make())
        scope = scope_for(ann, home.pk, channel="import")
        tracemalloc.start()
        try:
            with pytest.raises(InvalidImport, match=told):
                importing.read_file(scope, file)
            assert tracemalloc.get_traced_memory()[1] < 5 * MEGABYTE
        finally:
            tracemalloc.stop()

    def test_imports_of_a_day_are_counted(self, bring, monkeypatch):
        limit_to(monkeypatch, "IMPORTS", 1)
        bring(open_webui(TEA))
        answer = bring(open_webui(TEA), confirm=True)
        assert answer.status_code == 429
        assert not Memory.objects.exists()

    def test_with_memory_off_there_is_no_import(self, anns, ann, bring):
        ann.memory_on = False
        ann.save()
        assert "/memory/import" not in anns.get("/memory").text
        assert anns.get("/memory/import").status_code == 404
        assert bring(open_webui(TEA), confirm=True).status_code == 404

    def test_import_of_bob_is_his_own(self, bring, bobs, bob, anns):
        bring(open_webui(TEA), confirm=True, client=bobs)
        assert Memory.objects.get().user == bob
        assert groups(anns) == {}
