"""What PostgreSQL and Redis hold of a text after each way to remove it."""

import os
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.attachments.texts import text_row
from conversations.models import Conversation, Message, Summary
from conversations.new_conversation import Start
from conversations.reply.confirmations import forget_scope
from conversations.tasks import remove_files, sweep_replies
from meddie.jobs.tasks import daily
from memory.models import Memory, MemoryEvent, MemoryPolicy, ProfileFact
from memory.operators.snapshots import write_changes
from memory.tasks import refresh_snapshots, write_journals
from people.models import ApiKey, ExternalUser, Person, Space
from people.scope import scope_for
from people.tasks import delete_expired
from tests.conversations.api.ingest.conftest import work
from tests.conversations.api.openai.client import api_for
from tests.conversations.summing import Talkative, echo, run_summaries
from tests.conversations.telegram.chat import Chat
from tests.conversations.turns import ask, noting, write
from tests.factories import (
    AttachmentFactory,
    ExternalUserFactory,
    InvitationFactory,
    MembershipFactory,
    PersonFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
    UserFactory,
)
from tests.openai_answers import says
from tests.telegram_server import TOKEN
from tests.telegram_updates import ANNA
from tests.whole_database import places_of

pytestmark = pytest.mark.django_db(transaction=True)

# The folder of files is shared by all workers.
WORD = "canaryril" + str(os.getpid()).translate(
    str.maketrans("0123456789", "abcdefghij")
)
FACT = f"User takes {WORD}"
NAME = {"category": "identity", "key": "name", "value": WORD}
SUMMARIES = {"conversations_summary", "episodic_memories"}
# The messages with their title and search index, and the events of their replies.
CONVERSATION = {"conversations_message", "conversations_conversation"} | {
    *("message_index", "reply")
}
WITHOUT_SEARCH = CONVERSATION - {"message_index"}
# The title follows an edited first message.
REPLACED = WITHOUT_SEARCH - {"conversations_conversation"}


def browser(user):
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def member(transactional_db):
    return MembershipFactory(user__email="somebody@example.com")


@pytest.fixture
def page(member):
    return browser(member.user)


@pytest.fixture
def staff(transactional_db):
    return browser(UserFactory(is_staff=True, is_superuser=True))


@pytest.fixture
def say(openai_server, member):
    """A turn whose reply has a block; the reply."""

    def say(text, start=None, conversation=None, who=member, **block):
        openai_server.chat.queue(noting(f"All right, {WORD}.", **block))
        return write(ask(who, text, start=start, conversation_id=conversation))

    return say


def delete_conversations(page, **fields):
    for conversation in Conversation.objects.all():
        page.post(reverse("conversations:delete", args=[conversation.pk]), fields)
    sweep_replies()
    remove_files()


def let_a_month_pass():
    long_ago = timezone.now() - timedelta(days=31)
    for facts in (Memory, ProfileFact):
        facts.objects.filter(active=False).update(retired_at=long_ago)
    MemoryEvent.objects.update(created_at=long_ago)
    Person.objects.deleted().update(deleted_at=long_ago)
    daily()
    delete_expired()


def press(page, name, kind):
    line = Message.objects.get(line_kind=kind)
    address = reverse(f"conversations:{name}", args=[line.pk])
    assert page.post(address, {"answer": "yes"}).status_code < 400


def forget_in_words(say, page, first):
    say(f"Forget {WORD}", conversation=first.conversation_id, memory_forgets=[FACT])


def undo_the_line(say, page, first):
    press(page, "undo", "remembered")


def forget_everything_and_confirm(say, page, first):
    conversation = first.conversation_id
    say("Forget everything", conversation=conversation, memory_forgets=["*"])
    say("Yes", conversation=conversation, memory_forgets=["*"])


def forget_everything_by_button(say, page, first):
    say("Forget all", conversation=first.conversation_id, memory_forgets=["*"])
    press(page, "answer", "forget_all")


