"""Every address pattern of Django's URL resolver, with the kinds of its arguments."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver

ROW = "row"
KINDS = {
    "pk": ROW,
    "external_pk": ROW,
    "key_pk": ROW,
    "link_pk": ROW,
    "member_pk": ROW,
    "proof_pk": ROW,
    "invitation_pk": ROW,
    "object_id": ROW,
    "memory": ROW,
    "job": ROW,
    "event": ROW,
    "id": ROW,
    "bot_id": "bot",
    "before": "number",
    "content_type_id": "number",
    "token": "token",
    "uidb64": "user",
    "client_id": "token",
    "app_label": "app",
    "url": "rest",
    "name": "rest",
    "path": "rest",
}
"""What an argument of a pattern names, by the argument's name."""
MODELS = {
    "<uuid:external_pk>": "ExternalUser",
    "<uuid:key_pk>": "ApiKey",
    "<uuid:link_pk>": "TelegramLink",
    "<uuid:member_pk>": "Membership",
    "<uuid:proof_pk>": "DeletionProof",
    "<uuid:invitation_pk>": "Invitation",
    "chat/attachment/": "Attachment",
    "chat/files/": "Attachment",
    "chat/reply/": "Message",
    "chat/message/": "Message",
    "chat/": "Conversation",
    "memory/": "Memory",
    "memories/jobs/": "CaptureJob",
    "v1/event/": "CaptureJob",
    "memories/": "Memory",
    "people/updates/": "ProfileUpdate",
    "people/": "Person",
    "sheet/links/": "SheetLink",
    "spaces/": "Space",
}
"""The model of an address's row, by the first part that it contains."""
PLACE = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


class UnknownArgument(Exception):
    def __init__(self, route: str, name: str) -> None:
        super().__init__(
            f"The address {route} has the argument {name}, whose values are not known:"
            " say in tests/fuzz/addresses.py what it names."
        )


@dataclass(frozen=True, slots=True)
class Address:
    """One pattern. Raises UnknownArgument."""

    route: str

    def __post_init__(self) -> None:
        for name in self.arguments:
            if name not in KINDS:
                raise UnknownArgument(self.route, name)

    @property
    def arguments(self) -> list[str]:
        return [plain or named for plain, named in PLACE.findall(self.route)]

    @property
    def is_admin(self) -> bool:
        return self.route.startswith("admin/")

    @property
    def model(self) -> str:
        """Empty if it is not known."""
        found = (model for part, model in MODELS.items() if part in self.route)
        return "" if self.is_admin else next(found, "")

    def kind_of(self, name: str) -> str:
        return KINDS[name]

    def path(self, values: Mapping[str, str]) -> str:
        """The path with these percent-encoded values."""
        return "/" + PLACE.sub(lambda found: values[found[1] or found[2]], self.route)


def all_addresses() -> list[Address]:
    routes = set(_routes(get_resolver(), ""))
    return [Address(route) for route in sorted(routes)]


def _routes(resolver: URLResolver, before: str) -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = before + _plain(str(entry.pattern))
        if isinstance(entry, URLPattern):
            yield route
        else:
            yield from _routes(entry, route)


def _plain(pattern: str) -> str:
    return pattern.removeprefix("^").removesuffix("$")
