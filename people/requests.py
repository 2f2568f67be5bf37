"""The type of a request behind `login_required`."""

from django.http import HttpRequest

from people.models import User


class SignedInRequest(HttpRequest):
    user: User