@pytest.mark.parametrize(
    ("forget", "conversation"),
    [
        (forget_in_words, WITHOUT_SEARCH),
        (undo_the_line, CONVERSATION),
        (forget_everything_and_confirm, CONVERSATION),
        (forget_everything_by_button, WITHOUT_SEARCH),
    ],
)
def test_forgotten_fact_leaves_its_tombstone_and_the_conversation(
    say, page, forget, conversation
):
    forget(say, page, say(f"I take {WORD}.", memory_saves=[FACT]))
    assert not Memory.objects.filter(active=True).exists()
    assert places_of(WORD) == conversation | {"memories"}
    delete_conversations(page)
    assert places_of(WORD) == {"memories"}
    let_a_month_pass()
    assert places_of(WORD) == set()


def forget_name_in_words(say, page, first):
    text = f"{NAME['key']}: {WORD}"
    say("Forget my name", conversation=first.conversation_id, memory_forgets=[text])


@pytest.mark.parametrize(
    ("forget", "conversation", "remaining"),
    [
        (forget_name_in_words, WITHOUT_SEARCH, {"memory_profilefact"}),
        (undo_the_line, CONVERSATION, {"memory_profilefact"}),
        (forget_everything_and_confirm, CONVERSATION, {"memory_profilefact"}),
        (forget_everything_by_button, WITHOUT_SEARCH, {"memory_profilefact"}),
    ],
)
def test_forgotten_profile_fact_leaves_its_tombstone(
    say, page, forget, conversation, remaining
):
    forget(say, page, say(f"I am {WORD}.", profile_facts=[NAME]))
    assert not ProfileFact.objects.filter(active=True).exists()
    assert places_of(WORD) == conversation | remaining
    delete_conversations(page)
    assert places_of(WORD) == remaining
    let_a_month_pass()
    assert places_of(WORD) == set()


def forget_on_the_page(page):
    for facts in (Memory, ProfileFact):
        page.post(reverse("memory_page:forget", args=[facts.objects.get().pk]))


def forget_all_on_the_page(page):
    page.post(reverse("memory_page:forget_all"))


@pytest.mark.parametrize("forget", [forget_on_the_page, forget_all_on_the_page])
def test_fact_forgotten_on_the_memory_page_leaves_the_conversation_alone(
    say, page, forget
):
    Space.objects.update(memory_page=True)
    say(f"I am {WORD} and take {WORD}.", memory_saves=[FACT], profile_facts=[NAME])
    forget(page)
    assert places_of(WORD) == WITHOUT_SEARCH
    delete_conversations(page)
    assert places_of(WORD) == set()


def test_conversation_that_is_deleted_with_its_facts_leaves_nothing(say, page):
    say(f"I am {WORD} and take {WORD}.", memory_saves=[FACT], profile_facts=[NAME])
    delete_conversations(page, forget="1")
    assert places_of(WORD) == set()


def test_profile_fact_of_an_edited_message_goes_with_it_or_after_a_month(
    say, page, openai_server
):
    first = say(f"I am {WORD}.", profile_facts=[NAME])
    openai_server.chat.queue(says("Well."))
    url = reverse("conversations:edit", args=[first.answers_id])
    page.post(url, {"text": "Hello"})
    assert places_of(WORD) == REPLACED | {"memory_profilefact"}
    let_a_month_pass()
    assert places_of(WORD) == REPLACED


def test_conversation_with_an_edit_that_is_deleted_with_its_facts_leaves_nothing(
    say, page, openai_server
):
    first = say(f"I am {WORD}.", profile_facts=[NAME])
    openai_server.chat.queue(says("Well."))
    url = reverse("conversations:edit", args=[first.answers_id])
    page.post(url, {"text": "Hello"})
    delete_conversations(page, forget="1")
    assert places_of(WORD) == set()


