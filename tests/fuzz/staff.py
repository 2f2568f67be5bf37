"""Attack by staff with view rights: looks at texts that are not recorded."""

from urllib.parse import urlencode

from memory.models import MemoryEvent
from tests.fuzz.attack import Attack
from tests.fuzz.crawl import Crawl


def attack_looks(attack: Attack, crawl: Crawl) -> None:
    """Each page that shows a text is recorded for the user whose text it is."""
    actor, texts = attack.actor, attack.actor.world.texts
    for page in attack.some(crawl.pages, attack.scale.pages // 2):
        query = urlencode(page.fields).encode()
        answer = actor.ask("GET", page.path, query=query)
        shown = set(actor.checks.canary.findall(answer.text)) & texts.keys()
        looks = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.INSPECTION)
        recorded = {look.user for look in looks}
        for word in sorted(shown):
            if texts[word] not in recorded:
                actor.report(page, f"shows {word}, and no look is recorded")
        actor.settle(page)
