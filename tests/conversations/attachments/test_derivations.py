"""A sent file is read by a job: its texts, its state, its search rows."""

import base64
import io
import json

import pytest
from django.urls import reverse
from django.utils import timezone
from PIL import Image, ImageDraw, ImageFont

from conversations.attachments.in_prompt import surrogate
from conversations.attachments.problems import account, problem
from conversations.models import AttachmentText, DerivationJob
from conversations.models.attachment import attachment_storage
from conversations.reply.revise import edit
from meddie import ocr
from meddie.jobs import registry
from meddie.jobs.job import CRASHES_ALLOWED
from memory.models import CaptureJob, Memory, MemoryEvent
from tests.conversations.attachments import fake_tesseract
from tests.conversations.attachments.documents import docx, pdf, picture, pptx, xlsx
from tests.conversations.attachments.sent import read, send, texts_of
from tests.factories import UserFactory
from tests.meddie.ai.test_recordings import MINUTE, wav
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)

POLISH = (
    "W poniedziałek kupiłem żółtą łódź, a później zjadłem gęś z jabłkami i śliwkami."
)
FRENCH = "Le garçon a mangé une crème brûlée à Noël, où il était déjà passé."
RUSSIAN = "Понедельник прошёл хорошо: купили жёлтую лодку, потом ужинали дома."
PAGE = b"""<html><head><title>x</title></head><body><h1>Costs</h1>
<p>Tea is <b>3</b>.<script>run()</script></p></body></html>"""
INSTALLED_IN = ocr.PLACES
INSTALLED = ocr.find_tesseract()
LINES_OF_PHOTO = (
    "Discharge letter of Anna Nowak",
    "Medicines: metoprolol in the morning",
    "Allergies: penicillin",
)
LETTER = b"# Shopping\n\nBuy oats and tea.\n\n# Travel\n\nFly to Lisbon in May.\n"


def page_photo(turn):
    """A page that is turned."""
    page = Image.new("RGB", (900, 300), "white")
    font = ImageFont.load_default(40)
    for number, line in enumerate(LINES_OF_PHOTO):
        ImageDraw.Draw(page).text((40, 30 + 80 * number), line, "black", font)
    file = io.BytesIO()
    page.rotate(turn, expand=True).save(file, "PNG")
    return file.getvalue()


@pytest.mark.req("S2-10", "S2-22")
def test_text_is_cut_into_embedded_parts_with_their_places(message):
    file = read(message, "letter.md", LETTER)
    assert (file.state, file.error) == ("done", "")
    parts = AttachmentText.objects.filter(attachment=file, kind="chunk")
    assert [(p.number, p.total, p.place) for p in parts.order_by("number")] == [
        (1, 2, "Shopping"),
        (2, 2, "Travel"),
    ]
    assert all(p.searchable and p.embedding_model != "none" for p in parts)
    assert DerivationJob.objects.get().state == "done"


def test_file_that_cannot_be_read_fails_with_a_reason(message):
    file = read(message, "a.html", b"<html><script>run()</script></html>")
    assert (file.state, file.error) == ("failed", "no_text")
    assert DerivationJob.objects.get().state == "dead"


def test_texts_are_not_found_elsewhere_while_memory_is_off(message):
    message.conversation.remember = False
    message.conversation.save()
    file = read(message, "letter.md", LETTER)
    assert texts_of(file) != []
    assert not file.texts.filter(searchable=True).exists()


@pytest.mark.req("S2-05")
def test_surrogate_is_the_name_until_the_file_is_described(message):
    file = send(message, "letter.md", LETTER)
    assert surrogate(file) == "[document#A1] letter.md"


SEEN = {"short": "A ginger cat", "detail": "It sleeps on a red sofa.", "text": "MILO"}


