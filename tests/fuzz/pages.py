"""What a page offers (forms, `hx-` attributes, links), and what it may not contain."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

Attributes = dict[str, str]
HTMX = ("hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete")
ADDRESSES = {"href", "src", "action", "formaction", "data", "poster", "srcset", *HTMX}
LINKS = {"href", "data-page", "data-stream", "data-reply"}
CODE = re.compile(r"(?i)^[\s\x00-\x20]*(?:javascript|vbscript|data:text/html|js):")
TOKEN = "csrfmiddlewaretoken"


@dataclass
class Form:
    """A request that a page can make; `fields` has the values that it would send."""

    method: str
    path: str
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """A page at a path: its links, forms and inline code."""

    def __init__(self, path: str, html: str) -> None:
        super().__init__()
        self.place = path
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.code: list[str] = []
        self._by_id: dict[str, Form] = {}
        self._values: dict[str, tuple[str, str]] = {}
        self._including: list[tuple[Form, str]] = []
        self._form: Form | None = None
        self._select = self._text = ""
        self._script = False
        self.feed(html)
        self.close()
        self._include()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._look_for_code(tag, given)
        self._text = ""
        if tag == "form":
            self._open_form(given)
        elif tag in {"input", "textarea", "select", "button"} and "name" in given:
            self._add_field(tag, given)
        elif tag == "option" and self._select:
            self._choose(given)
        if tag not in {"form", "button"}:
            self._add_htmx(given)
        for name in LINKS & given.keys():
            self._follow(given[name])
        self._script = tag == "script" and not {"src", "type"} & given.keys()

    def handle_endtag(self, tag: str) -> None:
        self._script = False
        self._text = ""
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.code.append(f"inline script {data.strip()[:80]}")
        if self._text and self._form:
            self._form.fields[self._text] = data.lstrip("\n")

    def _look_for_code(self, tag: str, given: Attributes) -> None:
        for name, value in given.items():
            handler = name.startswith(("on", "hx-on")) or name == "srcdoc"
            if handler or (name in ADDRESSES and CODE.match(value)):
                self.code.append(f"<{tag} {name}={value[:80]!r}>")
        if tag == "base":
            self.code.append("<base>")

    def _open_form(self, given: Attributes) -> None:
        method = given.get("method", "get").upper()
        action = urljoin(self.place, given.get("action", ""))
        self._form = Form(method, action)
        self.forms.append(self._form)
        if "id" in given:
            self._by_id[given["id"]] = self._form

    def _add_field(self, tag: str, given: Attributes) -> None:
        name, value = given["name"], given.get("value", "")
        self._values[given.get("id", "")] = (name, value)
        form = self._by_id.get(given["form"]) if "form" in given else self._form
        if form is None or name == TOKEN:
            return
        if tag == "button":  # pressing it is a request of its own
            fields = {**form.fields, name: value}
            self.forms.append(Form(form.method, form.path, fields))
        elif name not in form.fields or given.get("type") not in {"radio", "checkbox"}:
            form.fields[name] = value
        if tag == "select":
            self._select = name
        elif tag == "textarea":
            self._text = name

    def _choose(self, given: Attributes) -> None:
        if self._form and ("selected" in given or not self._form.fields[self._select]):
            self._form.fields[self._select] = given.get("value", "")

    def _add_htmx(self, given: Attributes) -> None:
        for name in HTMX:
            if name in given:
                own = {given["name"]: given.get("value", "")} if "name" in given else {}
                path = urljoin(self.place, given[name])
                form = Form(name.removeprefix("hx-").upper(), path, own)
                self.forms.append(form)
                self._including.append((form, given.get("hx-include", "")))

    def _include(self) -> None:
        for form, selector in self._including:
            for name in re.findall(r"#([\w-]+)", selector):
                if name in self._values:
                    form.fields.setdefault(*self._values[name])

    def _follow(self, address: str) -> None:
        parts = urlsplit(urljoin(self.place, address))
        if parts.netloc or parts.path.startswith("/static/"):
            return
        if parts.query:
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            self.forms.append(Form("GET", parts.path, query))
        else:
            self.links.append(parts.path)


def events(body: str) -> Iterator[str]:
    """The HTML of server-sent events."""
    for line in body.split("\n"):
        if line.startswith("data: {"):
            data = json.loads(line.removeprefix("data: "))
            yield from (text for text in data.values() if isinstance(text, str))