def test_forgotten_fact_on_telegram_leaves_the_same(
    telegram, member, page, openai_server
):
    bot = TelegramBotFactory(space=member.space, token=TOKEN, api_url=telegram.url)
    TelegramLinkFactory(space=member.space, user=member.user, telegram_id=ANNA)
    chat = Chat(telegram, bot)
    openai_server.chat.queue(noting(f"{WORD}.", memory_saves=[FACT]))
    chat.say(f"I take {WORD}.")
    openai_server.chat.queue(noting("Done.", memory_forgets=[FACT]))
    chat.say(f"Forget {WORD}.")
    assert places_of(WORD) == WITHOUT_SEARCH | {"memories"}
    delete_conversations(page)
    let_a_month_pass()
    assert places_of(WORD) == set()


def test_edited_message_leaves_with_its_conversation_and_its_fact_after_a_month(
    say, page, openai_server
):
    first = say(f"I take {WORD}.", memory_saves=[FACT])
    openai_server.chat.queue(says("Well."))
    url = reverse("conversations:edit", args=[first.answers_id])
    page.post(url, {"text": "Forget it"})
    assert places_of(WORD) == REPLACED | {"memories"}
    delete_conversations(page)
    assert places_of(WORD) == {"memories"}
    let_a_month_pass()
    assert places_of(WORD) == set()


def test_removed_note_stays_in_the_history_of_its_person(say, member, page):
    person = PersonFactory(space=member.space, name="Canaria")
    note = {"field": "supplements", "text": WORD}
    first = say(
        f"I take {WORD}.",
        start=Start(person_id=person.pk),
        profile_updates=[note | {"action": "append"}],
    )
    stop = [note | {"action": "remove"}]
    say(f"I stopped {WORD}.", conversation=first.conversation_id, profile_updates=stop)
    kept = CONVERSATION | {"people_profileupdate"}
    assert places_of(WORD) == kept
    page.post(reverse("people:delete", args=[person.pk]))
    delete_conversations(page)
    assert places_of(WORD) == {"people_profileupdate"}
    assert places_of("Canaria") == {"people_person"}
    let_a_month_pass()
    assert places_of(WORD) == places_of("Canaria") == set()


def test_deleted_person_leaves_with_their_user(member, page, staff):
    person = PersonFactory(space=member.space, name=WORD, user=member.user)
    MembershipFactory(space=member.space)
    page.post(reverse("people:delete", args=[person.pk]))
    assert places_of(WORD) == {"people_person"}
    url = reverse("admin:people_user_delete", args=[member.user_id])
    staff.post(url, {"post": "yes"})
    assert places_of(WORD) == set()


@pytest.fixture
def summed_up(member, openai_server):
    """A conversation with the word in all kinds of summaries."""
    openai_server.titles.default = echo
    chat = Talkative(member)
    chat.say(f"I take {WORD}.", at=timezone.now() - timedelta(days=1))
    chat.say_many(10, text=f"And {WORD}.")
    run_summaries()
    assert set(Summary.objects.values_list("kind", flat=True)) == {
        *("running", "chunk", "final"),
    }
    assert places_of(WORD) > SUMMARIES
    return chat


def test_summaries_leave_when_everything_is_forgotten(summed_up, member):
    user, space_id = member.user, member.space_id
    forget_scope(scope_for(user, space_id, channel="web"))
    summed_up.say("Hello")
    run_summaries()
    assert places_of(WORD) == {"conversations_message", "conversations_conversation"}
    assert Summary.objects.filter(kind="chunk").exists()


def test_summaries_leave_with_their_conversation(summed_up, page):
    delete_conversations(page)
    assert places_of(WORD) == set()


def test_summaries_leave_with_their_user(summed_up, member, staff):
    url = reverse("admin:people_user_delete", args=[member.user_id])
    staff.post(url, {"post": "yes"})
    assert places_of(WORD) == set()


def test_file_leaves_with_its_conversation(say, page):
    first = say("Here it is.")
    file = AttachmentFactory(message=first.answers, content=f"<{WORD}>".encode())
    text_row(file, "file_summary", WORD).save()
    assert {"files", "attachment_texts"} < places_of(WORD)
    delete_conversations(page)
    assert places_of(WORD) == set()