@pytest.fixture
def provider(openai_server):
    """A model that sees a cat in each picture and sums up each document."""

    def answer(body):
        asked = json.dumps(body)
        if "image_url" in asked:
            return says(json.dumps(SEEN))
        return says(json.dumps({"summary": "A shopping list."}))

    openai_server.titles.default = answer
    return openai_server


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.txt", POLISH.encode("cp1250"), [("", POLISH)]),
        ("b.txt", FRENCH.encode("cp1252"), [("", FRENCH)]),
        ("c.txt", RUSSIAN.encode("cp1251"), [("", RUSSIAN)]),
        ("d.txt", "Tea and oats".encode("utf-16"), [("", "Tea and oats")]),
        ("a.csv", b"what,price\ntea,3\noats,2\n", [("rows 2-3", "tea,3")]),
        (
            "a.html",
            PAGE,
            [("Costs", "Tea is 3 .")],
        ),
        ("a.pdf", pdf(["Tea", "", "Oats"]), [("page 1", "Tea"), ("page 3", "Oats")]),
        (
            "a.docx",
            docx([("Heading1", "Costs"), ("Normal", "Tea & oats")]),
            [("Costs", "Tea & oats")],
        ),
        (
            "a.pptx",
            pptx([["Costs", "Tea"], ["Thanks"]]),
            [("slide 1", "Costs\nTea"), ("slide 2", "Thanks")],
        ),
        (
            "a.xlsx",
            xlsx({"Costs": [["what", "price"], ["tea", "3"]], "Empty": []}),
            [("sheet Costs, rows 2-2", "tea, 3")],
        ),
    ],
    ids=[
        "cp1250",
        "cp1252",
        "cp1251",
        "utf-16",
        "csv",
        "html",
        "pdf",
        "docx",
        "pptx",
        "xlsx",
    ],
)
@pytest.mark.req("S2-49")
def test_document_is_read_cut_and_summed_up(message, provider, name, data, expected):
    file = read(message, name, data)
    assert (file.state, file.error) == ("done", "")
    parts = file.texts.filter(kind="chunk").order_by("number")
    assert len(parts) == len(expected)
    for part, (place, text) in zip(parts, expected, strict=True):
        assert part.place == place
        assert text in part.content
    assert texts_of(file, "file_summary") == ["A shopping list."]
    assert surrogate(file) == "[document#A1] A shopping list."


def test_long_table_repeats_its_head_and_names_its_rows(message):
    rows = "\n".join(f"tea {n},{n}" for n in range(2, 400))
    file = read(message, "a.csv", f"what,price\n{rows}".encode())
    parts = list(file.texts.filter(kind="chunk").order_by("number"))
    assert len(parts) > 3
    assert all(part.content.startswith("what,price\n") for part in parts)
    assert parts[0].place.startswith("rows 2-")
    assert parts[-1].place.endswith("-399")


@pytest.mark.req("S2-47")
def test_picture_is_described_and_read_by_the_vision_model(message, provider, settings):
    settings.VISION_MODEL = "test-vision"
    file = read(message, "a.png", picture())
    assert texts_of(file, "vision_short") == [SEEN["short"]]
    assert texts_of(file, "vision_detail") == [SEEN["detail"]]
    assert texts_of(file, "ocr") == [SEEN["text"]]
    assert texts_of(file, "caption") == [message.content]
    assert surrogate(file) == "[image#A1] A ginger cat"
    [request] = provider.titles.requests
    assert request.body["model"] == "test-vision"
    assert request.body["messages"][0]["content"][1]["type"] == "image_url"
    assert request.body["response_format"]["json_schema"]["name"] == "image_description"


def test_picture_is_sent_upright_and_small_and_without_exif(message, provider):
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "SECRET place"  # turned by 90 degrees
    read(message, "a.jpg", picture((4000, 1000), "JPEG", exif=exif))
    [request] = provider.titles.requests
    url = request.body["messages"][0]["content"][1]["image_url"]["url"]
    sent = base64.b64decode(url.partition(",")[2])
    assert Image.open(io.BytesIO(sent)).size == (512, 2048)
    assert b"SECRET" not in sent


