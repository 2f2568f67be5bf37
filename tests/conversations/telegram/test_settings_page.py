"""The Telegram page of a space for admins, members and outsiders."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.telegram import urls
from conversations.telegram.links import redeem
from conversations.telegram.models import TelegramBot, TelegramLink, TelegramLinkCode
from tests.factories import (
    MembershipFactory,
    PersonFactory,
    SpaceFactory,
    TelegramBotFactory,
    TelegramLinkFactory,
    UserFactory,
)
from tests.telegram_answers import fails
from tests.telegram_server import TOKEN

pytestmark = pytest.mark.django_db

SECRET = "SECRET-of-Ann"
METHODS = ["get", "head", "post", "put", "patch", "delete", "options"]
PLACES = sorted(
    (pattern.name, tuple(pattern.pattern.converters))
    for pattern in urls.urlpatterns
    if "pk" in pattern.pattern.converters
)


@pytest.fixture
def ann(client):
    """An admin, signed in."""
    ann = MembershipFactory(user__name=SECRET, space__name=SECRET)
    client.force_login(ann.user)
    return ann


@pytest.fixture
def bot(ann):
    return TelegramBotFactory(space=ann.space, username=f"{SECRET}_bot")


@pytest.fixture
def bob(ann):
    """A plain member."""
    return MembershipFactory(space=ann.space, role="member", user__name="Bob")


def url(name, space, **more):
    return reverse(f"telegram:{name}", kwargs={"pk": space.pk, **more})


def as_user(user):
    client = Client()
    client.force_login(user)
    return client


def add(client, space, telegram_id, **data):
    return client.post(url("add_link", space), {"telegram_id": telegram_id, **data})


def ask(client, method, name, keys, values):
    path = reverse(f"telegram:{name}", kwargs={key: values[key] for key in keys})
    data = {"token": "1:a", "telegram_id": "5"} if method in {"get", "post"} else None
    answer = getattr(client, method)(path, data)
    body = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.text)
    for value in values.values():
        body = body.replace(str(value), "")
    return answer.status_code, body


def everything():
    return [
        list(rows.order_by("pk").values())
        for rows in (
            TelegramBot.objects.all(),
            TelegramLink.objects.all(),
            TelegramLinkCode.objects.all(),
        )
    ]


def outsider(kind, ann):
    if kind == "removed":
        member = MembershipFactory(space=ann.space)
        TelegramLinkFactory(space=ann.space, user=member.user)
        member.delete()
        return member.user
    if kind == "other space":
        other = MembershipFactory()
        TelegramBotFactory(space=other.space)
        return other.user
    return UserFactory()


class TestIsolation:
    @pytest.mark.req("B-15", "B-19")
    @pytest.mark.parametrize("kind", ["removed", "other space", "no space"])
    @pytest.mark.parametrize(("name", "keys"), PLACES, ids=str)
    def test_outsiders_get_404(self, ann, bot, kind, name, keys):
        link = TelegramLinkFactory(space=ann.space, user=ann.user)
        client = as_user(outsider(kind, ann))
        before = everything()
        real = {"pk": ann.space_id, "link_pk": link.pk}
        made_up = {key: uuid4() for key in real}
        for method in METHODS:
            answer = ask(client, method, name, keys, real)
            assert answer == ask(client, method, name, keys, made_up), method
            refused = {405, 200} if method == "options" else {404, 405}
            assert answer[0] in refused, method
            assert SECRET not in answer[1]
        assert everything() == before

    @pytest.mark.parametrize(("name", "keys"), PLACES, ids=str)
    def test_members_cannot_use_the_pages_of_admins(self, ann, bot, bob, name, keys):
        hers = TelegramLinkFactory(space=ann.space, user=ann.user)
        client = as_user(bob.user)
        before = everything()
        values = {"pk": ann.space_id, "link_pk": hers.pk}
        answers = {ask(client, m, name, keys, values)[0] for m in ("get", "post")}
        if name in {"settings", "link_mine"}:
            assert 200 in answers
        else:
            assert answers <= {404, 405}
            assert everything() == before

    def test_a_link_is_not_reached_through_another_space(self, client, ann):
        other = SpaceFactory(members=[ann.user])
        link = TelegramLinkFactory(space=ann.space)
        for method in (client.get, client.post):
            answer = method(url("remove_link", other, link_pk=link.pk))
            assert answer.status_code == 404
        assert TelegramLink.objects.exists()

    @pytest.mark.parametrize(("name", "keys"), PLACES, ids=str)
    def test_anonymous_visitor_is_asked_to_sign_in(self, client, ann, name, keys):
        client.logout()
        values = {"pk": ann.space_id, "link_pk": uuid4()}
        path = reverse(f"telegram:{name}", kwargs={key: values[key] for key in keys})
        assert client.get(path).headers["Location"] == f"/sign-in?next={path}"
        assert client.post(path).headers["Location"] == "/sign-in?next=/"

    @pytest.mark.parametrize(("name", "keys"), PLACES, ids=str)
    def test_posting_needs_a_csrf_token(self, ann, bot, name, keys):
        client = Client(enforce_csrf_checks=True)
        client.force_login(ann.user)
        link = TelegramLinkFactory(space=ann.space)
        values = {"pk": ann.space_id, "link_pk": link.pk}
        path = reverse(f"telegram:{name}", kwargs={key: values[key] for key in keys})
        assert client.post(path).status_code in {403, 405}


class TestPage:
    def test_an_admin_without_a_bot_reads_how_to_get_one(self, client, ann):
        page = client.get(url("settings", ann.space)).text
        assert "@BotFather" in page
        assert 'type="password"' in page

    def test_a_connected_bot_shows_its_name_and_state_never_its_token(
        self, client, ann, bot
    ):
        TelegramBot.objects.update(polled=True, error="unreachable")
        page = client.get(url("settings", ann.space)).text
        for shown in (f"@{bot.username}", "polling", "Telegram could not be reached"):
            assert shown in page
        assert f"token …{bot.token[-4:]}" in page
        assert bot.token not in page
        assert bot.secret not in page

    def test_page_opens_with_an_unreadable_token(self, client, ann, bot, settings):
        settings.FIELD_KEYS = ["x" * 43 + "="]
        page = client.get(url("settings", ann.space)).text
        assert "The token can no longer be decrypted. Paste it again." in page

    def test_a_member_sees_their_own_links_and_no_others(self, ann, bot, bob):
        hers = TelegramLinkFactory(space=ann.space, user=ann.user)
        his = TelegramLinkFactory(space=ann.space, user=bob.user)
        page = as_user(bob.user).get(url("settings", ann.space)).text
        assert str(his.telegram_id) in page
        assert str(hers.telegram_id) not in page
        assert "token …" not in page
        assert 'name="token"' not in page
        assert "Telegram’s privacy mode, which is on unless" in page

    def test_member_without_a_bot_is_told_to_ask_an_admin(self, ann, bob):
        page = as_user(bob.user).get(url("settings", ann.space)).text
        assert "An admin of this household can connect one." in page

    def test_settings_and_account_link_to_the_page(self, client, ann):
        here = f'href="{url("settings", ann.space)}"'
        for name in ("people:space_settings", "people:account"):
            assert here in client.get(reverse(name), follow=True).text

    def test_query_count_is_independent_of_the_links(
        self, client, ann, bot, django_assert_max_num_queries
    ):
        TelegramLinkFactory.create_batch(
            5, space=ann.space, person=PersonFactory(space=ann.space)
        )
        with django_assert_max_num_queries(20):
            client.get(url("settings", ann.space))

    def test_hostile_names_are_escaped(self, client, ann, bot):
        evil = "<script>alert(1)</script>"
        member = MembershipFactory(space=ann.space, user__name=evil)
        TelegramLinkFactory(
            space=ann.space,
            user=member.user,
            person=PersonFactory(space=ann.space, name=evil),
        )
        assert evil not in client.get(url("settings", ann.space)).text


class TestLinkingOthers:
    def test_id_without_user_and_person_is_refused(self, client, ann, bot):
        answer = add(client, ann.space, "5000000001")
        assert answer.status_code == 422
        assert "Choose a person, a user, or both." in answer.text
        assert not TelegramLink.objects.exists()

    def test_link_needs_only_a_person(self, client, ann):
        anna = PersonFactory(space=ann.space)
        assert add(client, ann.space, "5000000001", person=anna.pk).status_code == 302
        link = TelegramLink.objects.get()
        assert (link.telegram_id, link.user, link.person) == (5000000001, None, anna)

    def test_link_has_a_person_and_a_user_of_the_space(self, client, ann, bob):
        anna = PersonFactory(space=ann.space)
        add(client, ann.space, "5", person=anna.pk, user=bob.user_id)
        link = TelegramLink.objects.get()
        assert (link.space, link.user, link.person) == (ann.space, bob.user, anna)

    def test_user_is_asked_by_mail_to_confirm_a_link(
        self, client, ann, bob, mailoutbox, wait_for_mail
    ):
        bob.user.locale = "pl"
        bob.user.save()
        add(client, ann.space, "5", user=ann.user_id)
        add(client, ann.space, "6", user=bob.user_id)
        wait_for_mail()
        (message,) = mailoutbox
        assert message.to == [bob.user.email]
        assert message.subject == f"Meddie: potwierdź konto Telegrama w „{SECRET}”"
        assert "identyfikator Telegrama 6" in message.body
        assert f"http://testserver{url('settings', ann.space)}" in message.body

    def test_an_id_is_linked_once(self, client, ann):
        TelegramLinkFactory(space=ann.space, telegram_id=5)
        answer = add(client, ann.space, "5")
        assert answer.status_code == 422
        assert "This Telegram ID is already linked here." in answer.text
        assert TelegramLink.objects.count() == 1

    def test_another_space_may_know_the_same_id(self, client, ann):
        TelegramLinkFactory(telegram_id=5)
        assert add(client, ann.space, "5", user=ann.user_id).status_code == 302

    @pytest.mark.parametrize(
        "telegram_id",
        [
            *("", "0", "-5", "1.5", "ann", "@ann", "5; DROP TABLE", "<b>5</b>"),
            *(str(2**52), str(2**64), "9" * 10_000, "\x005", "٣e1"),
        ],
    )
    def test_invalid_id_is_refused(self, client, ann, telegram_id):
        answer = add(client, ann.space, telegram_id)
        assert answer.status_code == 422
        assert "<b>5</b>" not in answer.text
        assert not TelegramLink.objects.exists()

    @pytest.mark.req("B-17")
    def test_people_and_users_of_other_spaces_cannot_be_chosen(self, client, ann):
        other = SpaceFactory(members=[ann.user])
        gone = MembershipFactory(space=ann.space)
        gone.delete()
        idle = MembershipFactory(space=ann.space, user__is_active=False)
        strangers = [UserFactory(), gone.user, idle.user]
        page = client.get(url("settings", ann.space)).text
        for user in strangers:
            assert str(user.pk) not in page
            assert add(client, ann.space, "5", user=user.pk).status_code == 422
        person = PersonFactory(space=other)
        assert add(client, ann.space, "5", person=person.pk).status_code == 422
        assert add(client, ann.space, "5", person="nonsense").status_code == 422
        assert not TelegramLink.objects.exists()

    def test_list_shows_blocks_and_removed_members(self, client, ann):
        TelegramLinkFactory(space=ann.space, blocked_at=timezone.now())
        page = client.get(url("settings", ann.space)).text
        assert ("has blocked the bot" in page, "no longer a member" in page) == (
            True,
            False,
        )
        ann.space.memberships.exclude(pk=ann.pk).delete()
        assert "no longer a member" in client.get(url("settings", ann.space)).text

    def test_removing_asks_first(self, client, ann):
        link = TelegramLinkFactory(space=ann.space)
        path = url("remove_link", ann.space, link_pk=link.pk)
        assert f"Remove the link of {link.telegram_id}?" in client.get(path).text
        assert TelegramLink.objects.exists()
        client.post(path)
        assert not TelegramLink.objects.exists()


class TestLinkingOneself:
    def test_deep_link_is_shown_once_and_links_its_user(self, ann, bot, bob):
        client = as_user(bob.user)
        page = client.post(url("link_mine", ann.space)).text
        found = re.search(rf"https://t\.me/{bot.username}\?start=([\w-]+)", page)
        assert found[1] not in client.get(url("settings", ann.space)).text
        assert redeem(ann.space_id, 5, found[1]).user == bob.user

    def test_page_looks_for_the_sender_of_an_open_code(self, ann, bot, bob):
        client, path = as_user(bob.user), url("settings", ann.space)
        looks = f'hx-get="{path}" hx-trigger="every 3s"'
        assert looks not in client.get(path).text
        page = client.post(url("link_mine", ann.space)).text
        assert looks in page
        assert looks in client.get(path).text
        code = page.partition("?start=")[2].partition('"')[0]
        redeem(ann.space_id, 5, code)
        page = client.get(path).text
        assert looks not in page
        assert "Confirm the Telegram ID 5" in page

    def test_deep_link_needs_a_bot(self, client, ann):
        assert client.post(url("link_mine", ann.space)).status_code == 404
        assert not TelegramLinkCode.objects.exists()

    def test_a_member_removes_their_own_link(self, ann, bob):
        link = TelegramLinkFactory(space=ann.space, user=bob.user)
        path = url("remove_link", ann.space, link_pk=link.pk)
        assert as_user(bob.user).post(path).status_code == 302
        assert not TelegramLink.objects.exists()


class TestConnecting:
    @pytest.fixture(autouse=True)
    def _server(self, telegram, settings):
        settings.TELEGRAM_API_URL = telegram.url
        settings.PUBLIC_URL = "https://meddie.example"

    def connect(self, client, space, token):
        return client.post(url("connect", space), {"token": token}, follow=True)

    def test_token_is_never_shown_again(self, client, ann):
        page = self.connect(client, ann.space, f" {TOKEN}\n").text
        assert "@meddie_test_bot is connected; its token ends with" in page
        for text in (page, client.get(url("settings", ann.space)).text):
            assert "webhook" in text
            assert TOKEN not in text
            assert TelegramBot.objects.get().secret not in text

    @pytest.mark.parametrize("token", ["", " ", "1001:wrong", "x" * 201, "a\x00b"])
    def test_wrong_token_is_refused_with_a_sentence(self, client, ann, token):
        answer = self.connect(client, ann.space, token)
        assert answer.status_code == 422
        assert 'class="error" id="id_token_error"' in answer.text
        assert "1001:wrong" not in answer.text
        assert not TelegramBot.objects.exists()

    def test_reconnecting_shows_its_result(self, client, ann, telegram):
        self.connect(client, ann.space, TOKEN)
        page = client.post(url("reconnect", ann.space), follow=True).text
        assert "Telegram has the current address of Meddie." in page
        telegram.queue("setWebhook", fails(400, "Bad Request: <b>no</b>"))
        page = client.post(url("reconnect", ann.space), follow=True).text
        assert "Telegram refused: 400 Bad Request: &lt;b&gt;no&lt;/b&gt;" in page

    def test_disconnecting_asks_first(self, client, ann, telegram):
        self.connect(client, ann.space, TOKEN)
        path = url("disconnect", ann.space)
        assert "Disconnect @meddie_test_bot?" in client.get(path).text
        assert TelegramBot.objects.exists()
        page = client.post(path, follow=True).text
        assert "@meddie_test_bot is no longer connected." in page
        assert telegram.bots[TOKEN].webhook == {}
        assert not TelegramBot.objects.exists()
