"""The page of recipes, each tried as it is written."""

import html
import re
import socket
from contextlib import contextmanager
from io import StringIO

import pytest
from django.test import Client
from dotenv import dotenv_values

from meddie.ai import configured as configuration
from meddie.ai.local_servers import SERVER_EXAMPLES, SERVERS
from people.models import User
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory
from tests.openai_answers import raw, says
from tests.openai_server import OpenAIServer
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
MODELS = b'{"data": [{"id": "nomic-embed-text"}, {"id": "llama3.2:3b"}, {"id": "a b"}]}'
LIST = "/v1/models"


@pytest.fixture
def member(settings):
    settings.BUNDLED_DATABASE = settings.LOCAL = True
    return MembershipFactory(user__is_staff=True)


def page(member):
    client = Client()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    return client.get("/model").content.decode()


def recipes(member):
    """The lines of OpenAI, Ollama, LM Studio and any other address."""
    found = re.findall(r"<pre[^>]*><code>(.*?)</code>", page(member), re.DOTALL)
    return [html.unescape(lines) for lines in found]


@contextmanager
def running(name):
    """A model server at the usual address of a program."""
    port = int(re.search(r":(\d+)/", SERVERS[name])[1])

    def is_free():
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            return probe.connect_ex(("127.0.0.1", port)) != 0

    wait_until(is_free)
    with OpenAIServer(port) as server:
        server.key = None
        server.models.default = lambda _body: raw(MODELS)
        server.chat.default = lambda _body: says("Paracetamol.")
        yield server


def use(settings, lines):
    """Read the lines as those of the file `.env`."""
    for name, value in dotenv_values(stream=StringIO(lines)).items():
        assert hasattr(settings, name)
        setattr(settings, name, value)


@pytest.mark.parametrize(("name", "number"), [("Ollama", 1), ("LM Studio", 2)])
def test_server_on_this_machine_is_found_and_answers(member, settings, name, number):
    with running(name) as server:
        assert f"{name} is running with: llama3.2:3b." in page(member)
        use(settings, recipes(member)[number])
        assert write(ask(member, "Hello")).content == "Paracetamol."
        assert server.chat.requests[-1].body["model"] == "llama3.2:3b"
        assert {request.path for request in server.models.requests} == {LIST}


@pytest.mark.parametrize(("name", "number"), [("Ollama", 1), ("LM Studio", 2)])
@pytest.mark.parametrize("models", [None, b'{"data": [{"id": "nomic-embed-text"}]}'])
def test_recipe_without_a_model_names_one_and_its_download(
    member, settings, name, number, models
):
    with running(name) as server:
        server.models.default = lambda _body: raw(models or b"")
        shown, lines = page(member), recipes(member)[number]
        model, command = SERVER_EXAMPLES[name]
        assert f"<code>{command}</code>" in shown
        assert model in command
        assert ("has no model for conversations" in shown) == (models is not None)
        either = f"If it has no model yet, get one in a terminal with <code>{command}"
        assert (either in shown) == (models is None)
        use(settings, lines)
        assert write(ask(member, "Hello")).content == "Paracetamol."
        assert server.chat.requests[-1].body["model"] == model


def test_found_server_is_taken_by_one_press(member, settings, monkeypatch, tmp_path):
    monkeypatch.setattr(configuration, "_file", lambda: tmp_path / "provider")
    settings.MODEL_SLOTS = None
    member.user.is_superuser = True
    member.user.save()
    with running("Ollama") as server:
        shown = page(member)
        assert "Ollama runs on this machine" in shown
        assert "LM Studio runs on this machine" not in shown
        form = shown[shown.index("Ollama runs") : shown.index("Use Ollama")]
        address = re.search(r'name="base_url" value="(.+?)"', form)[1]
        model = re.search(r"<option>(.+?)</option>", form)[1]
        client = Client()
        client.force_login(member.user, backend=settings.AUTHENTICATION_BACKENDS[1])
        client.post("/model/provider", {"base_url": address, "model": model})
        assert write(ask(member, "Hello")).content == "Paracetamol."
        assert server.chat.requests[-1].body["model"] == model == "llama3.2:3b"


def test_page_says_in_the_user_s_language_who_answers(member, settings):
    assert "a simple offline stand-in answers." in page(member)
    User.objects.update(locale="pl")
    assert "Meddie odpowiada w prostym trybie offline." in page(member)
    settings.OPENAI_API_KEY = "key"
    settings.CHAT_MODEL = "llama3.2"
    assert f"Odpowiada: llama3.2 ({settings.OPENAI_BASE_URL})" in page(member)


def test_recipes_of_a_provider_and_of_openai_work(member, settings, openai_server):
    openai, *_, other = recipes(member)
    address = settings.OPENAI_BASE_URL
    openai_server.chat.default = lambda _body: says("Paracetamol.")
    for lines in (
        openai.replace("sk-…", "test-key"),
        other.replace("https://…/v1", address).replace("=…", "=test-key"),
    ):
        use(settings, lines)
        assert write(ask(member, "Hello")).content == "Paracetamol."


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"data": 1}', b'{"data": [1]}', b'{"data": [{}]}']
)
def test_strange_answers_count_as_none(member, body):
    with running("Ollama") as server:
        server.models.default = lambda _body: raw(body)
        assert "Ollama does not answer" in page(member)


def test_servers_are_asked_for_staff_on_their_own_machine_only(member, settings):
    other = MembershipFactory()
    with running("Ollama") as server:
        page(other)
        settings.LOCAL = False
        page(member)
        settings.LOCAL, settings.BUNDLED_DATABASE = True, False
        page(member)
        assert server.models.requests == []
        settings.BUNDLED_DATABASE = True
        page(member)
        assert len(server.models.requests) == 1
