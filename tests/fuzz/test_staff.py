"""Every page of the admin: looks at texts are recorded, and rows have names and dates."""

import re
from html.parser import HTMLParser
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.test import Client, RequestFactory
from django.urls import reverse

from memory.models import MemoryEvent
from people.models import User
from tests.fuzz.checks import KEY
from tests.fuzz.world import BACKEND, STAFF, build

INSPECTION = MemoryEvent.Kind.INSPECTION
MODELS = list(admin.site._registry)
AMERICAN = re.compile(r"\b[ap]\.m\.|\b[A-Z][a-z]+\.? \d{1,2}, \d{4}\b")
ROWS = 6  # of each model
AUTOCOMPLETED = (
    ("memory", "memorypolicy", "space"),
    ("people", "membership", "user"),
    ("people", "membership", "space"),
    ("people", "person", "user"),
)


class Words(HTMLParser):
    """What a reader of a page sees."""

    def __init__(self, html):
        super().__init__()
        self.hidden = 0
        self.seen = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in {"script", "style"}

    def handle_endtag(self, tag):
        self.hidden -= tag in {"script", "style"}

    def handle_data(self, data):
        if not self.hidden:
            self.seen.append(data)


@pytest.fixture
def world(api_url):
    return build(api_url)


@pytest.fixture
def staff(world):
    User.objects.filter(pk=world.users[STAFF].pk).update(is_superuser=True)
    client = Client()
    client.force_login(User.objects.get(pk=world.users[STAFF].pk), backend=BACKEND)
    return client


def address(model, page, *args):
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
    return reverse(name, args=args)


def lists_of(model, world):
    user, word = world.users["anna"].pk, "likes"
    for query in (
        {},
        {"_facets": "1"},
        {"_popup": "1"},
        {"o": "1"},
        {"q": word},
        {"user": user},
        {"user": user, "q": word, "_facets": "1"},
        {"user": user, "_popup": "1"},
    ):
        yield f"{address(model, 'changelist')}?{urlencode(query)}"


def rows_of(model):
    """The first rows that the list of the page has."""
    return admin.site._registry[model].get_queryset(RequestFactory().get("/"))[:ROWS]


def pages_of(model):
    for row in rows_of(model):
        for page in ("change", "history", "delete"):
            yield address(model, page, row.pk)
        if model._meta.model_name in {"memory", "profilefact"}:
            for page in ("correct", "erase"):
                yield address(model, page, row.pk)


def check(world, answer):
    """Sentences about what is wrong with an answered page."""
    looks = MemoryEvent.objects.filter(kind=INSPECTION).select_related("user")
    recorded = {look.user for look in looks}
    for word, owner in world.texts.items():
        if word in answer.text and owner not in recorded:
            yield f"shows {word}, and no look is recorded"
    seen = " ".join(Words(answer.text).seen)
    html = answer["Content-Type"].startswith("text/html")
    for found in {*KEY.findall(seen), *AMERICAN.findall(seen)} if html else ():
        around = seen.partition(found)[0][-60:]
        yield f"shows {' '.join(around.split())} {found}"
    if "Django" in seen:
        yield "names Django"


def problems(world, client, path, data=None):
    MemoryEvent.objects.filter(kind=INSPECTION).delete()
    answer = client.get(path) if data is None else client.post(path, data)
    if answer.status_code == 200:
        return [f"{path} {sentence}" for sentence in check(world, answer)]
    assert answer.status_code in {302, 400, 403, 404}, (path, answer.status_code)
    return []


def test_pages_that_show_texts_are_recorded(world, staff):
    found = []
    for model in MODELS:
        paths = [*lists_of(model, world), *pages_of(model)]
        found += [one for path in paths for one in problems(world, staff, path)]
        keys = [row.pk for row in rows_of(model)]
        delete = {"action": "delete_selected", "_selected_action": keys}
        found += problems(world, staff, address(model, "changelist"), delete)
    assert not found, "\n".join(found)


def test_pages_of_no_model_show_no_text_unrecorded(world, staff):
    paths = [reverse("admin:index"), *map(reverse, ("admin:queues", "admin:charts"))]
    paths += [
        reverse("admin:autocomplete")
        + f"?{urlencode({'app_label': app, 'model_name': name, 'field_name': field, 'term': 'qx'})}"
        for app, name, field in AUTOCOMPLETED
    ]
    for row in MODELS:
        paths.append(reverse("admin:app_list", args=[row._meta.app_label]))
    found = [
        one for path in dict.fromkeys(paths) for one in problems(world, staff, path)
    ]
    message = {"user": world.users["anna"].email, "channel": "web", "message": "fact"}
    message["space"] = world.spaces["home"].pk
    found += problems(world, staff, reverse("admin:inspector"), message)
    assert not found, "\n".join(found)


def test_texts_are_shown_at_all(world, staff):
    anna = world.users["anna"]
    fact = next(word for word in world.texts if word.endswith("homefact"))
    names = ("memory_memory", "memory_memoryevent", "conversations_conversation")
    for name, shown in zip(names, (fact, fact, "homeapititle"), strict=True):
        path = reverse(f"admin:{name}_changelist")
        assert shown in staff.get(path, {"user": anna.pk}).text
