"""Filters in the address of an admin page, for staff with view rights only."""

import re
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import models
from django.urls import reverse

from tests.conversations import transcripts
from tests.factories import (
    AttachmentFactory,
    InvitationFactory,
    MembershipFactory,
    MemoryFactory,
    PersonFactory,
    ProfileUpdateFactory,
    TelegramLinkFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

TEXTS = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.GenericIPAddressField,
)
PAGES = [model for model in admin.site._registry if model._meta.app_label != "axes"]
LIBRARY = [model for model in admin.site._registry if model._meta.app_label == "axes"]


@pytest.fixture
def viewer(client):
    """Staff who may see every page and change nothing."""
    user = UserFactory(is_staff=True)
    rights = Permission.objects.filter(codename__startswith="view_")
    user.user_permissions.set(rights)
    client.force_login(user)
    return client


def test_columns_of_relations_are_named_in_the_language_of_the_page(client):
    client.force_login(UserFactory(is_staff=True, is_superuser=True, locale="de"))
    MemoryFactory()
    page = client.get("/admin/memory/memory/").text
    assert "Nutzer</span>" in page.replace("</a>", "</span>")
    assert ">User<" not in page


def listing(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def texts(model, depth=2):
    """Paths of all text columns, also through relations in both directions."""
    for field in model._meta.get_fields():
        if isinstance(field, TEXTS):
            yield field.name
        elif field.is_relation and depth and field.related_model:
            yield from (
                f"{field.name}__{path}"
                for path in texts(field.related_model, depth - 1)
            )


def offered(page):
    """What the filters of a page name, apart from those that name no column."""
    names = {one if isinstance(one, str) else one[0] for one in filters(page)}
    return names | {page.date_hierarchy}


def filters(page):
    return [one for one in page.list_filter if not isinstance(one, type)]


@pytest.mark.parametrize("model", [*PAGES, *LIBRARY], ids=lambda model: model.__name__)
def test_address_filters_by_no_text_that_the_page_does_not_offer(viewer, rf, model):
    page = admin.site._registry[model]
    for path in sorted(set(texts(model, 0)) - offered(page)):
        for lookup in (path, f"{path}__startswith", f"{path}__regex"):
            answer = viewer.get(listing(model), {lookup: "a"})
            assert answer.status_code == 400, lookup
    for path in set(texts(model)) - offered(page):
        for lookup in (path, f"{path}__startswith"):
            assert not page.lookup_allowed(lookup, "a", rf.get("/")), lookup


@pytest.mark.parametrize(
    "query",
    [
        "people/person/?health_notes__contains=HIV",
        "people/person/?user__password__startswith=a",
        "people/profileupdate/?new_value__contains=HIV",
        "people/invitation/?token_hash__startswith=a",
        "conversations/message/?content__startswith=My",
        "conversations/conversation/?title__contains=Knee",
        "conversations/conversation/?messages__content__contains=knee",
        "conversations/attachment/?name__contains=letter",
        "memory/memory/?content__contains=knee",
        "memory/memoryevent/?data__decisions__0__hash=a",
    ],
)
def test_texts_cannot_be_guessed_through_the_address(viewer, query):
    assert viewer.get(f"/admin/{query}").status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "conversations/message/?role__exact=%00",
        "memory/memory/?kind__exact=a%00b",
        f"people/profileupdate/?created_at__year={2**63}",
    ],
)
def test_values_that_no_column_holds_are_no_error(viewer, query):
    path = f"/admin/{query}"
    assert viewer.get(path, follow=True).status_code == 200


def test_history_without_rights_does_not_tell_whether_a_row_exists(client, db):
    client.force_login(UserFactory(is_staff=True))
    for key in (PersonFactory().pk, uuid4()):
        assert client.get(f"/admin/people/person/{key}/history/").status_code == 403


def test_pages_name_the_icon_of_the_site(viewer):
    """Else a browser asks for /favicon.ico, which is not there."""
    for page in ("/admin/", listing(PAGES[0])):
        assert re.search(
            r"<link rel=\"icon\" href=\"[^\"]*favicon", viewer.get(page).text
        )


@pytest.mark.slow
def test_every_filter_that_a_page_shows_works(viewer):
    member = MembershipFactory()
    person = PersonFactory(space=member.space, user=member.user)
    ProfileUpdateFactory(person=person)
    InvitationFactory()
    TelegramLinkFactory(space=member.space, user=member.user)
    MemoryFactory(user=member.user, space=member.space)
    conversation = transcripts.start_conversation(member.user, member.space)
    transcripts.exchange(conversation, "Question", "Answer")
    AttachmentFactory(message=conversation.messages.first())
    used = 0
    for model in PAGES:
        shown = viewer.get(listing(model)).text
        for query in set(re.findall(r'href="(\?\w+__?[^"]*)"', shown)):
            answer = viewer.get(listing(model) + query.replace("&amp;", "&"))
            assert answer.status_code == 200, (model, query)
            used += 1
    assert used > 50