def test_feedback_leaves_with_its_conversation(say, page):
    reply = say("Hello")
    path = reverse("conversations:feedback", args=[reply.pk])
    page.post(path, {"rating": "bad", "reason": WORD})
    assert "conversations_feedback" in places_of(WORD)
    delete_conversations(page)
    assert places_of(WORD) == set()


def test_unreadable_block_goes_with_its_conversation(say, openai_server, member, page):
    openai_server.chat.queue(says(f'Well.\n\n```json\n{{"memory_saves": ["{WORD}'))
    write(ask(member, "Hello"))
    assert places_of(WORD) == {"memory_memoryevent"}
    delete_conversations(page)
    assert places_of(WORD) == set()


@pytest.fixture
def journaled(tmp_path, settings, member, say):
    """A reply to a message in the journal and in the snapshot."""
    settings.JOURNALS_FOLDER = tmp_path / "journals"
    MemoryPolicy.objects.create(space=member.space, journal="all")
    say("I am new here.")
    reply = say(f"I take {WORD}.", memory_saves=[FACT])
    refresh_snapshots()
    assert {"journals", "memory_journalline"} < places_of(WORD)
    return reply


@pytest.mark.parametrize(
    "forget",
    [
        forget_in_words,
        undo_the_line,
        forget_everything_and_confirm,
        forget_everything_by_button,
    ],
)
def test_forgotten_fact_leaves_the_journals(say, page, journaled, forget):
    forget(say, page, journaled)
    write_journals()
    assert places_of(WORD).isdisjoint({"journals", "memory_journalline"})
    delete_conversations(page)
    write_journals()
    let_a_month_pass()
    assert places_of(WORD) == set()


def test_line_of_an_edited_message_leaves_the_journals(page, journaled, openai_server):
    openai_server.chat.queue(says("Well."))
    url = reverse("conversations:edit", args=[journaled.answers_id])
    page.post(url, {"text": "Hello"})
    write_journals()
    assert places_of(WORD).isdisjoint({"journals", "memory_journalline"})


def test_journal_and_snapshot_leave_with_their_user(journaled, member, staff):
    url = reverse("admin:people_user_delete", args=[member.user_id])
    staff.post(url, {"post": "yes"})
    sweep_replies()
    refresh_snapshots()
    assert places_of(WORD) == set()


@pytest.mark.parametrize("bulk", [False, True])
def test_nothing_of_a_deleted_user_remains(say, member, page, staff, bulk):
    user, change = member.user, "admin:people_user_change"
    say(f"I take {WORD}.", memory_saves=[FACT], profile_facts=[NAME])
    InvitationFactory(space=member.space, email=user.email, invited_by=user)
    sign_in = {"username": user.email.upper(), "password": "wrong"}
    Client().post("/sign-in", sign_in | {"next": f"/invitation/{WORD}"})
    person = PersonFactory(space=member.space, name=WORD, user=user)
    fields = {"email": user.email, "locale": "en", "time_zone": "UTC"}
    staff.post(reverse(change, args=[user.pk]), fields)
    for name, row in (
        ("person", person),
        ("invitation", member.space.invitations.get()),
    ):
        url = reverse(f"admin:people_{name}_delete", args=[row.pk])
        assert staff.post(url, {"post": "yes"}).status_code == 302
    assert "django_admin_log" in places_of(user.email)
    if bulk:
        chosen = {"action": "delete_selected", "_selected_action": [user.pk]}
        staff.post(reverse("admin:people_user_changelist"), chosen | {"post": "yes"})
    else:
        staff.post(reverse("admin:people_user_delete", args=[user.pk]), {"post": "yes"})
    sweep_replies()
    assert LogEntry.objects.filter(action_flag=3).count() == 3
    assert places_of(WORD) == places_of(user.email) == set()


def remove_on_the_page(page, staff, external):
    url = reverse("people:remove_external_user", args=[external.space_id, external.pk])
    assert page.post(url).status_code == 302


