"""How to connect a real model."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from meddie.ai.local_servers import find_servers, known_servers
from meddie.ai.provider import current_provider
from meddie.threads import run_db
from people.access import PageRequest, signed_in


@require_safe
@signed_in
async def show(request: PageRequest) -> HttpResponse:
    """Three recipes. Staff see what runs on this machine, if it is their own."""
    own = settings.LOCAL and settings.BUNDLED_DATABASE and request.user.is_staff
    context = {
        "servers": await find_servers() if own else known_servers(),
        "looked": own,
        "offline": not current_provider().connected,
        "model": settings.CHAT_MODEL,
        "address": settings.OPENAI_BASE_URL,
    }
    return await run_db(render, request, "conversations/model.html", context)
