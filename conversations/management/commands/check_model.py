"""Try the configured models, and say what works."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.model_trial import FAILS, Step, try_model
from meddie.ai import embeddings
from meddie.ai.provider import current_provider


class Command(BaseCommand):
    help = (
        "Ask the configured models for a greeting, a note, facts as an object, a vector"
        " and a description of a picture; say what works, how fast, and what Meddie does"
        " because of it. Fails if there is no answer."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = embeddings.current_embedder()
        self.stdout.write(
            f"{current_provider().name}, embeddings of {embedder.model.name}"
        )
        steps = []
        for step in try_model():
            steps.append(step)
            self.stdout.write(_line(step))
            self.stdout.flush()
        if steps[0].outcome == FAILS:
            raise CommandError("The model does not answer.")


def _line(step: Step) -> str:
    error = f" ({step.error})" if step.error else ""
    parts = [f"{step.label}: {step.said}{error}."]
    if step.first_word is not None:
        parts.append(
            f"First word after {step.first_word:.2f} s, {step.rate:.0f} tokens/s."
        )
    if step.proposed:
        parts.append(f"{step.accepted} of {step.proposed} facts accepted.")
    return " ".join([*parts, str(step.consequence)]).strip()
