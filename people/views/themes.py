"""Choosing between light and dark."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from meddie.themes import CHOICES, COOKIE
from people.requests import SignedInRequest

YEAR = 365 * 24 * 3600  # seconds


@login_required
@require_POST
def choose(request: SignedInRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in dict(CHOICES):
        raise Http404
    response = redirect("people:account")
    response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax", httponly=True)
    return response
