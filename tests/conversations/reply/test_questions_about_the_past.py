# ruff: noqa: RUF001 - Russian letters are meant
"""Questions about what was said, sent and when, with the bundled embedding model."""

import io
import json
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from PIL import Image, ImageDraw

from conversations import message_search
from conversations.models import AttachmentText
from meddie.ai import local_embedder
from memory import service
from memory.reembedding import reembed_all
from people.scope import scope_for
from tests.conversations.attachments.sent import read
from tests.conversations.transcripts import say, start_conversation
from tests.conversations.turns import ask, write
from tests.factories import AttachmentFactory, MembershipFactory
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)

EVERYDAY = Path(__file__).parents[3] / "memory" / "recall" / "everyday.json"
DAY = datetime(2026, 3, 14, 12, tzinfo=ZoneInfo("UTC"))


@pytest.fixture
def member(openai_server, settings):
    settings.EMBEDDING_API_KEY = settings.EMBEDDING_BASE_URL = ""
    settings.EMBEDDING_MODEL = local_embedder.NAME
    return MembershipFactory()


def small_talk(language):
    """A hundred sentences about other things."""
    read = json.loads(EVERYDAY.read_text())
    return [one[language] for one in (*read["facts"], *read["questions"])]


def remember(member, texts, at):
    conversation = start_conversation(member.user, member.space)
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        say(conversation, role, text, created_at=at + timedelta(minutes=number))
    scope = scope_for(member.user, member.space_id, channel="web")
    message_search.index(scope, conversation.messages.in_order())
    reembed_all()
    return conversation


def prompt_of(member, openai_server, question):
    openai_server.chat.queue(says("Well."))
    write(ask(member, question))
    return openai_server.chat.requests[-1].body["messages"][0]["content"]


@pytest.mark.req("S2-02", "S2-53", "S4-32", "S4-42")
@pytest.mark.parametrize(
    ("language", "told", "reply", "question"),
    [
        (
            "en",
            "FAISS vs pgvector: which one for ten thousand vectors?",
            "pgvector, as you run PostgreSQL already.",
            "What did we discuss about databases?",
        ),
        (
            "en",
            "My physiotherapist showed me how to stretch the calf.",
            "Do it twice a day.",
            "What did we say about exercises for the leg?",
        ),
        (
            "pl",
            "Fizjoterapeutka pokazała mi, jak rozciągać łydkę.",
            "Rób to dwa razy dziennie.",
            "Co mówiliśmy o ćwiczeniach na nogi?",
        ),
        (
            "ru",
            "Физиотерапевт показал мне, как растягивать икру.",
            "Делайте это дважды в день.",
            "Что мы говорили об упражнениях для ног?",
        ),
    ],
)
def test_a_topic_is_found_in_other_words(
    member, openai_server, language, told, reply, question
):
    remember(member, [told, reply, *small_talk(language)], DAY)
    system = prompt_of(member, openai_server, question)
    assert f"user: {told}" in system or f"you: {reply}" in system


@pytest.mark.parametrize(
    ("language", "told", "question"),
    [
        ("en", "I fell off my bicycle today.", "When did I fall off my bicycle?"),
        ("pl", "Spadłam dziś z roweru.", "Kiedy spadłam z roweru?"),
        ("ru", "Сегодня я упала с велосипеда.", "Когда я упала с велосипеда?"),
    ],
)
def test_the_day_of_what_was_said_is_known(
    member, openai_server, language, told, question
):
    remember(member, [told, "OK.", *small_talk(language)], DAY)
    assert f"- 2026-03-14, user: {told}" in prompt_of(member, openai_server, question)


@pytest.mark.req("S2-10", "S2-43", "S2-54")
@pytest.mark.parametrize(
    ("language", "seen", "question"),
    [
        ("en", "A red rash on a left forearm.", "What was in that photo?"),
        ("pl", "Czerwona wysypka na lewym przedramieniu.", "Co było na tym zdjęciu?"),
        ("ru", "Красная сыпь на левом предплечье.", "Что было на той фотографии?"),
    ],
)
def test_a_photo_is_found_by_the_word_photo(
    member, openai_server, language, seen, question
):
    conversation = remember(member, ["Look.", "OK.", *small_talk(language)], DAY)
    file = AttachmentFactory(
        message=conversation.messages.first(), kind="image", number=7
    )
    AttachmentText.objects.create(
        user=member.user,
        space=member.space,
        attachment=file,
        kind="vision_short",
        content=seen,
        searchable=True,
        stated_at=DAY,
        embedding=[0.0] * 1536,
        embedding_model="none",
    )
    service.index(AttachmentText.objects.all())
    system = prompt_of(member, openai_server, question)
    section = system.partition("# Attached Files\n")[2]
    assert f"- [image#A7], 2026-03-14: {seen}" in section
    other = MembershipFactory(space=member.space)
    assert seen not in prompt_of(other, openai_server, question)


# What a vision model sees on a picture with text, and a question for each of its texts.
ERROR = "ImportError: cannot import name create_client from supabase"
SCREEN = {
    "short": "A laptop beside a cup of coffee on a garden table.",
    "detail": "Its lid has three stickers: a penguin, an octopus and a whale.",
    "text": ERROR,
}
OTHERS = [
    ("A receipt of a bakery.", "It is crumpled.", "2 rye loaves 7.40"),
    ("A train ticket.", "It is green.", "Kraków to Gdynia, coach 12, seat 41"),
    ("A label on a bottle.", "The bottle is brown.", "Magnesium citrate 400 mg"),
]


def drawn_text(text):
    picture = Image.new("RGB", (700, 120), "white")
    ImageDraw.Draw(picture).text((20, 40), text, fill="black", font_size=20)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


@pytest.mark.req("S2-10", "S2-47", "S2-54")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which import did create_client fail in?", ERROR),
        ("Where was my cup of coffee in the garden?", SCREEN["short"]),
        ("Which animals are on my stickers, a penguin?", SCREEN["detail"]),
    ],
)
def test_each_text_of_a_picture_is_found(member, openai_server, question, expected):
    others = [dict(zip(SCREEN, one, strict=True)) for one in OTHERS]
    conversation = start_conversation(member.user, member.space)
    for number, seen in enumerate([SCREEN, *others], start=1):
        said = say(conversation, "user", f"Picture {number}")
        openai_server.titles.queue(says(json.dumps(seen)))
        read(said, f"{number}.png", drawn_text(seen["text"]))
    section = prompt_of(member, openai_server, question).partition("# Attached Files\n")
    assert f": {expected}\n" in section[2]


def test_texts_that_may_not_be_searched_are_not_found(member, openai_server):
    conversation = remember(member, ["Look.", "OK."], timezone.now())
    file = AttachmentFactory(message=conversation.messages.first())
    AttachmentText.objects.create(
        user=member.user,
        space=member.space,
        attachment=file,
        kind="file_summary",
        content="A letter about a rash.",
        searchable=False,
        stated_at=timezone.now(),
        embedding=[0.0] * 1536,
        embedding_model="none",
    )
    system = prompt_of(member, openai_server, "What did the letter say about a rash?")
    assert "A letter" not in system
