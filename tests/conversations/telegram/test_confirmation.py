"""A Telegram id counts as a user's only after that user has confirmed it."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Attachment, Conversation, Message
from conversations.telegram.links import make_code, speaker
from conversations.telegram.models import TelegramBot, TelegramLink
from memory.models import Memory
from people.models import ProfileUpdate
from tests.conversations.telegram.chat import Chat
from tests.conversations.turns import noting
from tests.factories import (
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    SpaceFactory,
    TelegramLinkFactory,
    UserFactory,
)
from tests.openai_answers import says
from tests.telegram_updates import ANNA

EVES = 4242  # the admin's Telegram id
SECRET = "User hides a purple secret diary"
QUESTION = "Where do I hide my purple secret diary?"


@pytest.fixture
def gus(member):
    """A plain member with a memory."""
    gus = MembershipFactory(space=member.space, role="member", user__name="Gus").user
    MemoryFactory(user=gus, space=member.space, content=SECRET)
    return gus


@pytest.fixture
def admin(member):
    """Anna's browser; she is the space's admin."""
    return signed_in(member.user)


@pytest.fixture
def eve(telegram, bot):
    """The chat that the admin wants to be taken for another member's."""
    return Chat(telegram, bot, EVES)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def url(name, space, **keys):
    return reverse(f"telegram:{name}", kwargs={"pk": space.pk, **keys})


def add(client, space, telegram_id=EVES, **data):
    keys = {name: row.pk for name, row in data.items()}
    answer = client.post(url("add_link", space), {"telegram_id": telegram_id, **keys})
    assert answer.status_code == 302
    return TelegramLink.objects.get(space=space, telegram_id=telegram_id)


def confirm(client, link):
    return client.post(url("confirm_link", link.space, link_pk=link.pk))


def refuse(client, link):
    return client.post(url("remove_link", link.space, link_pk=link.pk))


def is_stranger(chat, openai_server):
    """Whether a question is answered without the model, and nothing is stored."""
    before = len(openai_server.chat.requests), Message.objects.count()
    [answer] = chat.say(QUESTION)
    assert "purple" not in answer
    after = len(openai_server.chat.requests), Message.objects.count()
    return before == after and "Telegram ID" in answer


def recalls(chat, openai_server):
    openai_server.chat.queue(says("I know."))
    assert chat.say(QUESTION)[-1] == "I know."
    return SECRET in str(openai_server.chat.requests[-1].body)


@pytest.mark.req("S0-09", "S0-10")
def test_admin_cannot_read_the_memory_of_a_member(admin, gus, eve, openai_server):
    add(admin, eve.bot.space, user=gus)
    assert is_stranger(eve, openai_server)
    assert not openai_server.embeddings.requests
    assert not Conversation.objects.exists()


def test_confirmed_account_has_the_memory_of_its_user(admin, gus, eve, openai_server):
    link = add(admin, eve.bot.space, user=gus)
    assert confirm(signed_in(gus), link).status_code == 302
    assert recalls(eve, openai_server)


def test_refused_account_stays_a_stranger(admin, gus, eve, openai_server):
    link = add(admin, eve.bot.space, user=gus)
    assert refuse(signed_in(gus), link).status_code == 302
    assert not TelegramLink.objects.exists()
    assert is_stranger(eve, openai_server)


def test_pending_account_is_told_what_to_do(admin, gus, eve):
    add(admin, eve.bot.space, user=gus)
    [answer] = eve.say("/start")
    assert "confirm it under Account" in answer
    assert gus.name not in answer
    [answer] = eve.say("I have crushing chest pain.")
    assert "112" in answer


@pytest.mark.parametrize("text", ["/new", "/help", "/start", "I like tea."])
def test_pending_account_stores_no_text(admin, gus, eve, openai_server, text):
    person = PersonFactory(space=eve.bot.space, user=gus)
    add(admin, eve.bot.space, user=gus, person=person)
    [answer] = eve.say(text)
    assert "/new" not in answer
    assert not openai_server.chat.requests
    assert not Message.objects.exists()
    assert Memory.objects.count() == 1
    assert not ProfileUpdate.objects.exists()


