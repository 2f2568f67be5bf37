"""Choosing between light and dark."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from meddie.themes import CHOICES, COOKIE
from people.access import PageRequest, signed_in

YEAR = 365 * 24 * 3600  # seconds


@signed_in
@require_POST
def choose(request: PageRequest) -> HttpResponse:
    theme = request.POST.get("theme", "")
    if theme not in dict(CHOICES):
        raise Http404
    response = redirect("people:account")
    response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax", httponly=True)
    return response
