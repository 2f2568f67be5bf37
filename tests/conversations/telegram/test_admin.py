"""Telegram updates and files in the admin; dead updates are retried."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conversations.models import Attachment, Thread
from conversations.telegram.models import TelegramBot, TelegramPart, TelegramUpdate
from people.models import User
from tests.conversations import transcripts
from tests.factories import (
    AttachmentFactory,
    MembershipFactory,
    TelegramBotFactory,
    TelegramLinkCodeFactory,
    TelegramLinkFactory,
    UserFactory,
)

BACKEND = "django.contrib.auth.backends.ModelBackend"
SECRET = "My secret is blue"


@pytest.fixture
def desk(db) -> Client:
    client = Client()
    staff = User.objects.create_superuser("staff@example.com")
    client.force_login(staff, backend=BACKEND)
    return client


def dead_letter(number=1, error="unreachable"):
    bot = TelegramBot.objects.first() or TelegramBotFactory()
    thread = Thread.objects.create(
        space=bot.space, channel="telegram", external_id=str(700 + number)
    )
    update = TelegramUpdate.objects.create(
        bot=bot,
        update_id=number,
        thread=thread,
        payload={"message": {"text": SECRET}},
        state="dead",
        error=error,
        kind="message",
        stage="reply",
        attempts=7,
    )
    TelegramPart.objects.create(update=update, number=1, html=SECRET)
    return update


@pytest.fixture
def letter(db):
    return dead_letter()


@pytest.fixture
def file(db):
    member = MembershipFactory()
    conversation = transcripts.start_conversation(member.user, member.space)
    transcripts.exchange(conversation, SECRET, "Kept.")
    message = conversation.messages.get(role="user")
    return AttachmentFactory(message=message, name=SECRET, content=SECRET.encode())


def change(row):
    return reverse(
        f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk]
    )


def listed(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def retry(client, *letters):
    data = {"action": "retry_selected", "_selected_action": [one.pk for one in letters]}
    return client.post(listed(TelegramUpdate), data, follow=True)


def test_progress_is_shown_without_texts(desk, letter, file):
    for path in (listed(TelegramUpdate), change(letter)):
        content = desk.get(path).text
        assert SECRET not in content
        for shown in ("701", "dead", "unreachable", letter.bot.space.name):
            assert shown in content
    for path in (listed(Attachment), change(file)):
        content = desk.get(path).text
        assert SECRET not in content
        assert "text/plain" in content


def test_unreadable_token_hides_no_update(desk, letter):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE telegram_telegrambot SET token = 'gAAAAAlost'")
    assert desk.get(listed(TelegramUpdate)).status_code == 200
    assert desk.get(change(letter)).status_code == 200


def test_updates_are_filtered_by_their_state(desk, letter):
    done = dead_letter(2)
    TelegramUpdate.objects.filter(pk=done.pk).update(state="done")
    found = desk.get(listed(TelegramUpdate), {"state": "dead"}).text
    assert change(letter) in found
    assert change(done) not in found


def test_dead_update_is_retried_in_its_stage(desk, letter):
    done = dead_letter(2)
    TelegramUpdate.objects.filter(pk=done.pk).update(state="done")
    assert "1 job will be retried." in retry(desk, letter, done).text
    letter.refresh_from_db()
    assert (letter.state, letter.stage, letter.attempts) == ("waiting", "reply", 0)
    done.refresh_from_db()
    assert done.state == "done"


def test_retry_needs_the_permission_to_change(letter):
    clerk = UserFactory(is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_telegramupdate"))
    client = Client()
    client.force_login(clerk, backend=BACKEND)
    retry(client, letter)
    letter.refresh_from_db()
    assert letter.state == "dead"


def test_rows_cannot_be_changed_or_deleted(desk, letter, file):
    for row in (letter, file):
        assert desk.post(change(row), {"name": "x"}).status_code == 403
        delete = change(row).replace("/change/", "/delete/")
        assert desk.post(delete, {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("count", [1, 20])
def test_lists_need_a_fixed_number_of_queries(
    desk, letter, file, count, django_assert_num_queries
):
    for number in range(count):
        dead_letter(number + 2)
        AttachmentFactory(message=file.message)
    for model, expected in ((TelegramUpdate, 5), (Attachment, 5)):
        with django_assert_num_queries(expected) as seen:
            desk.get(listed(model))
        words = ('"payload"', '"html"', '"content"', '"token"')
        asked = " ".join(query["sql"] for query in seen.captured_queries)
        assert not any(word in asked for word in words)


@pytest.mark.parametrize(
    "factory", [TelegramBotFactory, TelegramLinkFactory, TelegramLinkCodeFactory]
)
@pytest.mark.parametrize("question", ["", "?q=a"])
def test_long_lists_take_as_many_queries_as_short_ones(desk, factory, question):
    def queries():
        with CaptureQueriesContext(connection) as seen:
            assert desk.get(url).status_code == 200
        return len(seen)

    url = listed(type(factory())) + question
    few = queries()
    for _ in range(4):
        factory()
    assert queries() == few