def test_pending_account_stores_no_file(admin, gus, eve, telegram):
    add(admin, eve.bot.space, user=gus)
    file_id = telegram.add_file(b"a photo")
    eve.bring(telegram.photo(file_id, sender=EVES))
    assert not telegram.calls("getFile")
    assert not Attachment.objects.exists()


def test_pending_account_cannot_undo(admin, gus, eve, openai_server, telegram):
    """A button of the time when the account was another member's."""
    mine = add(admin, eve.bot.space, user=gus)
    confirm(signed_in(gus), mine)
    openai_server.chat.queue(noting(memory_saves=["User likes green tea"]))
    eve.say("I like green tea.")
    button = telegram.calls("sendMessage", EVES)[-1]
    row = button.result["reply_markup"]["inline_keyboard"][0]
    refuse(admin, mine)
    add(admin, eve.bot.space, user=gus)
    data = row[0]["callback_data"]
    eve.bring(telegram.callback(data, message_id=1, sender=EVES))
    assert Memory.objects.filter(content="User likes green tea", active=True).exists()


def test_admin_cannot_confirm_for_the_member(admin, gus, eve, openai_server):
    link = add(admin, eve.bot.space, user=gus)
    assert confirm(admin, link).status_code == 404
    assert is_stranger(eve, openai_server)


@pytest.mark.parametrize("who", ["member", "other space", "left"])
def test_only_the_user_of_a_link_confirms_it(admin, gus, eve, who):
    space = eve.bot.space
    link = add(admin, space, user=gus)
    if who == "left":
        gus.memberships.get().delete()
        user = gus
    else:
        user = MembershipFactory(**({"space": space} if who == "member" else {})).user
    before = TelegramLink.objects.values().get()
    client = signed_in(user)
    missing = client.post(url("confirm_link", space, link_pk=uuid4()))
    assert confirm(client, link).status_code == missing.status_code == 404
    assert TelegramLink.objects.values().get() == before


def test_link_is_not_confirmed_through_another_space(admin, gus, eve):
    other = SpaceFactory(members=[gus])
    link = add(admin, eve.bot.space, user=gus)
    path = url("confirm_link", other, link_pk=link.pk)
    assert signed_in(gus).post(path).status_code == 404
    assert signed_in(gus).get(path).status_code == 405
    assert TelegramLink.objects.pending().exists()


def test_confirmed_link_cannot_be_given_to_another_user(
    admin, gus, eve, member, openai_server
):
    """The admin confirms a link to themselves, then asks for another user."""
    space = eve.bot.space
    link = add(admin, space, user=member.user)
    data = {"telegram_id": EVES, "user": gus.pk, "id": link.pk, "pk": link.pk}
    data["confirmed_at"] = "2026-01-01"
    assert admin.post(url("add_link", space), data).status_code == 422
    link.refresh_from_db()
    assert link.user == member.user
    refuse(admin, link)
    data["telegram_id"] = str(EVES)
    assert admin.post(url("add_link", space), data).status_code == 302
    assert is_stranger(eve, openai_server)


def test_confirmation_ends_with_its_link(admin, gus, eve, openai_server):
    """The page that Gus looks at was made for a link that the admin replaced."""
    old = add(admin, eve.bot.space, telegram_id=5, user=gus)
    refuse(admin, old)
    add(admin, eve.bot.space, user=gus)
    assert confirm(signed_in(gus), old).status_code == 404
    assert is_stranger(eve, openai_server)


def test_link_to_oneself_needs_no_confirmation(admin, member, eve, openai_server):
    MemoryFactory(user=member.user, space=member.space, content=SECRET)
    link = add(admin, member.space, user=member.user)
    assert link.confirmed_at is not None
    assert recalls(eve, openai_server)


@pytest.mark.req("S0-09", "S0-10")
@pytest.mark.parametrize("asked", [False, True])
def test_code_that_another_account_sends_shows_it_no_memory(
    admin, gus, eve, openai_server, asked
):
    """The admin holds the bot's token, and so can read codes before Meddie does."""
    if asked:
        add(admin, eve.bot.space, user=gus)
    [answer] = eve.say(f"/start {make_code(gus, eve.bot.space)}")
    assert f"Your Telegram ID: <code>{EVES}</code>" in answer
    assert is_stranger(eve, openai_server)
    text = signed_in(gus).get(url("settings", eve.bot.space)).text
    assert f"Telegram ID {EVES}" in text
    assert ">Refuse</button>" in text