def test_page_without_text_is_read_as_a_picture(message, provider):
    file = read(message, "scan.pdf", pdf(["", ""]))
    parts = file.texts.filter(kind="chunk").order_by("number")
    assert [(p.place, p.content) for p in parts] == [
        ("page 1", "MILO"),
        ("page 2", "MILO"),
    ]


@pytest.mark.req("S2-56")
def test_recording_is_transcribed_in_the_language_that_is_heard(message, provider):
    file = read(message, "voice", b"OggS sound")
    assert texts_of(file, "transcript") == ["Buy oats and tea."]
    assert surrogate(file) == "[audio#A1] Buy oats and tea."
    assert texts_of(file, "file_summary") == []
    form = provider.transcriptions.requests[0].body["form"]
    assert b'name="language"' not in form
    assert b'filename="audio.ogg"' in form


@pytest.mark.req("S3-70")
@pytest.mark.parametrize(
    ("answer", "error"), [(fails(401), "wrong_key"), (says(""), "no_speech")]
)
def test_recording_that_is_not_transcribed_leaves_one_event(
    message, provider, answer, error
):
    provider.transcriptions.default = lambda _body: answer
    file = read(message, "voice", b"OggS sound")
    DerivationJob.objects.update(available_at=timezone.now())
    registry.run("files", DerivationJob.objects.get().pk)
    event = MemoryEvent.objects.get()
    assert (event.kind, event.user_id) == ("voice_error", file.user_id)
    assert event.data == {"error": error, "file": str(file.pk)}
    assert event.texts == {}


LONG = " ".join(f"On day {n} we walked {n + 5} miles." for n in range(200))


@pytest.mark.req("S2-56")
def test_long_recording_is_cut_into_parts_and_summed_up(message, provider):
    provider.transcriptions.queue(says(LONG))
    file = read(message, "walks.mp3", b"ID3 sound")
    parts = list(file.texts.filter(kind="transcript").order_by("number"))
    assert [(part.number, part.total) for part in parts] == [
        (number, len(parts)) for number in range(1, len(parts) + 1)
    ]
    assert len(parts) > 3
    assert " ".join(part.content for part in parts) == LONG
    assert all(part.searchable and part.embedding_model != "none" for part in parts)
    assert texts_of(file, "file_summary") == ["A shopping list."]
    assert surrogate(file) == "[audio#A1] A shopping list."
    [asked] = provider.titles.requests
    assert "On day 150 we walked" in asked.body["messages"][1]["content"]


def test_parts_of_a_long_recording_are_one_transcript(message, provider):
    provider.transcriptions.queue(says("We met."), says("We parted."))
    file = read(message, "a.wav", wav(20 * MINUTE))
    assert texts_of(file, "transcript") == ["We met. We parted."]


def test_recording_that_the_provider_does_not_take_is_refused_by_name(
    message, provider
):
    file = read(message, "a.aac", b"\xff\xf1\x50\x80" + bytes(99))
    assert "takes recordings only as MP3" in problem(file)
    assert provider.transcriptions.requests == []


@pytest.mark.req("S2-47")
def test_long_text_in_a_picture_is_cut_into_parts(message, provider):
    seen = says(json.dumps(SEEN | {"text": LONG}))
    provider.titles.queue(seen)
    file = read(message, "a.png", picture())
    assert len(texts_of(file, "ocr")) > 3
    assert " ".join(texts_of(file, "ocr")) == LONG
    assert texts_of(file, "file_summary") == []


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (picture(), "needs_ocr"),
        (b"ID3 sound", "needs_provider"),
        (pdf([""]), "needs_ocr"),
    ],
)
def test_file_that_needs_a_provider_is_kept_and_read_once_there_is_one(
    message, data, reason, request
):
    file = read(message, "a", data)
    assert (file.state, file.error) == ("failed", reason)
    assert "only with a model provider" in problem(file)
    assert texts_of(file, "caption") == [message.content]
    assert not file.texts.filter(embedding_model="none").exists()
    assert DerivationJob.objects.get().state == "done"
    registry.do_each(registry.DAILY)
    assert DerivationJob.objects.get().state == "done"
    request.getfixturevalue("provider")
    registry.do_each(registry.DAILY)
    registry.run("files", DerivationJob.objects.get().pk)
    file.refresh_from_db()
    assert (file.state, file.error) == ("done", "")
    assert file.texts.filter(searchable=True).exists()


