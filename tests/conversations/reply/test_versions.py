"""Versions of messages and replies: one is current, the others come back whole."""

from uuid import uuid4

import pytest

from conversations.models import Conversation, Message, MessageIndex
from conversations.new_conversation import NotFound
from conversations.refusals import Busy, LimitReached, NotHere
from conversations.reply.revise import edit, regenerate, use_version
from conversations.reply.turn import begin
from memory.models import CaptureJob, JournalLine, Memory, MemoryPolicy, ProfileFact
from memory.service import forget
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.turns import ask, noting, write
from tests.factories import AttachmentFactory, MembershipFactory
from tests.openai_answers import fails, says

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


@pytest.fixture
def tell(member, openai_server):
    """A turn with a message, its answer and the facts in its block; the message."""

    def told(text, answer="Yes.", facts=(), conversation=None, **noted):
        openai_server.chat.queue(noting(answer, memory_saves=list(facts), **noted))
        return write(ask(member, text, conversation_id=conversation)).answers

    return told


@pytest.fixture
def change(member, openai_server):
    """Edit a message; the new one."""

    def changed(message, text, answer="I see.", facts=(), **noted):
        openai_server.chat.queue(noting(answer, memory_saves=list(facts), **noted))
        turn = edit(member.user, member.space_id, message.pk, text)
        return write(turn).answers

    return changed


def use(member, message):
    return use_version(member.user, member.space_id, message.pk)


def shown():
    return list(
        Message.objects.current()
        .exclude(role="system")
        .in_order()
        .values_list("content", flat=True)
    )


def known():
    return sorted(Memory.objects.active().values_list("content", flat=True))


def searched():
    return set(MessageIndex.objects.values_list("content", flat=True))


def test_old_version_comes_back_with_what_followed_it(member, tell, change):
    first = tell("My knee hurts.")
    tell("Since Monday.", "Rest it.", conversation=first.conversation_id)
    second = change(first, "My elbow hurts.")
    assert shown() == ["My elbow hurts.", "I see."]
    use(member, first)
    whole = ["My knee hurts.", "Yes.", "Since Monday.", "Rest it."]
    assert shown() == whole
    assert searched() == set(whole)
    use(member, second)
    assert shown() == ["My elbow hurts.", "I see."]
    assert searched() == {"My elbow hurts.", "I see."}


def test_conversation_goes_on_from_the_version_in_use(member, tell, change):
    first = tell("One", "Answer one")
    second = change(first, "Two", "Answer two")
    use(member, first)
    tell("Further", "On", conversation=first.conversation_id)
    use(member, second)
    assert shown() == ["Two", "Answer two"]
    use(member, first)
    assert shown() == ["One", "Answer one", "Further", "On"]


def test_versions_within_a_version_are_kept(member, tell, change):
    first = tell("One")
    inner = tell("Two", conversation=first.conversation_id)
    change(inner, "Two and a half")
    change(first, "Other")
    use(member, first)
    assert shown() == ["One", "Yes.", "Two and a half", "I see."]
    use(member, inner)
    assert shown() == ["One", "Yes.", "Two", "Yes."]


def test_the_facts_follow_the_version(member, tell, change):
    first = tell("I have a cat.", facts=["User has a cat"])
    second = change(first, "I have a dog.", facts=["User has a dog"])
    assert known() == ["User has a dog"]
    use(member, first)
    assert known() == ["User has a cat"]
    use(member, second)
    assert known() == ["User has a dog"]


def profile():
    facts = ProfileFact.objects.active().order_by("key")
    return [fact.content for fact in facts]


def identity(**values):
    return [
        {"category": "identity", "key": key, "value": value}
        for key, value in values.items()
    ]


