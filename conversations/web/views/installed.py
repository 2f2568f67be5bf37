"""Meddie as an app of a phone: its manifest, and what other apps share with it."""

import json
import re
from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from conversations.attachments.storage import MOST_FILES, store
from conversations.refusals import TurnRefused
from conversations.web import chat_page
from conversations.web.responses import read_or_post
from conversations.web.views.pages import render_chat
from meddie.http.headers import has_own_origin
from meddie.text import storable
from meddie.themes import PAPER, chosen_theme
from people.access import PageRequest, own_space, signed_in

ICONS = {"any": ("icon-192.png", "icon-512.png"), "maskable": ("icon-maskable.png",)}
SHARED_FILES = ["image/*", "audio/*", "application/pdf", "text/*", ".docx", ".xlsx"]
OF_PAGE = re.compile(rf'(?:src|href)="({settings.STATIC_URL}[^"]+)"')
OWN_PAGES = frozenset({"none", "same-origin"})


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Public: browsers ask for it without a session."""
    icons = [
        {
            "src": static(name),
            "sizes": "192x192" if "192" in name else "512x512",
            "type": "image/png",
            "purpose": purpose,
        }
        for purpose, names in ICONS.items()
        for name in names
    ]
    document = {
        "id": "/",
        "name": "Meddie",
        "short_name": "Meddie",
        "description": _("A health assistant that remembers"),
        "start_url": reverse("conversations:new"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER["light"],
        "theme_color": PAPER["light"],
        "icons": icons,
        "share_target": {
            "action": reverse("conversations:share"),
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {
                **{name: name for name in ("title", "text", "url")},
                "files": [{"name": "upload", "accept": SHARED_FILES}],
            },
        },
    }
    return JsonResponse(document, content_type="application/manifest+json")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """At the root, so that its scope is all pages. A change of it is installed."""
    files = OF_PAGE.findall(_offline_page(request))
    kept = json.dumps([reverse("conversations:offline"), *files])
    look = f"{get_language()} {chosen_theme(request)}"
    context = {"kept": kept, "look": look}
    return HttpResponse(
        render_to_string("conversations/service_worker.js", context),
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": "no-cache"},
    )


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_offline_page(request))


def _offline_page(request: HttpRequest) -> str:
    """Browsers keep it: rendered without the request, nothing of a user is on it."""
    context = {"paper": PAPER, "theme": chosen_theme(request), "user": AnonymousUser()}
    return render_to_string("conversations/offline.html", context)


# Browsers send what is shared without a token. Other sites have no session here: its
# cookie is Lax.
@csrf_exempt
@read_or_post
@signed_in
def share(request: PageRequest) -> HttpResponse:
    """The draft of a new conversation, of what another app shares; nothing is sent."""
    if request.method != "POST":
        return redirect("conversations:new")
    if not _is_of_own_page(request):
        raise PermissionDenied
    space = own_space(request)
    context = chat_page.empty_context(request.user, space, None)
    context |= {"draft": _shared_text(request.POST), "unsent": []}
    try:
        for file in request.FILES.getlist("upload")[:MOST_FILES]:
            stored = store(request.user, space.pk, file.name or "", file)
            context["unsent"].append(stored)
    except TurnRefused as refusal:
        context["refusal"] = refusal
    return render_chat(request, context)


def _is_of_own_page(request: HttpRequest) -> bool:
    """By the origin where a browser says nothing else, as on plain http."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in OWN_PAGES
    return has_own_origin(request)


def _shared_text(sent: Mapping[str, str]) -> str:
    """Apps put the address into the text, too."""
    parts = [storable(sent.get(name, "")).strip() for name in ("title", "text", "url")]
    title, text, url = parts
    return "\n".join(filter(None, [title, text, "" if url in text else url]))
