"""Type of a request with `login_required`."""

from django.http import HttpRequest

from people.models import User


class SignedInRequest(HttpRequest):
    user: User
