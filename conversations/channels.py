"""The ways in which messages come. Each app registers its own when it starts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from meddie.jobs.job import Job
from memory.models import policy

if TYPE_CHECKING:
    from conversations.models import Thread


@dataclass(frozen=True, slots=True)
class Channel:
    name: str
    label: Any
    inbox: type[Job] | None = None  # the model of its updates
    replies: bool = True
    captures: bool = False  # replies note facts down themselves
    own_prompt: bool = False  # it writes the prompt, and Meddie adds facts
    listed: bool = True  # else staff may delete its conversations
    named: bool = True  # lists say its label
    summed_up: bool = True
    writable: bool = True  # a person may write to it on the web
    # Tells in a thread, after the commit, that answers used what has this key, or what
    # of the files of the message with this key was not read.
    notify: "Callable[[Thread, UUID], None] | None" = None


CHANNELS: dict[str, Channel] = {}


def register_channel(channel: Channel) -> None:
    CHANNELS[channel.name] = channel
    if channel.captures:
        policy.NOTING_CHANNELS.add(channel.name)


def channel_of(thread: "Thread") -> Channel:
    return CHANNELS[thread.channel]


def choices() -> Iterator[tuple[str, Any]]:
    return ((channel.name, channel.label) for channel in CHANNELS.values())


def unlisted() -> list[str]:
    return [channel.name for channel in CHANNELS.values() if not channel.listed]


WEB = Channel("web", _("web"), captures=True, named=False)
