"""A program that signs in by OAuth, and the browser of the person who lets it in."""

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.test import Client
from django.urls import reverse

from people.models import Membership

BACKEND = "django.contrib.auth.backends.ModelBackend"
CALLBACK = "https://claude.example/callback"
RESOURCE = "http://testserver/mcp"
VERIFIER = "v" * 50
DESCRIPTION = {
    "client_name": "Claude",
    "redirect_uris": [CALLBACK],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}


def challenge_of(verifier):
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def register(**changes):
    return Client().post(
        "/register", json.dumps(DESCRIPTION | changes), content_type="application/json"
    )


@dataclass
class Program:
    """A registered program. `signed_in` is the browser of the member."""

    member: Membership
    client_id: str = ""
    callback: str = CALLBACK
    browser: Client = field(default_factory=Client)

    def __post_init__(self):
        self.browser.force_login(self.member.user, backend=BACKEND)
        self.client_id = self.client_id or register().json()["client_id"]

    def asked(self, **changes):
        """The address that the program opens in the browser; None leaves a part out."""
        parts = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.callback,
            "scope": "memory",
            "state": "s1",
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "resource": RESOURCE,
        }
        return {k: v for k, v in (parts | changes).items() if v is not None}

    def page(self, **changes):
        return self.browser.get("/authorize", self.asked(**changes))

    def decide(self, page=None, *, allow=True, **changes):
        """The answer to the form of the page, with other values for some fields."""
        page = page or self.page()
        form = page.context["form"]
        values = {
            name: form.get_initial_for_field(f, name) for name, f in form.fields.items()
        }
        if space := values.get("space"):
            values["space"] = space.pk
        values = {k: v for k, v in (values | changes).items() if v is not None}
        if allow:
            values["allow"] = "true"
        return self.browser.post(
            page.request["PATH_INFO"] + "?" + page.request["QUERY_STRING"], values
        )

    def code(self, **changes):
        return told(self.decide(self.page(**changes)))["code"]

    def exchange(self, code, **changes):
        form = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": code,
            "redirect_uri": self.callback,
            "code_verifier": VERIFIER,
        }
        return send_form("/token", form | changes)

    def tokens(self):
        answer = self.exchange(self.code())
        assert answer.status_code == 200, answer.content
        return answer.json()

    def refresh(self, token, **changes):
        form = {"grant_type": "refresh_token", "client_id": self.client_id}
        return send_form("/token", form | {"refresh_token": token} | changes)


def send_form(path, form):
    form = {k: v for k, v in form.items() if v is not None}
    return Client().post(path, form)


def told(answer) -> dict[str, Any]:
    """What the browser brings to the program."""
    assert answer.status_code == 302, answer.content
    place = urlsplit(answer["Location"])
    return {name: found[0] for name, found in parse_qs(place.query).items()}


def call_mcp(token, method="tools/list", path="/mcp", **params):
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return Client().post(
        path,
        json.dumps(body),
        content_type="application/json",
        headers={
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-06-18",
        },
    )


def account_page(program):
    return program.browser.get(reverse("people:account"))
