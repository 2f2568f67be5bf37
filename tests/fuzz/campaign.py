"""A whole run: every actor, every attack."""

import random

from tests.fuzz.actors import VISITOR, all_actors
from tests.fuzz.addresses import all_addresses
from tests.fuzz.attack import Attack, Scale
from tests.fuzz.crawl import Crawl
from tests.fuzz.door import recorded_failures
from tests.fuzz.forms import attack_bodies, attack_fields
from tests.fuzz.large import attack_imports, attack_sizes
from tests.fuzz.staff import attack_looks
from tests.fuzz.webhook import attack_webhook
from tests.fuzz.world import STAFF, build


def run(api_url: str, seed: int, scale: Scale) -> tuple[list[str], int]:
    """Try combinations; return what went wrong, and the requests."""
    rolls = random.Random(seed)  # noqa: S311 -- to be repeatable
    addresses, actors = all_addresses(), all_actors(build(api_url))
    attacks = [Attack(actor, addresses, rolls, scale) for actor in actors.values()]
    with recorded_failures():
        for attack in attacks:
            attack.foreign_keys()
            attack.parts()
            attack.no_token()
            crawl = Crawl(attack.actor, addresses, scale.pages)
            attack_fields(attack, crawl)
            attack_bodies(attack, crawl)
            attack_imports(attack)
            if attack.actor.name == VISITOR:
                attack_webhook(attack)
                attack_sizes(attack.actor)
            if attack.actor.name == STAFF:
                attack_looks(attack, crawl)
    findings = attacks[0].actor.findings
    return findings, sum(attack.actor.count for attack in attacks)
