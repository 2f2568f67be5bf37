"""Old conversations are captured and summed up later, once, where users want memory."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from conversations.models import Conversation, Summary, SummaryJob
from conversations.new_conversation import Start
from memory import service
from memory.models import CaptureJob
from memory.tasks import clean_up
from people.models import User
from people.scope import scope_for
from tests.conversations.summing import Talkative, chunks, echo, run_summaries
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def member(db):
    return MembershipFactory(user__email="ann@example.com")


@pytest.fixture
def chat(member, openai_server):
    openai_server.titles.default = echo
    return Talkative(member)


def command(name, *arguments):
    call_command(f"{name}_conversations", *arguments)


def captured():
    return CaptureJob.objects.filter(kind="extract").count()


def test_old_messages_are_captured_once(chat, capsys):
    chat.say("I live in Oslo", at=MORNING)
    chat.say("I have a dog", at=MORNING)
    command("capture", "--dry-run")
    assert captured() == 0
    command("capture")
    assert captured() == 2
    command("capture")
    assert captured() == 2
    assert capsys.readouterr().out.splitlines() == [
        "Messages without facts or a job: 2",
        "Messages left to workers: 2",
        "Messages left to workers: 0",
    ]
    job = CaptureJob.objects.order_by("stated_at").first()
    assert job.stated_at == MORNING


def test_a_message_that_taught_nothing_is_not_captured_after_months(chat):
    chat.say("Good morning", at=MORNING)
    command("capture")
    ended = timezone.now() - timedelta(days=90)
    CaptureJob.objects.update(state="done", payload={}, updated_at=ended)
    clean_up()
    command("capture")
    assert CaptureJob.objects.get().state == "done"


def test_messages_before_a_wish_to_forget_everything_are_not_captured(chat, member):
    chat.say("I live in Oslo", at=MORNING)
    service.forget_everything(scope_for(member.user, member.space_id, channel="web"))
    chat.say("I have a dog", at=timezone.now() + timedelta(minutes=1))
    command("capture")
    assert CaptureJob.objects.get().payload["text"] == "I have a dog"


def test_only_what_may_be_remembered_is_captured(chat, member, openai_server):
    chat.say("I live in Oslo", at=MORNING)
    unremembered = Talkative(member, start=Start(remember=False))
    unremembered.say("I live in Paris", at=MORNING)
    off = MembershipFactory(space=member.space)
    Talkative(off).say("I live in Rome", at=MORNING)
    User.objects.filter(pk=off.user_id).update(memory_on=False)
    left = MembershipFactory(space=member.space)
    Talkative(left).say("I live in Bonn", at=MORNING)
    left.delete()
    command("capture")
    assert CaptureJob.objects.get().user == member.user


@pytest.mark.parametrize("which", ["user", "space"])
def test_one_user_or_space_can_be_chosen(chat, member, which):
    chat.say("I live in Oslo", at=MORNING)
    other = MembershipFactory()
    Talkative(other).say("I live in Paris", at=MORNING)
    value = {"user": member.user.email, "space": str(member.space_id)}[which]
    command("capture", f"--{which}", value)
    assert CaptureJob.objects.get().user == member.user


def test_old_chapters_are_summed_up_once(chat, member, capsys):
    chat.say_many(12, at=MORNING)
    chat.say("Good morning", at=MORNING + timedelta(days=1))
    SummaryJob.objects.all().delete()
    command("summarise", "--dry-run")
    command("summarise")
    assert capsys.readouterr().out.splitlines() == [
        "Without a summary: 1 episodes, 1 threads",
        "Summaries left to workers: 2",
    ]
    run_summaries()
    assert Summary.objects.filter(kind="final").count() == 1
    assert len(chunks(Conversation.objects.get().thread)) == 1
    command("summarise")
    assert not SummaryJob.objects.unfinished().exists()


def test_unknown_users_and_spaces_are_refused(chat):
    for arguments in (
        ["--user", "unknown@example.com"],
        ["--space", "1b6f9f4e-3c55-4b0c-8f9d-0d7f2f4f8a11"],
    ):
        with pytest.raises(CommandError, match="There is no such"):
            command("capture", *arguments)