def test_profile_facts_follow_the_version(member, tell, change):
    earlier = tell("I am Eva.", profile_facts=identity(name="Eva"))
    first = tell(
        "I am Ann from Gdynia.",
        conversation=earlier.conversation_id,
        profile_facts=identity(name="Ann", location="Gdynia"),
    )
    second = change(first, "I am Eve.", profile_facts=identity(name="Eve"))
    assert profile() == ["name: Eve"]
    for _ in range(2):
        use(member, first)
        assert profile() == ["location: Gdynia", "name: Ann"]
        use(member, second)
        assert profile() == ["name: Eve"]
    change(second, "Hello")
    assert profile() == ["name: Eva"]


def test_lines_of_a_reply_come_back_with_it(member, openai_server, tell):
    def lines():
        found = Message.objects.current().filter(role="system")
        return [line.line_kind for line in found]

    first = tell("Forget my cat.", memory_forgets=["User has a cat"])
    old = first.replies.get(role="assistant")
    assert lines() == ["not_remembered"]
    openai_server.chat.queue(says("Answer two"))
    new = write(regenerate(member.user, member.space_id, old.pk))
    assert lines() == []
    use(member, old)
    assert lines() == ["not_remembered"]
    use(member, new)
    assert lines() == []


def test_forgotten_facts_do_not_come_back_with_a_version(member, tell, change):
    first = tell("I have a cat.", facts=["User has a cat"])
    change(first, "I have a dog.", facts=["User has a dog"])
    forget(scope_for(member.user, member.space_id, channel="web"), None)
    use(member, first)
    assert known() == []
    assert searched() == set()


def test_messages_of_a_version_are_left_to_background_capture(member, tell, change):
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    first = tell("I have a cat.")
    change(first, "I have a dog.")
    jobs = CaptureJob.objects.filter(kind="extract", source_id=first.pk)
    assert not jobs.exists()
    use(member, first)
    assert jobs.get().payload["text"] == "I have a cat."


def test_going_back_counts_where_messages_are_captured_again(
    member, tell, change, settings
):
    first = tell("I have a cat.")
    second = change(first, "I have a dog.")
    settings.DAILY_MESSAGES = 2
    use(member, first)
    use(member, second)
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    with pytest.raises(LimitReached):
        use(member, first)
    assert shown() == ["I have a dog.", "I see."]
    settings.DAILY_MESSAGES = 3
    use(member, first)
    assert CaptureJob.objects.filter(kind="extract").count() == 1


def test_journal_has_the_version_in_use(member, tell, change):
    def journal():
        return list(JournalLine.objects.values_list("text", flat=True))

    MemoryPolicy.objects.create(space=member.space, journal="all")
    first = tell("I have a cat.")
    change(first, "I have a dog.")
    assert journal() == ["I have a dog."]
    use(member, first)
    assert journal() == ["I have a cat."]


def test_failed_reply_without_a_former_status_stays_failed(member, openai_server):
    openai_server.chat.queue(fails(401))
    failed = write(ask(member, "Hello"))
    openai_server.chat.queue(says("Whole"))
    write(regenerate(member.user, member.space_id, failed.pk))
    Message.objects.filter(pk=failed.pk).update(content="Half a", former_status="")
    use(member, failed)
    failed.refresh_from_db()
    assert failed.status == "failed"


def test_facts_of_a_version_come_back_while_memory_is_off(member, tell, change):
    first = tell("I have a cat.", facts=["User has a cat"])
    change(first, "I have a dog.", facts=["User has a dog"])
    member.user.memory_on = False
    member.user.save()
    use(member, first)
    assert known() == ["User has a cat"]


def test_replies_can_be_exchanged_and_continued(member, openai_server, tell):
    first = tell("One", "Answer one")
    old = first.replies.get()
    openai_server.chat.queue(says("Answer two"))
    write(regenerate(member.user, member.space_id, old.pk))
    assert shown() == ["One", "Answer two"]
    use(member, old)
    assert shown() == ["One", "Answer one"]
    tell("Further", "On", conversation=first.conversation_id)
    assert shown() == ["One", "Answer one", "Further", "On"]


