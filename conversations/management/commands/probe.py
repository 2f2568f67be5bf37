"""Probe prompts now, in this process."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.probes.questions import shown_question
from conversations.probes.run import probe
from people.management.member_options import named_user
from people.models import Membership


class Command(BaseCommand):
    help = (
        "Ask everyday questions as each member, and look whether the prompts have"
        " their allergies, medicines, pregnancies and implants. Fails if one is missing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", help="an address, a name or a key")
        parser.add_argument(
            "--answers",
            action="store_true",
            help="ask the model all questions, and whether its answers heed the facts",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        members = Membership.objects.remembering()
        if options["user"]:
            user = named_user(options["user"])
            members = members.filter(user=user)
            if not members.exists():
                raise CommandError(f"{user.email} is no member with memory.")
        asked = failed = 0
        for member in members.select_related("user", "space").order_by("pk"):
            outcome = probe(member.user, member.space, answers=options["answers"])
            asked += outcome.asked
            failed += len(outcome.failures)
            for failure in outcome.failures:
                where = "notes of the person" if failure.fact.in_notes else "memory"
                lacks = "not found" if failure.searched else "missing"
                lacks = "the answer does not heed" if failure.answered else lacks
                self.stdout.write(
                    f"{lacks}: {where} {failure.fact.key} of {member.user.email}, question"
                    f" {failure.question + 1}: {shown_question(failure.question)}"
                )
        self.stdout.write(f"{asked - failed} of {asked}")
        if failed:
            raise CommandError(f"{failed} probes failed.", returncode=1)
