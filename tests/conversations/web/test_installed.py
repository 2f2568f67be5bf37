"""Meddie as an app of a phone: its manifest, and what other apps share with it."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from conversations.models import Attachment, Conversation
from meddie.themes import PAPER

LETTER = b"Buy oats."


@pytest.fixture
def careful(ann, home):
    """A browser of Ann's in which forms need their token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    return client


def share(client, *files, headers=None, **text):
    uploads = [SimpleUploadedFile(name, LETTER) for name in files]
    return client.post("/share", text | {"upload": uploads}, headers=headers)


def test_manifest_is_public_and_leads_to_a_new_conversation(client):
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["start_url"] == "/chat/new"
    assert manifest["share_target"]["action"] == "/share"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert all(icon["src"].startswith("/static/icon-") for icon in manifest["icons"])
    polish = client.get("/manifest.webmanifest", headers={"Accept-Language": "pl"})
    assert polish.json()["description"] != manifest["description"]


def test_colours_of_the_frame_are_those_of_the_pages(client):
    css = Path("static/tokens.css").read_text()
    light, dark = re.search(r"--paper: light-dark\((\S+), (\S+)\)", css).groups()
    assert {"light": light, "dark": dark} == PAPER
    page = client.get("/sign-in").text
    assert f'content="{light}" media="(prefers-color-scheme: light)"' in page
    assert f'content="{dark}" media="(prefers-color-scheme: dark)"' in page
    client.cookies["theme"] = "dark"
    page = client.get("/sign-in").text
    assert f'<meta name="theme-color" content="{dark}">' in page
    assert light not in page


def test_shared_text_and_files_become_a_draft_that_is_not_sent(careful, ann, home):
    sent = {"title": "A study", "text": "Read this https://a.example/x", "url": ""}
    page = share(careful, "letter.txt", **sent)
    assert page.status_code == 200
    assert "A study\nRead this https://a.example/x</textarea>" in page.text
    file = Attachment.objects.get()
    assert (file.user, file.space, file.message) == (ann, home, None)
    assert f'name="attached" value="{file.pk}"' in page.text
    assert not Conversation.objects.exists()


def test_address_is_told_once(careful):
    page = share(careful, text="See https://a.example/x", url="https://a.example/x")
    assert page.text.count("https://a.example/x") == 1


def test_refused_file_says_why_and_the_text_stays(careful):
    upload = SimpleUploadedFile("a.bin", b"\x00\x01\x02")
    page = careful.post("/share", {"text": "Look", "upload": [upload]})
    assert "can’t read this kind of file" in page.text
    assert "Look</textarea>" in page.text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_share_nothing(careful, site):
    answer = share(careful, "letter.txt", headers={"Sec-Fetch-Site": site}, text="x")
    assert answer.status_code == 403
    assert not Attachment.objects.exists()


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("http://testserver:8080", 403),  # the cookie is that of another port, too
        ("https://testserver", 403),
        ("null", 403),
        ("http://testserver", 200),
    ],
)
def test_origin_counts_where_a_browser_names_no_site(careful, origin, status):
    answer = share(careful, "letter.txt", headers={"Origin": origin}, text="x")
    assert answer.status_code == status
    assert Attachment.objects.exists() == (status == 200)


def test_strangers_sign_in_first(client, db):
    assert share(client, "letter.txt").headers["Location"].startswith("/sign-in")
    assert not Attachment.objects.exists()


def test_address_of_the_share_leads_to_a_new_conversation(anns):
    assert anns.get("/share").headers["Location"] == "/chat/new"


def test_page_without_a_network_has_nothing_of_the_user(anns, ann, home):
    ann.locale = "pl"
    ann.save()
    page = anns.get("/offline").text
    assert '<html lang="pl"' in page
    assert "Brak połączenia" in page
    assert not any(said in page for said in (ann.name, ann.email, home.name, "csrf"))


def test_service_worker_keeps_that_page_with_its_files_alone(client, anns):
    answer = client.get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    kept = json.loads(re.search(r"KEPT = (.*);", answer.text)[1])
    assert kept[0] == "/offline"
    assert all(file.startswith("/static/") for file in kept[1:])
    assert client.get(kept[0]).status_code == 200
    names = [re.sub(r"\.[0-9a-f]{12}(?=\.\w+$)", "", file[8:]) for file in kept[1:]]
    assert [name for name in names if finders.find(name) is None] == []
    other = client.get("/service-worker.js", headers={"Accept-Language": "pl"})
    assert other.text != answer.text  # so that browsers take the page again