def delete_in_the_admin(page, staff, external):
    url = reverse("admin:people_externaluser_delete", args=[external.pk])
    assert staff.post(url, {"post": "yes"}).status_code == 302


def delete_with_the_space(page, staff, external):
    url = reverse("people:delete_space", args=[external.space_id])
    assert page.post(url, {"name": external.space.name}).status_code == 302


@pytest.mark.parametrize(
    "remove", [remove_on_the_page, delete_in_the_admin, delete_with_the_space]
)
def test_nothing_of_a_removed_external_user_remains(say, member, page, staff, remove):
    external = ExternalUserFactory(
        space=member.space, external_id=f"{WORD}-1", user__name=WORD
    )
    say(f"I take {WORD}.", who=external.user.memberships.get(), memory_saves=[FACT])
    assert {"memories", "people_externaluser"} < places_of(WORD)
    remove(page, staff, external)
    sweep_replies()
    assert places_of(WORD) == places_of(external.user.email) == set()


@pytest.fixture
def housemate(member):
    """A second member, who keeps the space in being."""
    MemoryPolicy.objects.create(space=member.space, lore=True)
    return MembershipFactory(space=member.space)


def test_forgotten_lore_leaves_after_a_month(say, page, housemate):
    first = say(f"For all: {WORD} is ours.", memory_line=f"{WORD} is ours")
    conversation = first.conversation_id
    say(f"Forget {WORD}", conversation=conversation, memory_forgets=[f"{WORD} is ours"])
    assert places_of(WORD) == WITHOUT_SEARCH | {"memories"}
    delete_conversations(page)
    assert places_of(WORD) == {"memories"}
    let_a_month_pass()
    assert places_of(WORD) == set()


def test_lore_leaves_with_its_teller(say, member, page, staff, housemate):
    say(f"For all: {WORD} is ours.", memory_line=f"{WORD} is ours")
    delete_conversations(page)
    assert places_of(WORD) == {"memories"}
    url = reverse("admin:people_user_delete", args=[member.user_id])
    staff.post(url, {"post": "yes"})
    assert places_of(WORD) == set()


def test_ingested_messages_leave_with_their_author(member, page, staff, openai_server):
    key = api_for(member, trusted_proxy=True)
    message = {"channel": "group", "thread": "all", "external_id": f"{WORD}-7"}
    message |= {"text": f"I take {WORD}.", "author": {"id": "ann", "name": WORD}}
    key.send("POST", "/api/ingest", json=message | {"trace": {"room": WORD}})
    assert places_of(WORD) == {"api_ingestedmessage", "people_user"}
    work()
    write_changes()
    assert {"memory_capturejob", "journals", "message_index"} < places_of(WORD)
    remove_on_the_page(page, staff, ExternalUser.objects.get())
    write_changes()
    assert places_of(WORD) == set()


def test_key_leaves_a_month_after_its_revocation(member, page):
    url = reverse("people:api_keys", args=[member.space_id])
    page.post(url, {"name": WORD})
    key = ApiKey.objects.get()
    page.post(reverse("people:revoke_key", args=[member.space_id, key.pk]))
    assert places_of(WORD) == {"people_apikey"}
    ApiKey.objects.update(revoked_at=timezone.now() - timedelta(days=31))
    delete_expired()
    assert places_of(WORD) == set()


def test_look_of_staff_does_not_name_them_after_their_deletion(say, staff):
    looker = UserFactory(is_staff=True, is_superuser=True, email=f"{WORD}@example.com")
    say("I take tea.", memory_saves=["User drinks tea"])
    url = reverse("admin:memory_memory_change", args=[Memory.objects.get().pk])
    assert "User drinks tea" in browser(looker).get(url).text
    assert MemoryEvent.objects.filter(kind="inspection").count() == 1
    staff.post(reverse("admin:people_user_delete", args=[looker.pk]), {"post": "yes"})
    assert places_of(looker.email) == set()
