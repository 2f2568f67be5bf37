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
from memory.models import MemoryPolicy
from memory.reembedding import reembed_all
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, Provenance
from people.scope import scope_for
from tests.conversations.attachments.sent import read
from tests.conversations.summing import (
    Talkative,
    document_of,
    name_of,
    run_summaries,
)
from tests.conversations.transcripts import say, start_conversation
from tests.conversations.turns import ask, prompt_text, write
from tests.factories import AttachmentFactory, MembershipFactory
from tests.memory.jobs import run_due
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
    return prompt_text(openai_server)


@pytest.mark.req("S2-02", "S4-42")
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


# What begins an episode, and what a model makes of it.
TALKS = {
    "FAISS or pgvector for ten thousand vectors?": (
        "The user compared FAISS with pgvector and chose pgvector."
    ),
    "My knee hurts on stairs.": "The user's knee hurts on stairs; rest was suggested.",
    "How do I prune roses?": "The user prunes roses in March, above an outer bud.",
    "Our train to Gdynia was late.": "The train to Gdynia was two hours late.",
    "Zosia has a birthday on Sunday.": "The user bakes a plum cake for Zosia's birthday.",
    "I cannot fall asleep.": "The user sleeps badly and gives up coffee after noon.",
}


@pytest.mark.req("S4-32", "S4-42", "S2-53")
def test_summaries_of_earlier_episodes_are_found_in_other_words(member, openai_server):
    def sum_up(body):
        told = document_of(body)["messages"][0]["text"]
        return says(json.dumps({"summary": TALKS.get(told, "A greeting.")}))

    openai_server.titles.default = sum_up
    chat = Talkative(member)
    for days, told in enumerate([*TALKS, "Hello again"]):
        chat.say(told, DAY + timedelta(days=days))
    run_summaries()
    _, leg, flowers, *_, insomnia = TALKS.values()
    for question, summary in {
        "What did we discuss about pain in the leg?": leg,
        "What did we say about flowers?": flowers,
        "What did we say about insomnia?": insomnia,
    }.items():
        system = prompt_of(member, openai_server, question)
        chapters = system.partition("## Recent Context\n")[2].partition("\n#")[0]
        assert summary in chapters.partition("\n- ")[2].partition("\n")[0]


@pytest.mark.req("S2-53")
def test_fact_and_decision_of_an_episode_are_recalled_a_hundred_messages_later(
    member, openai_server
):
    MemoryPolicy.objects.create(
        space=member.space, background_capture="always", facts_tokens=0
    )
    told = "I am allergic to penicillin. So it is decided: I see Dr. Lis in June."
    facts = ["User is allergic to penicillin", "User decided to see Dr. Lis in June"]
    candidates = [{"text": text, "confidence": 0.9} for text in facts]

    def answer(body):
        about = name_of(body) == "episode_summary" and told in json.dumps(body)
        final = {"summary": "They talked.", "facts_candidates": about and candidates}
        return says(json.dumps(final | {"facts": [], "decisions": []}))

    openai_server.titles.default = answer
    chat = Talkative(member)
    chat.say(told, DAY)
    for number, text in enumerate(small_talk("en")[:50]):
        chat.say(text, DAY + timedelta(days=1, minutes=number))
    run_summaries()
    run_due()
    scope = scope_for(member.user, member.space_id, channel="web")
    everyday = json.loads(EVERYDAY.read_text())["facts"]
    for one in everyday:
        prepared = service.prepare_facts([Candidate(one["en"])], NO_HOUSEHOLD)
        service.remember(scope, prepared, Provenance("inline", DAY))
    for question, fact in zip(
        ["Which antibiotics should I avoid?", "Which doctor do I see in summer?"],
        facts,
        strict=True,
    ):
        system = prompt_of(member, openai_server, question)
        remembered = system.partition("## Remembered Facts\n")[2].partition("\n## ")[0]
        assert f"{fact} (" in remembered


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
        said = say(conversation, "user", f"Picture {number}", created_at=DAY)
        openai_server.titles.queue(says(json.dumps(seen)))
        read(said, f"{number}.png", drawn_text(seen["text"]))
    section = prompt_of(member, openai_server, question).partition("# Attached Files\n")
    assert f"- [image#A1], 2026-03-14: {expected}\n" in section[2]


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
    )
    system = prompt_of(member, openai_server, "What did the letter say about a rash?")
    assert "A letter" not in system
