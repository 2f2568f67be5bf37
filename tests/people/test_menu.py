"""The menu marks the page that is open, or its parent."""

import re

import pytest
from django.urls import reverse

from tests.factories import MembershipFactory, PersonFactory, SpaceFactory


@pytest.fixture
def member(client, db):
    member = MembershipFactory(space__name="Home")
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    return member


def marked(client, path):
    content = client.get(path, follow=True).content.decode()
    menu = content[content.index('id="menu"') : content.index("</header>")]
    return re.findall(r'href="([^"]+)" aria-current="(\w+)"', menu)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/account", ("/account", "page")),
        ("/password/change", ("/account", "true")),
        ("/account/download", ("/account", "true")),
        ("/account/delete", ("/account", "true")),
        ("/account/email", ("/account", "true")),
        ("/spaces/new", ("/account", "true")),
        ("/spaces/{space}/leave", ("/account", "true")),
        ("/people/new", ("/people", "true")),
        ("/spaces/settings", ("/spaces/settings", "page")),
        ("/spaces/{space}/keys", ("/spaces/settings", "true")),
        ("/spaces/{space}/telegram", ("/spaces/settings", "true")),
        ("/chat", ("/chat", "page")),
    ],
)
def test_page_or_its_parent_is_marked(client, member, path, expected):
    assert marked(client, path.format(space=member.space_id)) == [expected]


@pytest.mark.parametrize("page", ["keys", "telegram"])
def test_members_find_their_keys_and_telegram_below_the_account(client, member, page):
    member.role = "member"
    member.save()
    path = f"/spaces/{member.space_id}/{page}"
    assert marked(client, path) == [("/account", "true")]


def test_person_marks_people(client, member):
    person = PersonFactory(space=member.space)
    path = reverse("people:person", args=[person.pk])
    assert marked(client, path) == [("/people", "true")]


def test_switcher_marks_the_current_space(client, member):
    assert 'class="switcher"' not in client.get("/account").content.decode()
    SpaceFactory(name="Office", members=[member.user])
    content = client.get("/account").content.decode()
    [marks] = re.findall(r'aria-current="true"><span dir="auto">(\w+)</span>', content)
    assert marks == "Home"
