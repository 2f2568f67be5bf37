"""The page on which staff see how a text is judged."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from conversations.desk import judging
from meddie.ai import local_embedder
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

RIGHT = "view_memoryevent"


@pytest.fixture
def viewer():
    user = UserFactory(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename=RIGHT))
    return user


@pytest.fixture
def desk(viewer):
    client = Client()
    client.force_login(viewer, backend="django.contrib.auth.backends.ModelBackend")
    return client


def judge(desk, text):
    return desk.post(reverse("admin:judgement"), {"text": text})


def test_page_shows_class_score_and_nearest_examples_of_each_sentence(desk):
    page = judge(desk, "It rains again. I can't breathe!")
    calm, urgent = page.context["sentences"]
    assert calm.judged.text == "It rains again."
    assert not any(found for *_, found in calm.rows)
    name, score, margin, found = urgent.rows[0]
    assert (name, found) == ("medical", True)
    assert score > margin
    assert len(list(urgent.nearest)) == 5
    assert "of this class" in page.text
    assert "breathe" in page.text


def test_nothing_is_judged_of_an_empty_or_too_long_text(desk):
    assert judge(desk, " ").context["sentences"] == []
    assert judge(desk, "x" * 2001).context["sentences"] == []
    assert desk.get(reverse("admin:judgement")).context["sentences"] == []


def test_page_says_that_the_encoder_is_missing(desk, monkeypatch):
    monkeypatch.setattr(local_embedder, "installed", lambda: False)
    assert "encoder is not installed" in judge(desk, "I can't breathe!").text


def test_page_says_that_the_examples_have_changed(desk, monkeypatch):
    assert "make judgement" not in judge(desk, "I like tea.").text
    monkeypatch.setattr(judging, "is_fitted", lambda: False)
    assert "Run make judgement" in judge(desk, "I like tea.").text


def test_page_needs_the_right_to_read_events(desk, viewer):
    assert reverse("admin:judgement") in desk.get(reverse("admin:index")).text
    viewer.user_permissions.clear()
    assert judge(desk, "I like tea.").status_code == 403
    assert reverse("admin:judgement") not in desk.get(reverse("admin:index")).text
