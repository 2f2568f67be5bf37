"""The demo account of a new clone."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from meddie.embedded.locations import locations
from people.models import Membership, Space, User

EMAIL = "demo@example.com"


class Command(BaseCommand):
    help = "Make the demo account and its space (bundled database only)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print how to sign in, for a new or existing account."""
        if not settings.BUNDLED_DATABASE:
            raise CommandError(
                "A demo account is made on the bundled database only; DATABASE_URL is "
                "set. `manage.py createsuperuser` makes a real account."
            )
        password = locations().secret("demo_password", length=9)
        user = User.objects.filter(email=EMAIL).first() or _make(password)
        shown = password if user.check_password(password) else "the password you chose"
        self.stdout.write(f"Sign in: {EMAIL} / {shown}")


@transaction.atomic
def _make(password: str) -> User:
    # On their own machine users may see everything, the admin too.
    user = User.objects.create_superuser(EMAIL, password, name="Demo")
    space = Space.objects.create(name="Demo")
    space.memberships.create(user=user, role=Membership.Role.ADMIN)
    return user