def test_recording_is_not_read_by_a_provider_that_has_no_transcription(
    message, provider
):
    provider.transcriptions.queue(fails(404))
    file = read(message, "a.mp3", b"ID3 sound")
    assert (file.state, file.error) == ("failed", "unsupported")
    assert "provider can’t read this kind of file" in problem(file)
    assert DerivationJob.objects.get().state == "done"


class TestTesseract:
    def test_rows_are_lines_and_words_that_are_not_clear_are_left_out(
        self, message, monkeypatch, tmp_path
    ):
        words = [
            *(
                (0, 10, "Ferritin"),
                (0, 40, "Iron"),
                (200, 12, "12"),
                (200, 41, "56", 80),
            ),
            *((0, 80, "Allergies:"), (110, 81, "penicillin"), (0, 120, "xyz", 30)),
        ]
        places = fake_tesseract.install(tmp_path, *words)
        monkeypatch.setattr(ocr, "PLACES", places)
        file = read(message, "a.png", picture())
        told = "Ferritin  12\nIron  …\nAllergies: penicillin"
        assert (file.state, texts_of(file, "ocr")) == ("done", [told])
        assert account(file) == (
            "Read: 3 lines. Not read: picture (some words, which are not clear enough)"
        )

    def test_picture_is_read_again_with_its_own_language_first(
        self, message, monkeypatch, tmp_path
    ):
        words = [(0, 0, "Czy"), (60, 0, "nie"), (120, 0, "jest"), (180, 0, "$*")]
        places = fake_tesseract.install(tmp_path, *words)
        monkeypatch.setattr(ocr, "PLACES", places)
        [text] = texts_of(read(message, "a.png", picture()), "ocr")
        assert "-l pol+eng" in text

    def test_picture_in_which_little_is_clear_has_no_text(
        self, message, monkeypatch, tmp_path
    ):
        words = [(0, 0, "Sun"), (0, 30, "wx", 40), (0, 60, "|j", 12)]
        places = fake_tesseract.install(tmp_path, *words)
        monkeypatch.setattr(ocr, "PLACES", places)
        file = read(message, "a.png", picture())
        assert (file.state, file.error) == ("failed", "wordless")
        assert texts_of(file, "ocr") == []

    def test_picture_is_read_once_tesseract_is_installed(
        self, message, monkeypatch, tmp_path
    ):
        file = read(message, "a.png", picture())
        assert "where the package tesseract-ocr is installed" in problem(file)
        places = fake_tesseract.install(tmp_path, (0, 0, "Milo"))
        monkeypatch.setattr(ocr, "PLACES", places)
        registry.do_each(registry.DAILY)
        registry.run("files", DerivationJob.objects.get().pk)
        assert texts_of(file, "ocr") == ["Milo"]

    @pytest.mark.skipif(not INSTALLED, reason="tesseract is not installed")
    @pytest.mark.parametrize("turn", [0, 90, 180])
    def test_turned_photo_is_read_upright(self, message, monkeypatch, turn):
        monkeypatch.setattr(ocr, "PLACES", INSTALLED_IN)
        file = read(message, "a.png", page_photo(turn))
        assert texts_of(file, "ocr") == ["\n".join(LINES_OF_PHOTO)]


def test_summary_without_a_provider_is_the_beginning(message):
    file = read(message, "a.txt", b"Buy tea. " * 200)
    [summary] = texts_of(file, "file_summary")
    assert summary.startswith("Buy tea. Buy tea.")
    assert summary.endswith("Buy tea.")
    assert len(summary) <= 600