def test_later_messages_hang_on_their_reply(member, openai_server, tell):
    first = tell("One", "Answer one")
    old = first.replies.get()
    openai_server.chat.queue(says("Answer two"))
    new = write(regenerate(member.user, member.space_id, old.pk))
    tell("I have a cat.", facts=["User has a cat"], conversation=first.conversation_id)
    use(member, old)
    assert (shown(), known()) == (["One", "Answer one"], [])
    use(member, new)
    assert shown() == ["One", "Answer two", "I have a cat.", "Yes."]
    assert known() == ["User has a cat"]


def test_facts_of_a_message_stay_when_its_reply_is_exchanged(
    member, openai_server, tell
):
    first = tell("I have a cat.", facts=["User has a cat"])
    old = first.replies.get(role="assistant")
    openai_server.chat.queue(says("Answer two"))
    write(regenerate(member.user, member.space_id, old.pk))
    use(member, old)
    assert known() == ["User has a cat"]
    lines = Message.objects.current().filter(role="system")
    assert [line.line_kind for line in lines] == ["remembered"]


def test_version_keeps_its_status(member, openai_server):
    openai_server.chat.queue(fails(401))
    failed = write(ask(member, "Hello"))
    Message.objects.filter(pk=failed.pk).update(content="Half a")
    openai_server.chat.queue(says("Whole"))
    write(regenerate(member.user, member.space_id, failed.pk))
    use(member, failed)
    failed.refresh_from_db()
    assert (failed.status, failed.error) == ("failed", "wrong_key")


def test_failed_reply_without_text_is_no_version(member, openai_server):
    openai_server.chat.queue(fails(401))
    failed = write(ask(member, "Hello"))
    openai_server.chat.queue(says("Whole"))
    whole = write(regenerate(member.user, member.space_id, failed.pk))
    found = Message.objects.with_versions().get(pk=whole.pk)
    assert found.version_ids == [whole.pk]


def test_files_go_with_the_version(member, tell, change):
    first = tell("Look at this.")
    file = AttachmentFactory(message=first, user=member.user, space=member.space)
    second = change(first, "Look at that.")
    file.refresh_from_db()
    assert file.message == second
    use(member, first)
    file.refresh_from_db()
    assert file.message == first


def test_version_of_a_superseded_branch_is_not_offered(member, tell, change):
    first = tell("One")
    inner = tell("Two", conversation=first.conversation_id)
    change(inner, "Two and a half")
    change(first, "Other")
    with pytest.raises(NotFound):
        use(member, inner)
    assert shown() == ["Other", "I see."]


def test_current_version_stays_as_it_is(member, tell, change):
    first = tell("One")
    second = change(first, "Two")
    use(member, second)
    assert shown() == ["Two", "I see."]


def test_no_version_is_exchanged_while_a_reply_is_written(member, tell, change):
    first = tell("One")
    change(first, "Two")
    begin(member.user, member.space_id, "Wait", conversation_id=first.conversation_id)
    with pytest.raises(Busy):
        use(member, first)


@pytest.mark.req("B-19")
def test_versions_of_others_are_not_found(member, tell, change):
    first = tell("One")
    change(first, "Two")
    other = MembershipFactory(space=member.space)
    for who, pk in ((other, first.pk), (member, uuid4())):
        with pytest.raises(NotFound):
            use_version(who.user, who.space_id, pk)


def test_conversation_of_an_app_is_continued_there(member):
    conversation = transcripts.start_conversation(
        member.user, member.space, channel="api"
    )
    reply = transcripts.exchange(conversation, "One", "Yes.")
    with pytest.raises(NotHere):
        use(member, reply)


def test_versions_are_deleted_with_the_conversation(member, tell, change):
    first = tell("One")
    change(first, "Two")
    Conversation.objects.get().delete()
    assert not Message.objects.exists()
