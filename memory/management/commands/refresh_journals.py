from typing import Any

from django.core.management.base import BaseCommand

from memory.operators.snapshots import refresh_snapshots


class Command(BaseCommand):
    help = "Bring the journals and snapshots of all spaces up to date now."

    def handle(self, *args: Any, **options: Any) -> None:
        refresh_snapshots()
