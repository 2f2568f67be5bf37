"""The demo account of a new clone."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from meddie.embedded.locations import locations
from meddie.embedded.refusal import Refusal
from people.models import Membership, Space, User

EMAIL = "demo@example.com"
PASSWORD = "demo_password"  # noqa: S105 -- the name of its file


class Command(BaseCommand):
    help = "Make the demo account and its space, once (bundled database only)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print how to sign in, if the account was made now."""
        if not settings.BUNDLED_DATABASE:
            raise CommandError(
                "A demo account is made on the bundled database only; DATABASE_URL is "
                "set. `manage.py createsuperuser` makes a real account."
            )
        made_before = (locations().data / PASSWORD).exists()
        if not settings.LOCAL:
            if made_before:
                _refuse_its_password()
        elif not made_before and not User.objects.exists():
            self.stdout.write(f"Sign in: {EMAIL} / {_make()}")


def _refuse_its_password() -> None:
    """Others may have read it in a log. Raises Refusal."""
    demo = User.objects.filter(email=EMAIL).first()
    if demo and demo.check_password(locations().secret(PASSWORD)):
        raise Refusal(
            f"{EMAIL} still has its first password, and PUBLIC_URL or ALLOWED_HOSTS let "
            f"others in: run `manage.py changepassword {EMAIL}`, or delete the account."
        )


@transaction.atomic
def _make() -> str:
    """Return its password. The file of the password remains if the account goes."""
    password = locations().secret(PASSWORD, length=9)
    # On their own machine users may see everything, the admin too.
    user = User.objects.create_superuser(EMAIL, password, name="Demo")
    space = Space.objects.create(name="Demo")
    space.memberships.create(user=user, role=Membership.Role.ADMIN)
    return password
