"""The demo account of a new clone, with a space and an example household."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from conversations.examples import make_household
from meddie.embedded.locations import locations
from meddie.embedded.refusal import Refusal
from people.access import first_space
from people.models import User

DEMO_EMAIL = "demo@example.com"
DEMO_PASSWORD = "demo_password"  # noqa: S105 -- the name of its file
DRAFT = "demo_password.draft"  # its name until the account is stored


class Command(BaseCommand):
    help = "Make the demo account and its spaces, once (bundled database only)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print how to sign in: the password if the account was made now, else its file."""
        if not settings.BUNDLED_DATABASE:
            raise CommandError(
                "A demo account is made on the bundled database only; DATABASE_URL is "
                "set. `manage.py createsuperuser` makes a real account."
            )
        kept, draft = (locations().data / name for name in (DEMO_PASSWORD, DRAFT))
        if kept.exists():
            if _has_first_password():
                self.stdout.write(f"Sign in as {DEMO_EMAIL}; its password is in {kept}")
        elif settings.LOCAL and (draft.exists() or not User.objects.exists()):
            password = locations().secret(DRAFT, length=9)
            if not User.objects.exists():
                with transaction.atomic():
                    # On their own machine users may see everything, the admin too.
                    user = User.objects.create_superuser(
                        DEMO_EMAIL, password, name="Demo"
                    )
                    first_space(user)
                    make_household(user)
            draft.rename(kept)
            self.stdout.write(f"Sign in: {DEMO_EMAIL} / {password}")


def _has_first_password() -> bool:
    """Raises Refusal where others are let in: they may have read it in a log."""
    demo = User.objects.filter(email=DEMO_EMAIL).first()
    if not (demo and demo.check_password(locations().secret(DEMO_PASSWORD))):
        return False
    if settings.LOCAL:
        return True
    raise Refusal(
        f"{DEMO_EMAIL} still has its first password, and PUBLIC_URL or ALLOWED_HOSTS let "
        f"others in: run `manage.py changepassword {DEMO_EMAIL}`, or delete the account."
    )
