"""Serve one user's memory to a desktop client."""

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.api.mcp.server import CALLER, server
from conversations.api.memories.caller import Caller
from people.models import ApiKey, Membership


class Command(BaseCommand):
    help = "Speak the Model Context Protocol over standard input and output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, help="The user's email address.")
        parser.add_argument("--space", default="", help="Its name; for several spaces.")

    def handle(self, *args: Any, **options: Any) -> None:
        members = Membership.objects.with_account().filter(
            user__email__iexact=options["user"], user__is_active=True
        )
        if options["space"]:
            members = members.filter(space__name=options["space"])
        found = list(members.select_related("user", "space")[:2])
        if len(found) != 1:
            many = "is in several spaces: name one with --space"
            none = "is no member of such a space"
            raise CommandError(f"{options['user']} {many if found else none}.")
        (member,) = found
        # A key that is not stored: who may start this command needs none.
        CALLER.set(Caller(ApiKey(space=member.space, user=member.user), member.user))
        asyncio.run(server.run_stdio_async())
