"""Attacks on forms: hostile values and keys of others in each field; cut bodies."""

from tests.fuzz.actors import URLENCODED, encoded
from tests.fuzz.attack import Attack
from tests.fuzz.checks import comparable
from tests.fuzz.crawl import Crawl
from tests.fuzz.door import Answer
from tests.fuzz.pages import Form
from tests.fuzz.values import BODIES, HOSTILE, QUERIES
from tests.fuzz.world import STAFF

OF_SCRIPTS = {"/chat/send": ["key", "attached"], "/chat": ["page"]}
"""Fields that no form of a page names."""


def attack_fields(attack: Attack, crawl: Crawl) -> None:
    """The fields of forms, one at a time."""
    scale = attack.scale
    for form in attack.some(crawl.forms, scale.forms):
        names = [*form.fields, *OF_SCRIPTS.get(form.path, [])]
        for name in attack.some(names, scale.fields):
            for value in attack.some(HOSTILE, scale.values):
                _send(attack, form, {name: value}, attack.headers())
            # Staff find rows of others in the admin.
            viewed = attack.actor.name == STAFF and form.path.startswith("/admin/")
            for key in attack.some([] if viewed else attack.keys(), scale.keys):
                _compare(attack, form, name, key)
        if not form.fields:
            _send(attack, form, {}, attack.headers())
        attack.actor.settle(f"GET {form.path}", own_may_change=True)


def _compare(attack: Attack, form: Form, name: str, key: str) -> None:
    headers = attack.headers()
    answers = [
        comparable(_send(attack, form, {name: sent.encode()}, headers))
        for sent in (key, attack.no_key())
    ]
    if answers[0] != answers[1]:
        request = f"{form.method} {form.path} {name}={key} {headers}"
        attack.actor.report(request, f"tells of a row: {answers}")


def _send(
    attack: Attack,
    form: Form,
    changes: dict[str, bytes],
    headers: dict[str, str] | None,
) -> Answer:
    given = {name: value.encode() for name, value in form.fields.items()}
    fields = encoded(given | changes)
    if form.method == "GET":
        return attack.actor.ask("GET", form.path, query=fields, headers=headers)
    answer = attack.actor.ask(
        form.method, form.path, body=(URLENCODED, fields), headers=headers
    )
    request = f"{form.method} {form.path} {fields!r}"
    attack.actor.settle(request, own_may_change=True)
    return answer


def attack_bodies(attack: Attack, crawl: Crawl) -> None:
    """Malformed queries and forms, wrong content types."""
    scale = attack.scale
    for form in attack.some(crawl.forms, scale.forms):
        for query in attack.some(QUERIES, scale.keys):
            attack.actor.ask("GET", form.path, query=query)
        for body in attack.some(BODIES, scale.values) if form.method == "POST" else []:
            attack.actor.ask("POST", form.path, body=body)
            attack.actor.settle(f"POST {form.path} {body}", own_may_change=True)
    attack.actor.settle("malformed queries", own_may_change=True)
