"""The pages and forms that an actor finds by following links."""

from collections import deque
from urllib.parse import urlencode

from tests.fuzz.actors import Actor
from tests.fuzz.addresses import Address
from tests.fuzz.checks import KEY
from tests.fuzz.pages import Form, Page


class Crawl:
    """`forms` has one for each set of fields at each kind of address; `pages` the
    requests that were made."""

    def __init__(self, actor: Actor, addresses: list[Address], most: int) -> None:
        self.actor = actor
        self.forms: list[Form] = []
        self.pages: list[Form] = []
        self._known: set[tuple[object, ...]] = set()
        self._waiting: deque[Form] = deque()
        staff = actor.name in actor.world.staff
        for address in addresses:
            if not address.arguments and (staff or not address.is_admin):
                self._add(Form("GET", address.path({})))
        while self._waiting and len(self.pages) < most:
            self.pages.append(self._waiting.popleft())
            self._visit(self.pages[-1])
        actor.settle("following links", own_may_change=True)

    def _visit(self, form: Form) -> None:
        query = urlencode(form.fields).encode()
        answer = self.actor.ask("GET", form.path, query=query)
        if not answer.header("content-type").startswith("text/html"):
            return
        page = Page(form.path, answer.text)
        for link in page.links:
            self._add(Form("GET", link))
        for found in page.forms:
            self._add(found)

    def _add(self, form: Form) -> None:
        """Pages are known by their address, forms by its kind."""
        kind = (form.method, KEY.sub("KEY", form.path), *sorted(form.fields))
        if form.method == "GET" and (form.path, *form.fields) not in self._known:
            self._known.add((form.path, *form.fields))
            self._waiting.append(form)
        if kind not in self._known and (form.fields or form.method != "GET"):
            self.forms.append(form)
        self._known.add(kind)
