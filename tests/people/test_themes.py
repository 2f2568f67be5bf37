"""Light and dark, by choice."""

import pytest
from django.urls import reverse

from tests.factories import MembershipFactory


@pytest.fixture
def anns(client, db):
    user = MembershipFactory().user
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def choose(client, theme):
    return client.post(reverse("people:theme"), {"theme": theme})


@pytest.mark.parametrize("path", ["/account", "/nothing-here"])
def test_chosen_theme_is_on_every_page(anns, path):
    choose(anns, "dark")
    content = anns.get(path).content.decode()
    assert 'data-theme="dark"' in content
    assert '<meta name="color-scheme" content="dark">' in content


def test_theme_of_the_system_can_be_chosen_again(anns):
    choose(anns, "dark")
    choose(anns, "")
    assert "data-theme" not in anns.get("/account").content.decode()


def test_theme_stays_after_signing_out(anns):
    choose(anns, "light")
    anns.post(reverse("people:sign_out"))
    assert 'data-theme="light"' in anns.get("/sign-in").content.decode()


def test_unknown_theme_is_not_found(anns):
    assert choose(anns, "neon").status_code == 404
    anns.cookies["theme"] = '"><script>'
    assert "data-theme" not in anns.get("/account").content.decode()
