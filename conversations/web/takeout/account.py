"""A user's account and keys as data and as Markdown."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from axes.models import AccessLog
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.web.takeout.archive import Archive, dump
from meddie.text import markdown_escaped
from people.models import Membership, User


def write_account(archive: Archive, user: User) -> None:
    data = _data(user)
    archive.add_text("account.json", [dump(data), "\n"])
    archive.add_text("account.md", _markdown(user, data))


def _data(user: User) -> dict[str, Any]:
    keys = user.api_keys.select_related("space").order_by("created_at")
    links = user.telegram_links.select_related("space").order_by("created_at")
    sign_ins = AccessLog.objects.filter(username=user.email).order_by("attempt_time")
    members = user.memberships.select_related("space").order_by("created_at")
    return {
        "email": user.email,
        "name": user.name,
        "language": user.locale,
        "time_zone": user.time_zone,
        "memory_on": user.memory_on,
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "spaces": [
            {"name": one.space.name, "role": one.role, "since": one.created_at}
            for one in members
        ],
        "api_keys": [
            {
                "space": key.space.name,
                "name": key.name,
                "begins_with": key.prefix,
                "created": key.created_at,
                "last_used": key.last_used_at,
                "revoked": key.revoked_at,
            }
            for key in keys
        ],
        "telegram": [
            {"space": link.space.name, "telegram_id": link.telegram_id}
            for link in links
        ],
        "sign_ins": [
            {
                "at": one.attempt_time,
                "ip_address": one.ip_address,
                "browser": one.user_agent,
            }
            for one in sign_ins
        ],
    }


def _markdown(user: User, data: dict[str, Any]) -> Iterator[str]:
    yield f"# {_('Account')}\n\n"
    for label, value in (
        (_("Email address"), user.email),
        (_("Name"), user.name),
        (_("Language"), user.get_locale_display()),
        (_("Time zone"), user.time_zone),
        (_("Joined"), _moment(user.date_joined)),
    ):
        yield f"- {label}: {markdown_escaped(value)}\n"
    roles = dict(Membership.Role.choices)
    spaces = [one | {"role": roles[one["role"]]} for one in data["spaces"]]
    sign_ins = [one | {"at": _moment(one["at"])} for one in data["sign_ins"]]
    for heading, rows, names in (
        (_("Your spaces"), spaces, ("name", "role")),
        (_("API keys"), data["api_keys"], ("space", "name", "begins_with")),
        (_("Telegram"), data["telegram"], ("space", "telegram_id")),
        (_("Sign-ins"), sign_ins, ("at", "ip_address", "browser")),
    ):
        yield f"\n## {heading}\n\n" if rows else ""
        for row in rows:
            told = ", ".join(markdown_escaped(str(row[name])) for name in names)
            yield f"- {told}\n"


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")
