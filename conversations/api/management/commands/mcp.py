"""Serve one user's memory to a desktop client."""

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from conversations.api.mcp.server import CALLER, server
from conversations.api.memories.caller import Caller
from people.management.member_options import add_member_options, named_member
from people.models import ApiKey


class Command(BaseCommand):
    help = "Speak the Model Context Protocol over standard input and output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_member_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user, space = named_member(options)
        # A key that is not stored: who may start this command needs none.
        CALLER.set(Caller(ApiKey(space=space, user=user), user))
        asyncio.run(server.run_stdio_async())
