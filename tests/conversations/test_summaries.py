"""Conversations are summed up after the turn, in chunks and at the end of an episode."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from conversations import message_search
from conversations.attachments.storage import store
from conversations.episodes import summaries
from conversations.episodes.stretches import document
from conversations.episodes.summaries import WorkingMemory, working_memory
from conversations.forgetting.deletion import delete_conversation
from conversations.models import (
    Attachment,
    Episode,
    MessageIndex,
    Summary,
    SummaryJob,
)
from conversations.new_conversation import Start
from conversations.reply.history import history_of
from conversations.reply.prompt_place import place_of_turn
from conversations.reply.turn import Received, begin
from memory import service
from memory.models import CaptureJob, EpisodicMemory, Memory, MemoryPolicy
from memory.reembedding import reembed_all
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, Provenance
from people.models import User
from people.scope import scope_for
from tests.conversations.attachments.sent import png, send
from tests.conversations.summing import (
    LEASE,
    Talkative,
    chunks,
    document_of,
    echo,
    name_of,
    run_summaries,
)
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
NEXT_DAY = MORNING + timedelta(days=1)


@pytest.fixture
def member(db):
    return MembershipFactory()


@pytest.fixture
def provider(openai_server):
    openai_server.titles.default = echo
    return openai_server


@pytest.fixture
def chat(member, provider):
    return Talkative(member)


def kinds():
    return sorted(SummaryJob.objects.unfinished().values_list("kind", flat=True))


def ranges(thread):
    return [(chunk.first_seq, chunk.last_seq) for chunk in chunks(thread)]


def window(chat, text="And now?"):
    """The messages of the next prompt."""
    turn = begin(
        chat.member.user,
        chat.member.space_id,
        text,
        conversation_id=chat.conversation.pk,
        received=Received(LEASE, MORNING),
    )
    place = place_of_turn(turn, history_of(turn))
    return [line.text for line in place.brief.history]


@pytest.mark.req("S2-30", "S4-13", "S4-36", "S4-37")
def test_tenth_message_makes_the_job_of_a_running_summary(chat):
    chat.say_many(4)
    assert kinds() == []
    chat.say()
    assert kinds() == ["running"]


@pytest.mark.req("S2-30")
def test_prompt_without_room_makes_the_job_of_a_running_summary_at_once(chat):
    reply = chat.say()
    summaries.after_turn(reply, crowded=True)
    assert kinds() == ["running"]


@pytest.mark.req("S2-07", "S2-18", "S2-31", "S2-34", "S2-52", "B-33")
def test_running_summary_goes_on_from_the_last_one(chat, provider):
    chat.say_many(5)
    answer = {"summary": "The user asked five things.", "open_loops": ["Ask again"]}
    provider.titles.queue(says(json.dumps(answer)))
    run_summaries()
    assert working_memory(chat.conversation) == WorkingMemory(
        "The user asked five things.", ("Ask again",)
    )
    body = provider.titles.requests[-1].body
    assert body["temperature"] <= 0.2
    assert name_of(body) == "running_summary"
    assert document_of(body)["earlier"] == []
    assert "do not follow it" in body["messages"][0]["content"]
    assert [m["text"] for m in document_of(body)["messages"]][:2] == [
        "question1",
        "answer1",
    ]
    chat.say_many(5)
    run_summaries()
    asked = next(
        document_of(request.body)
        for request in reversed(provider.titles.requests)
        if name_of(request.body) == "running_summary"
    )
    assert asked["earlier"] == ["The user asked five things."]
    assert asked["open_loops"] == ["Ask again"]
    assert asked["messages"][0]["text"] == "question6"
    assert Summary.objects.filter(kind="running").count() == 1


def test_episode_gets_the_vector_of_its_running_summary(chat):
    chat.say_many(5)
    run_summaries()
    episode = Episode.objects.get()
    assert episode.summary_model == "text-embedding-3-small"
    assert episode.summary_vector is not None


@pytest.mark.req("S2-32", "S4-01", "S4-04", "S4-11", "S4-12", "S4-14", "S4-15", "S4-16")
@pytest.mark.req("B-44")
def test_twenty_messages_become_a_chunk_of_all_but_the_last_ten(chat):
    chat.say_many(9)
    run_summaries()
    assert ranges(chat.thread) == []
    chat.say()
    run_summaries()
    assert ranges(chat.thread) == [(1, 10)]
    chat.say_many(5)
    run_summaries()
    assert ranges(chat.thread) == [(1, 10), (11, 20)]
    first, second = EpisodicMemory.objects.order_by("turn_start")
    assert first.turn_range == "turns 1-10"
    assert second.content.split()[0] == "question6"
    assert second.embedding_model == "text-embedding-3-small"
    assert first.run_id == Episode.objects.get().pk


@pytest.mark.req("S4-11", "S2-30")
def test_number_of_messages_that_is_summed_up_is_a_setting(chat, settings):
    settings.CHUNK_MESSAGES, settings.SUMMARY_MESSAGES = 26, 4
    chat.say_many(2)
    run_summaries()
    running = Summary.objects.filter(kind=Summary.Kind.RUNNING)
    assert running.get().last_seq == 4
    chat.say_many(10)
    run_summaries()
    assert ranges(chat.thread) == []
    chat.say()
    run_summaries()
    assert ranges(chat.thread) == [(1, 16)]


@pytest.mark.req("B-42", "S4-02", "S4-03", "S4-43")
def test_message_leaves_the_prompt_when_its_chunk_is_stored(chat, provider):
    chat.say_many(12)
    provider.titles.default = lambda _body: fails(500)
    run_summaries()
    late = window(chat)
    assert (len(late), late[0]) == (25, "question1")


@pytest.mark.req("S4-12", "S4-02")
def test_prompt_begins_after_the_last_chunk(chat):
    chat.say_many(12)
    run_summaries()
    assert ranges(chat.thread) == [(1, 14)]
    assert window(chat)[0] == "question8"


@pytest.mark.req("S3-64")
@pytest.mark.parametrize(("setting", "kept"), [(10, 10), (20, 10), (60, 30)])
def test_half_of_the_recent_messages_remain_beside_a_summary(
    chat, settings, setting, kept
):
    settings.RECENT_MESSAGES = setting
    chat.say_many(20)
    run_summaries()
    assert ranges(chat.thread)[-1][1] == 30
    assert len(window(chat)) == kept + 1


def test_prompt_has_ten_messages_after_an_edit_far_back(chat):
    chat.say_many(25)
    run_summaries()
    chat.edit(chat.current()[12], "edited")
    assert len(window(chat)) == 10 + 1


@pytest.mark.req("S4-05")
def test_chunk_without_an_embedder_waits_for_its_vector(chat, provider):
    chat.say_many(10)
    provider.embeddings.default = lambda _body: fails(500)
    run_summaries()
    assert EpisodicMemory.objects.get().embedding_model == "none"
    provider.embeddings.default = lambda _body: says("")
    reembed_all()
    assert EpisodicMemory.objects.get().embedding_model == "text-embedding-3-small"


def test_chunk_ends_where_its_episode_ends(chat):
    chat.say_many(3, at=MORNING)
    chat.say_many(7, at=NEXT_DAY)
    run_summaries()
    assert ranges(chat.thread) == [(1, 6)]
    assert EpisodicMemory.objects.count() == 1
    assert set(Summary.objects.values_list("kind", flat=True)) == {
        "chunk",
        "final",
        "running",
    }


@pytest.mark.req("S2-08", "S2-15", "S2-19", "S2-29", "S2-33", "S2-40")
def test_closed_episode_gets_a_final_summary_as_text_and_json(chat, provider):
    chat.say("I run on Mondays", at=MORNING)
    details = {
        "topic": "Sport",
        "decisions": ["Run less"],
        "todos": ["Buy shoes"],
        "facts_candidates": [{"text": "User runs", "confidence": 0.9}],
        "entities": ["Oslo"],
        "artifacts": [{"artifact_id": "A1", "note": "A photo"}],
        "open_questions": ["Which shoes?"],
    }
    provider.titles.queue(says(json.dumps({"summary": "The user runs."} | details)))
    chat.say("Hello again", at=NEXT_DAY)
    assert kinds() == ["final"]
    run_summaries()
    final = Summary.objects.get(kind="final")
    sent = details | {"artifacts": []}
    assert (final.text, final.data) == ("The user runs.", sent)
    assert (final.first_seq, final.last_seq) == (1, 2)
    memory = EpisodicMemory.objects.get()
    assert memory.content == "The user runs."
    assert memory.run_id == final.episode_id
    assert working_memory(chat.conversation).open_loops == ("Which shoes?",)
    assert final.episode.topic_label == "Sport"
    chat.edit(chat.current()[0], "I swim on Mondays")
    assert Episode.objects.get(pk=final.episode_id).topic_label == ""


@pytest.mark.req("S2-10", "S2-19", "S2-48", "S2-56")
def test_final_summary_names_the_files_of_its_episode(chat, provider):
    chat.say("Look at these", at=MORNING)
    photo = send(chat.current()[-1], "birch.png", png(8, 8))
    send(chat.current()[-1], "pollen.txt", b"Birch pollen is high.")
    Attachment.objects.filter(pk=photo.pk).update(description="A birch tree")
    notes = [{"artifact_id": "A1", "note": "A tree"}, {"artifact_id": "A9"}]
    provider.titles.default = says(json.dumps({"summary": "S.", "artifacts": notes}))
    chat.say("Hello again", at=NEXT_DAY)
    run_summaries()
    document = document_of(provider.titles.requests[-1].body)
    assert document["messages"][0]["text"] == (
        "Look at these\n[image#A1] A birch tree\n[document#A2] pollen.txt"
    )
    assert Summary.objects.get().data["artifacts"] == [
        {"artifact_id": "A1", "note": "A tree"},
        {"artifact_id": "A2", "note": "pollen.txt"},
    ]


@pytest.mark.req("S2-48")
def test_message_of_files_alone_is_summed_up_by_their_descriptions(
    member, provider, chat
):
    file = store(member.user, member.space_id, "birch.png", png(8, 8))
    turn = begin(member.user, member.space_id, "", files=[file.pk])
    message_search.index(turn.scope, [turn.message])
    assert MessageIndex.objects.get().content == "[image#A1] birch.png"
    Attachment.objects.update(description="A birch tree")
    texts = [
        one["text"] for one in document(MessageIndex.objects.all(), UTC)["messages"]
    ]
    assert texts == ["[image#A1] A birch tree"]


@pytest.fixture
def always(member):
    """Facts are captured beside the replies."""
    MemoryPolicy.objects.create(space=member.space, background_capture="always")


def closing(chat, provider, *facts):
    """Close the episode with these proposed facts, and run all jobs."""
    proposed = [{"text": text, "confidence": 0.9} for text in facts]
    final = {"summary": "They talked.", "facts_candidates": proposed}

    def answer(body):
        if name_of(body) == "episode_summary":
            return says(json.dumps(final))
        if name_of(body) == "memory_extraction":
            return says(json.dumps({"facts": []}))
        if name_of(body) == "memory_resolution":
            return says(json.dumps({"decisions": []}))
        return echo(body)

    provider.titles.default = answer
    chat.say("Hello again", at=NEXT_DAY)
    run_summaries()
    run_due()


@pytest.mark.req("S2-11", "S2-29", "S2-37", "S2-38", "S2-39", "S4-39")
def test_facts_of_a_closed_episode_are_stored_as_of_their_message(
    chat, provider, always
):
    said = chat.say("I am vegan and I live in Oslo", at=MORNING).answers
    chat.say("Thanks", at=MORNING + timedelta(minutes=5))
    closing(chat, provider, "User is vegan", "User has two dogs")
    memory = Memory.objects.get()
    assert (memory.content, memory.origin) == ("User is vegan", "episode_close")
    assert memory.stated_at == MORNING
    assert memory.source_message == said
    assert memory.run_id == said.episode_id


def test_policy_that_captures_nothing_stores_no_fact_of_an_episode(chat, provider):
    chat.say("I am vegan", at=MORNING)
    closing(chat, provider, "User is vegan")
    assert not CaptureJob.objects.exists()
    assert not Memory.objects.exists()


@pytest.mark.req("S2-55")
def test_fact_that_a_reply_noted_down_is_not_stored_twice(chat, provider, always):
    reply = chat.say("I am vegan", at=MORNING)
    scope = scope_for(chat.member.user, chat.member.space_id, channel="web")
    said = Provenance("inline", reply.answers.created_at, message_id=reply.answers_id)
    prepared = service.prepare_facts([Candidate("User is vegan")], NO_HOUSEHOLD)
    service.remember(scope, prepared, said)
    closing(chat, provider, "User is vegan")
    assert Memory.objects.get().origin == "inline"


@pytest.mark.req("S2-34")
def test_malformed_summary_is_asked_for_once_more_and_then_a_dead_letter(
    chat, provider
):
    chat.say_many(5)
    before = len(provider.titles.requests)
    provider.titles.queue(says("no JSON"), says('{"summary": "All is well.",}'))
    run_summaries()
    assert working_memory(chat.conversation).summary == "All is well."
    chat.say_many(5)
    provider.titles.default = lambda _body: says("{}")
    run_summaries()
    assert len(provider.titles.requests) == before + 6
    assert {job.state for job in SummaryJob.objects.unfinished()} == set()
    dead = SummaryJob.objects.filter(state="dead")
    assert sorted(dead.values_list("kind", "error")) == [
        ("chunk", "unparseable"),
        ("running", "unparseable"),
    ]
    dead.retry()
    provider.titles.default = echo
    run_summaries()
    assert ranges(chat.thread) == [(1, 10)]


def test_summary_without_a_provider_is_made_of_the_messages(member, settings):
    chat = Talkative(member)
    chat.say("I have had a rash on my left elbow since Monday. Hm.")
    chat.say_many(9)
    run_summaries()
    (chunk,) = chunks(chat.thread)
    assert "rash on my left elbow" in chunk.text
    assert len(chunk.text) < 1000


def test_nothing_of_a_user_without_memory_is_summed_up(provider):
    chat = Talkative(MembershipFactory(user__memory_on=False))
    chat.say_many(12)
    assert kinds() == []


def test_nothing_of_a_conversation_without_memory_is_summed_up(member, provider):
    chat = Talkative(member, start=Start(remember=False))
    chat.say_many(12)
    chat.say(at=NEXT_DAY)
    run_summaries()
    assert not Summary.objects.exists()
    assert len(window(chat)) == 20


def test_messages_sent_while_memory_was_off_are_in_no_summary(chat):
    chat.say_many(5)
    User.objects.update(memory_on=False)
    chat.member.user.refresh_from_db()
    chat.say("canary")
    User.objects.update(memory_on=True)
    chat.member.user.refresh_from_db()
    chat.say_many(6)
    run_summaries()
    (chunk,) = chunks(chat.thread)
    assert "question3" in chunk.text
    assert not Summary.objects.filter(text__contains="canary").exists()


def test_emergency_is_in_no_summary(chat):
    chat.say("I have crushing chest pain and my arm is numb. I like tea.")
    chat.say_many(10)
    run_summaries()
    (chunk,) = chunks(chat.thread)
    assert "I like tea." in chunk.text
    assert not Summary.objects.filter(text__contains="chest").exists()


def test_regenerated_reply_leaves_the_summaries(chat):
    chat.say_many(5)
    run_summaries()
    chat.regenerate()
    assert working_memory(chat.conversation) == WorkingMemory()
    run_summaries()
    assert "answer6" in working_memory(chat.conversation).summary
    assert "answer5" not in working_memory(chat.conversation).summary


def test_edited_message_leaves_chunk_final_and_memory(chat):
    chat.say_many(3, at=MORNING)
    chat.say_many(9, at=NEXT_DAY)
    run_summaries()
    assert EpisodicMemory.objects.filter(content__contains="question3").exists()
    chat.edit(chat.current()[2], "edited")
    assert not Summary.objects.filter(text__contains="question3").exists()
    assert not EpisodicMemory.objects.filter(content__contains="question3").exists()
    run_summaries()
    texts = [*Summary.objects.values_list("text", flat=True)]
    texts += EpisodicMemory.objects.values_list("content", flat=True)
    assert "question1" in " ".join(texts)
    assert "question3" not in " ".join(texts)
    assert not Summary.objects.filter(stale=True).exists()


@pytest.mark.req("B-42")
def test_deleted_conversation_takes_its_summaries_along(chat):
    chat.say_many(10)
    run_summaries()
    delete_conversation(chat.conversation)
    for model in (Summary, SummaryJob, EpisodicMemory):
        assert not model.objects.exists()


def test_dead_letter_gives_way_to_the_next_job(chat, provider):
    provider.titles.default = lambda _body: says("{}")
    chat.say_many(5)
    run_summaries()
    assert SummaryJob.objects.get(kind="running").state == "dead"
    provider.titles.default = echo
    chat.say_many(1)
    run_summaries()
    assert working_memory(chat.conversation).summary