def test_summary_without_a_provider_ends_at_a_line_too(message):
    letter = "St. Mary Hospital\n" + "Bisoprolol in the morning\n" * 30
    [summary] = texts_of(read(message, "a.txt", letter.encode() * 3), "file_summary")
    assert len(summary) > 500
    assert summary.endswith("Bisoprolol in the morning")


@pytest.mark.req("B-32")
def test_equal_file_is_read_once(message, provider):
    first = read(message, "a.png", picture())
    second = read(message, "b.png", picture())
    assert len(provider.titles.requests) == 1
    assert texts_of(second, "vision_short") == texts_of(first, "vision_short")
    assert second.texts.filter(searchable=True).exclude(embedding_model="none").exists()


def test_provider_that_is_down_is_asked_again_and_the_user_sees_it_pending(
    message, provider
):
    provider.titles.queue(*[fails(503)] * 3)
    file = send(message, "a.png", picture())
    job = DerivationJob.objects.get()
    registry.run("files", job.pk)
    job.refresh_from_db()
    file.refresh_from_db()
    assert (job.state, job.error) == ("waiting", "provider_down")
    assert file.state == "pending"
    DerivationJob.objects.retry()
    registry.run("files", job.pk)
    file.refresh_from_db()
    assert file.state == "done"


def test_answer_of_no_use_ends_the_job_and_the_file(message, provider):
    provider.titles.queue(says("A cat!"), says("A cat!"))
    file = read(message, "a.png", picture())
    assert (file.state, file.error) == ("failed", "unparseable")
    DerivationJob.objects.retry()
    registry.run("files", DerivationJob.objects.get().pk)
    file.refresh_from_db()
    assert (file.state, file.error) == ("done", "")


def test_lost_file_is_told(message):
    file = send(message, "a.txt", b"Tea")
    attachment_storage().delete(file.file.name)
    registry.run("files", DerivationJob.objects.get().pk)
    file.refresh_from_db()
    assert (file.state, file.error) == ("failed", "missing")


@pytest.mark.req("S2-50")
def test_no_memory_is_made_of_a_file(message, provider):
    read(message, "a.txt", b"I am allergic to peanuts. I live in Oslo.")
    read(message, "a.png", picture())
    assert not Memory.objects.exists()
    assert not CaptureJob.objects.exists()


def test_edited_message_takes_its_file_and_its_caption_along(message, member, provider):
    file = read(message, "a.png", picture())
    edit(member.user, member.space_id, message.pk, "My cat")
    assert texts_of(file, "caption") == ["My cat"]
    file.refresh_from_db()
    assert file.message.content == "My cat"


def test_sweep_finds_a_job_whose_task_was_lost(message):
    file = send(message, "a.txt", b"Tea")
    queue = registry.QUEUES["files"]
    (key,) = queue.due_keys()
    queue.run(key)
    assert queue.due_keys() == []
    file.refresh_from_db()
    assert file.state == "done"


def test_staff_see_the_error_of_a_job_without_texts_and_retry_it(message, client):
    file = read(message, "SECRET.txt", b"<html><script>SECRET</script></html>")
    staff = UserFactory(is_staff=True, is_superuser=True)
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    job = DerivationJob.objects.get()
    listed = reverse("admin:queues")
    shown = client.get(listed).text
    assert "no_text" in shown
    assert "SECRET" not in shown
    data = {"queue": "files", "job": job.pk}
    assert "1 job will be retried." in client.post(listed, data, follow=True).text
    job.refresh_from_db()
    assert (job.state, job.attachment_id) == ("waiting", file.pk)


def test_file_of_a_job_that_only_crashed_is_failed(message):
    file = send(message, "letter.md", LETTER)
    DerivationJob.objects.update(
        state="running", crashes=CRASHES_ALLOWED, leased_until=timezone.now()
    )
    registry.run("files", file.derivation.pk)
    file.refresh_from_db()
    assert (file.state, file.error) == ("failed", "crashed")