def test_code_of_a_confirmed_account_is_welcome(admin, gus, eve, openai_server):
    space = eve.bot.space
    eve.say(f"/start {make_code(gus, space)}")
    confirm(signed_in(gus), TelegramLink.objects.get())
    assert "Welcome, Gus!" in eve.say(f"/start {make_code(gus, space)}")[0]
    assert recalls(eve, openai_server)


def test_code_in_polish(gus, eve):
    gus.locale = "pl"
    gus.save()
    [answer] = eve.say(f"/start {make_code(gus, eve.bot.space)}")
    assert f"Twój identyfikator w Telegramie: <code>{EVES}</code>" in answer


def test_code_of_another_user_does_not_confirm_a_pending_link(
    admin, gus, member, eve, openai_server
):
    add(admin, eve.bot.space, user=gus)
    [answer] = eve.say(f"/start {make_code(member.user, eve.bot.space)}")
    assert "already linked to another user" in answer
    assert is_stranger(eve, openai_server)


def test_code_is_made_for_the_user_who_asks(admin, gus, bot, member, eve):
    """Naming another user in the form changes nothing."""
    page = admin.post(url("link_mine", bot.space), {"user": gus.pk}).text
    code = page.partition("?start=")[2].partition('"')[0]
    assert "account of Anna" in eve.say(f"/start {code}")[0]
    assert TelegramLink.objects.get().user == member.user


def test_first_answer_names_the_account_of_a_link_by_an_admin(
    admin, member, eve, openai_server
):
    """The sender may take the chat for their own, and the admin reads it."""
    add(admin, member.space, user=member.user)
    openai_server.chat.queue(says("Green."), says("Black."))
    hello, reply = eve.say("Which tea?")
    assert "Welcome, Anna!" in hello
    assert reply == "Green."
    assert eve.say("And now?") == ["Black."]


@pytest.mark.req("S0-52")
def test_link_to_a_members_person_shows_notes_and_no_memory(
    admin, gus, eve, openai_server
):
    """The notes of a space's people are on the web for all its members."""
    notes = "Takes a violet pill"
    person = PersonFactory(space=eve.bot.space, user=gus, health_notes=notes)
    assert notes in admin.get(reverse("people:person", args=[person.pk])).text
    add(admin, eve.bot.space, person=person)
    openai_server.chat.queue(noting("Hi.", memory_saves=["User likes green tea"]))
    hello, reply = eve.say(f"{QUESTION} I like green tea.")
    assert "not linked to a user" in hello
    assert reply == "Hi."
    prompt = str(openai_server.chat.requests[-1].body)
    assert (notes in prompt, SECRET in prompt) == (True, False)
    assert not openai_server.embeddings.requests
    assert Memory.objects.count() == 1
    assert Conversation.objects.get().user is None


def test_person_given_to_another_user_does_not_change_a_link(
    admin, gus, eve, openai_server
):
    person = PersonFactory(space=eve.bot.space)
    add(admin, eve.bot.space, person=person)
    data = {"name": person.name, "sex": person.sex, "user": gus.pk}
    form = {**data, "version": person.updated_at.isoformat()}
    path = reverse("people:edit", args=[person.pk])
    assert admin.post(path, form).status_code == 302
    person.refresh_from_db()
    assert person.user == gus
    assert not recalls(eve, openai_server)


def test_link_of_another_space_is_a_stranger_here(admin, gus, eve, openai_server):
    """Eve has a space of her own with Gus's account as its member."""
    elsewhere = SpaceFactory(members=[gus])
    TelegramLinkFactory(space=elsewhere, user=gus, telegram_id=EVES)
    assert is_stranger(eve, openai_server)


def test_replaced_bot_keeps_links_pending(admin, gus, eve, bot, telegram):
    link = add(admin, bot.space, user=gus)
    TelegramBot.objects.filter(pk=bot.pk).update(bot_id=99)
    assert speaker(bot.space.pk, EVES) is None
    admin.post(url("disconnect", bot.space))
    link.refresh_from_db()
    assert link.is_pending


