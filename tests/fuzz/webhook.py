"""Attacks on the webhook: hostile updates, and updates without the bot's secret."""

from tests.fuzz.attack import NO_BOT, Attack
from tests.fuzz.checks import comparable
from tests.fuzz.values import UPDATE, UPDATES

SECRET = "X-Telegram-Bot-Api-Secret-Token"
JSON = "application/json"


def attack_webhook(attack: Attack) -> None:
    actor = attack.actor
    for bot in actor.world.bots:
        path = f"/telegram/{bot.bot_id}"
        for update in UPDATES:
            answer = actor.ask(
                "POST", path, body=(JSON, update), headers={SECRET: bot.secret}
            )
            if answer.status not in {200, 400}:
                actor.report(f"{path} {update[:80]!r}", f"is {answer.status}")
        own = {str(bot.space_id)}
        changed = actor.rows.changed()
        for row in actor.rows.changed_of_others(changed, own):
            actor.report(path, f"changed the {row}")
        actor.rows.restore(changed)
    _attack_secrets(attack)


def _attack_secrets(attack: Attack) -> None:
    """A wrong secret gets the answer of an unknown bot."""
    actor, bots = attack.actor, attack.actor.world.bots
    secrets = ["", "x", "\xff", bots[0].secret.upper(), "x" * 8000]
    for bot, other in ((bots[0], bots[1]), (bots[1], bots[0])):
        for secret in (*secrets, other.secret):
            answers = [
                comparable(
                    actor.ask(
                        "POST",
                        f"/telegram/{number}",
                        body=(JSON, UPDATE),
                        headers={SECRET: secret},
                    )
                )
                for number in (bot.bot_id, NO_BOT)
            ]
            if answers[0] != answers[1]:
                actor.report(f"/telegram/{bot.bot_id} {secret}", f"tells: {answers}")
    actor.settle("updates without a secret")
