"""No other user reads what Ann wrote: every URL of the chat, every method.

A response about her rows equals the one about rows that do not exist.
"""

import re
from itertools import product
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from conversations.models import Attachment, Conversation, Message
from conversations.new_conversation import Start
from conversations.reply.append_messages import append_line
from conversations.reply.turn import begin
from conversations.web import urls
from people.models import Membership, Space
from tests.conversations.attachments.sent import png
from tests.factories import (
    AttachmentFactory,
    MembershipFactory,
    PersonFactory,
    ProfileUpdateFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "SECRET-of-Ann"
BACKEND = "django.contrib.auth.backends.ModelBackend"
METHODS = ["get", "head", "post", "put", "patch", "delete", "options"]
THINGS = sorted(
    (pattern.name, tuple(pattern.pattern.converters))
    for pattern in urls.urlpatterns
    if pattern.pattern.converters
)
OUTSIDERS = ["same space", "other space", "removed", "no space", "inactive"]


@pytest.fixture
def conversation():
    """A conversation of Ann's whose every word would be recognised."""
    ann = MembershipFactory(user__name="Ann")
    person = PersonFactory(space=ann.space, user=ann.user, name="Ann")
    turn = begin(ann.user, ann.space_id, SECRET, start=Start(person_id=person.pk))
    Message.objects.filter(pk=turn.reply_id).update(status="done", content=SECRET)
    update = ProfileUpdateFactory(person=person, author=ann.user, text=SECRET)
    AttachmentFactory(
        message=turn.message,
        name=f"{SECRET}.png",
        kind="image",
        content_type="image/png",
        content=png(40, 30),
    )
    AttachmentFactory(user=ann.user, space=ann.space, message=None, name=SECRET)
    reply = Message.objects.get(pk=turn.reply_id)
    with transaction.atomic():
        append_line(reply, SECRET, profile_update=update)
    return Conversation.objects.get()


def outsider(kind, conversation):
    if kind == "removed":
        Membership.objects.filter(user=conversation.user).delete()
        MembershipFactory(user=conversation.user)
        return conversation.user
    if kind == "inactive":
        conversation.user.is_active = False
        conversation.user.save()
        return conversation.user
    if kind == "same space":
        return MembershipFactory(space=conversation.space).user
    return MembershipFactory().user if kind == "other space" else UserFactory()


def keys_of(conversation, name):
    if name in {"attachment", "thumbnail", "remove_file"}:
        unsent = name == "remove_file"
        return {"pk": Attachment.objects.get(message__isnull=unsent).pk, "before": 99}
    of_message = {
        "message": "user",
        "files": "user",
        "edit": "user",
        "undo": "system",
        "forget": "system",
        "line": "system",
    }
    if name in of_message or name in {"reply", "stream", "stop", "regenerate"}:
        role = of_message.get(name, "assistant")
        return {"pk": conversation.messages.get(role=role).pk, "before": 99}
    return {"pk": conversation.pk, "before": 99}


def ask(client, method, name, keys, values):
    url = reverse(f"conversations:{name}", kwargs={key: values[key] for key in keys})
    data = (
        {"text": "Mine now", "title": "Mine now"} if method in ("get", "post") else None
    )
    answer = getattr(client, method)(url, data)
    assert not answer.streaming
    return answer.status_code, without_token(answer).replace(str(values["pk"]), "PK")


def without_token(answer):
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.text)


def everything():
    return [
        list(rows.order_by("pk").values())
        for rows in (
            Conversation.objects.all(),
            Message.objects.all(),
            Attachment.objects.all(),
        )
    ]


@pytest.mark.req("S0-09", "B-19")
@pytest.mark.parametrize("kind", OUTSIDERS)
def test_rows_of_others_look_like_missing_rows(kind, conversation):
    places = [(name, keys, keys_of(conversation, name)) for name, keys in THINGS]
    client = Client()
    client.force_login(outsider(kind, conversation), backend=BACKEND)
    before = everything()
    refused = {302, 405} if kind == "inactive" else {404, 405}
    for (name, keys, values), method in product(places, METHODS):
        hers = ask(client, method, name, keys, values)
        nothing = ask(client, method, name, keys, {"pk": uuid4(), "before": 99})
        assert hers == nothing, (name, method)
        assert hers[0] in refused, (name, method)
        assert SECRET not in hers[1], (name, method)
    assert everything() == before


def test_owner_reaches_her_own_pages(conversation):
    client = Client()
    client.force_login(conversation.user, backend=BACKEND)
    for name, keys in THINGS:
        values = keys_of(conversation, name)
        url = reverse(f"conversations:{name}", kwargs={k: values[k] for k in keys})
        assert client.get(url, follow=True).status_code in {200, 204, 405}, name


@pytest.mark.req("S0-08", "S0-09")
@pytest.mark.parametrize("kind", OUTSIDERS)
def test_no_list_of_another_user_shows_the_conversation(kind, conversation):
    client = Client()
    client.force_login(outsider(kind, conversation), backend=BACKEND)
    queries = ({}, {"q": "SECRET"}, {"space": conversation.space_id})
    for name, query in product(("list", "new"), queries):
        body = client.get(reverse(f"conversations:{name}"), query, follow=True).text
        assert str(conversation.pk) not in body, (name, query)
        assert f"{SECRET}</a>" not in body, (name, query)


@pytest.mark.parametrize("kind", OUTSIDERS)
def test_other_users_cannot_join_the_conversation(kind, conversation):
    client = Client()
    client.force_login(outsider(kind, conversation), backend=BACKEND)
    url = reverse("conversations:send")
    data = {"text": "Mine now", "conversation": str(conversation.pk)}
    answer = client.post(url, data)
    assert answer.status_code == (302 if kind == "inactive" else 404)
    assert not Message.objects.filter(content="Mine now").exists()


@pytest.mark.parametrize("kind", [kind for kind in OUTSIDERS if kind != "inactive"])
def test_files_of_others_are_unknown_in_messages(kind, conversation):
    user = outsider(kind, conversation)
    client = Client()
    client.force_login(user, backend=BACKEND)
    space = Space.objects.filter(memberships__user=user).first()
    answers = [
        client.post(
            reverse("conversations:send"),
            {"text": "Mine now", "attached": key, "space": space.pk if space else ""},
            headers={"HX-Request": "true"},
        )
        for key in (uuid4(), *Attachment.objects.values_list("pk", flat=True))
    ]
    expected = 422 if space else 404
    assert {answer.status_code for answer in answers} == {expected}
    assert len(set(map(without_token, answers))) == 1
    assert not Message.objects.filter(content="Mine now").exists()
    assert Attachment.objects.filter(message=None, name=SECRET).exists()