def test_return_of_a_removed_member_confirms_no_link(admin, gus, eve, openai_server):
    space = eve.bot.space
    add(admin, space, user=gus)
    gus.memberships.get().delete()
    assert is_stranger(eve, openai_server)
    MembershipFactory(user=gus, space=space, role="member")
    assert is_stranger(eve, openai_server)


def test_staff_can_delete_a_link_and_neither_confirm_nor_change_it(admin, gus, bot):
    link = add(admin, bot.space, user=gus)
    staff = signed_in(UserFactory(is_staff=True, is_superuser=True))
    path = reverse("admin:telegram_telegramlink_change", args=[link.pk])
    form = {"user": str(gus.pk), "confirmed_at_0": "2026-01-01", "telegram_id": "9"}
    assert staff.post(path, form).status_code == 403
    assert staff.get(reverse("admin:telegram_telegramlink_add")).status_code == 403
    assert TelegramLink.objects.pending().get().telegram_id == EVES


@pytest.mark.parametrize("page", ["people:account", "telegram:settings"])
def test_page_asks_the_user_and_no_others(admin, gus, bot, page):
    add(admin, bot.space, user=gus)
    keys = {} if page == "people:account" else {"pk": bot.space.pk}
    path = reverse(page, kwargs=keys)
    text = signed_in(gus).get(path).text
    for shown in (f"Telegram ID {EVES}", "Home &amp; garden", f"@{bot.username}"):
        assert shown in text
    assert "Anna (user" in text
    assert ">Confirm</button>" in text
    for client in (admin, signed_in(MembershipFactory(space=bot.space).user)):
        assert ">Confirm</button>" not in client.get(path).text


def test_page_asks_in_polish(admin, gus, bot):
    gus.locale = "pl"
    gus.save()
    add(admin, bot.space, user=gus)
    text = signed_in(gus).get(reverse("people:account")).text
    assert f"prosi o powiązanie identyfikatora Telegrama {EVES}" in text
    assert ">Potwierdź</button>" in text


def test_page_asks_no_longer_once_answered(admin, gus, bot):
    client = signed_in(gus)
    confirm(client, add(admin, bot.space, user=gus))
    assert ">Confirm</button>" not in client.get(reverse("people:account")).text


def test_page_of_a_removed_member_asks_nothing(admin, gus, bot):
    add(admin, bot.space, user=gus)
    gus.memberships.get().delete()
    page = signed_in(gus).get(reverse("people:account")).text
    assert bot.space.name not in page
    assert ">Confirm</button>" not in page


def test_page_asks_without_a_bot_and_with_a_lost_token(admin, gus, bot, settings):
    add(admin, bot.space, user=gus)
    client, path = signed_in(gus), reverse("people:account")
    settings.FIELD_KEYS = ["x" * 43 + "="]
    assert f"Telegram ID {EVES}" in client.get(path).text
    bot.delete()
    assert f"Telegram ID {EVES}" in client.get(path).text


def test_admin_sees_which_links_wait_and_who_added_them(admin, gus, bot):
    link = add(admin, bot.space, user=gus)
    text = admin.get(url("settings", bot.space)).text
    assert "not confirmed" in text
    assert "Added by: <bdi>Anna</bdi>" in text
    confirm(signed_in(gus), link)
    assert "not confirmed" not in admin.get(url("settings", bot.space)).text


def test_link_of_an_earlier_version_waits_for_its_user(gus, bot, telegram, eve):
    """It has no one who asked for it, like one of an admin who is deleted."""
    link = TelegramLinkFactory(
        space=bot.space, user=gus, telegram_id=ANNA, confirmed_at=None
    )
    [answer] = Chat(telegram, bot, ANNA).say(QUESTION)
    assert "confirm it under Account" in answer
    client = signed_in(gus)
    text = client.get(reverse("people:account")).text
    assert "Compare it with the ID that the bot tells you on Telegram." in text
    confirm(client, link)
    assert speaker(bot.space.pk, ANNA).user == gus


def test_message_sent_before_the_confirmation_is_not_taken_up_later(
    admin, gus, eve, openai_server
):
    link = add(admin, eve.bot.space, user=gus)
    eve.say("My code word is heliotrope.")
    confirm(signed_in(gus), link)
    assert recalls(eve, openai_server)
    assert "heliotrope" not in str(openai_server.chat.requests[-1].body)
