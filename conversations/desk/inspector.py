"""The page on which staff see what recall finds, and the prompt that it makes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from conversations.channels import CHANNELS, choices
from conversations.desk.verdicts import WeighedShelf, keys_by_kind, weighed_shelves
from conversations.models import Conversation, Message, Receipt
from conversations.reply.history import history_of
from conversations.reply.known import (
    Setting,
    know,
    query_of_turn,
    unsaved_turn,
)
from conversations.reply.known_facts import KnownFacts
from conversations.reply.prompt import context
from conversations.reply.prompt_place import (
    PromptPlace,
    place_of_call,
    place_of_turn,
)
from conversations.reply.turn import LONGEST_MESSAGE, Turn
from memory import service
from memory.models import Memory, MemoryEvent, MemoryPolicy
from memory.recall.query import Query
from people.models import Space, User


@dataclass(frozen=True, slots=True)
class InspectedPrompt:
    """`part` is what the prompt has of memory, in the system message and the last."""

    ranking: str
    part: str
    known: KnownFacts
    shelves: Sequence[WeighedShelf]


def inspect_prompts(
    setting: Setting, text: str, rankings: Sequence[str]
) -> list[InspectedPrompt]:
    """Search once with each ranking. Raises NotFound if the user left the space."""
    turn = unsaved_turn(setting, text)
    history = history_of(turn)
    query = query_of_turn(turn, history)
    with _rolled_back():
        place = _place(setting, turn, history)
        return [
            _inspect(turn, query, replace(place, ranking=ranking))
            for ranking in rankings
        ]


def _place(setting: Setting, turn: Turn, history: Sequence[Message]) -> PromptPlace:
    if CHANNELS[setting.channel].own_prompt:
        said = [turn.message.content]
        return place_of_call(turn.scope, turn.policy, turn.zone, said, said)
    return place_of_turn(turn, history)


def _inspect(turn: Turn, query: Query | None, place: PromptPlace) -> InspectedPrompt:
    known = know(turn.scope, turn.policy, query, place)
    if place.brief.history:
        _prompt, known = known.fitted(settings.PROMPT_TOKENS)
        part, used = context.memory_part(known.brief(), settings.PROMPT_TOKENS)
    else:  # the client's own prompt
        *parts, used = context.build_memory(known.brief(), settings.PROMPT_TOKENS)
        part = "\n\n".join(filter(None, parts))
    weighed = service.explain(
        turn.scope,
        known.facts.query,
        policy=turn.policy,
        ranking=place.ranking,
        shelves=known.shelves,
    )
    shelves = weighed_shelves(weighed, known.facts, used)
    return InspectedPrompt(place.ranking, part, known.facts, shelves)


@contextmanager
def _rolled_back() -> Iterator[None]:
    """A turn takes messages about retired facts out of the search; a look does not."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


NAME = "inspector"
Ranking = MemoryPolicy.RankingName


class InspectorForm(forms.Form):
    """`space` may be empty if the user is a member of only one."""

    user = forms.EmailField(label=_("user"), help_text=_("The email address."))
    space = forms.ModelChoiceField(
        Space.objects.none(),
        label=_("space"),
        required=False,
        empty_label=_("the only space of the user"),
    )
    channel = forms.ChoiceField(label=_("channel"), choices=choices)
    conversation = forms.UUIDField(
        label=_("conversation"),
        required=False,
        help_text=_("Its key; without one the message begins a conversation."),
    )
    ranking = forms.ChoiceField(
        label=_("ranking"),
        required=False,
        choices=[("", _("that of the space")), *Ranking.choices],
    )
    other = forms.ChoiceField(
        label=_("compare with"),
        required=False,
        choices=[("", _("nothing")), *Ranking.choices],
    )
    message = forms.CharField(
        label=_("message"),
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea({"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        address = self.data.get("user") or self.initial.get("user") or ""
        self.known = User.objects.filter(email__iexact=address, is_active=True).first()
        if self.known is not None:
            spaces = Space.objects.filter(memberships__user=self.known)
            field = cast("forms.ModelChoiceField[Space]", self.fields["space"])
            field.queryset = spaces.order_by("name")

    def clean_user(self) -> User:
        if self.known is None:
            raise ValidationError(_("No active user has this address."))
        return self.known

    def clean_space(self) -> Space | None:
        if self.known is None or self.cleaned_data["space"]:
            return cast("Space | None", self.cleaned_data["space"])
        spaces = list(Space.objects.filter(memberships__user=self.known)[:2])
        if not spaces:
            raise ValidationError(_("The user is in no space."))
        if len(spaces) > 1:
            raise ValidationError(_("Choose one of these spaces."))
        return spaces[0]

    def clean(self) -> None:
        key, space = (
            self.cleaned_data.get("conversation"),
            self.cleaned_data.get("space"),
        )
        if key is None or space is None or self.known is None:
            return
        own = Conversation.objects.of(self.known.pk, space.pk)
        found = own.select_related("thread", "user", "person").filter(pk=key).first()
        if found is None:
            text = _("The user has no such conversation in this space.")
            self.add_error("conversation", text)
        self.cleaned_data["conversation"] = found

    def setting(self) -> Setting:
        given = self.cleaned_data
        conversation = given["conversation"]
        channel = conversation.thread.channel if conversation else given["channel"]
        return Setting(given["user"], given["space"], channel, conversation)

    def rankings(self) -> list[str]:
        """The chosen ones, or that of the space for the channel; each once."""
        setting = self.setting()
        policy = MemoryPolicy.objects.of(setting.space.pk)
        own_prompt = CHANNELS[setting.channel].own_prompt
        own = policy.api_ranking if own_prompt else policy.ranking
        chosen = [self.cleaned_data["ranking"] or own, self.cleaned_data["other"]]
        return list(dict.fromkeys(filter(None, chosen)))


def show_inspector(request: HttpRequest) -> HttpResponse:
    """Texts are in the body of the request, and so in no log."""
    form = InspectorForm(request.POST) if request.method == "POST" else None
    prompts: list[InspectedPrompt] = []
    if form is not None and form.is_valid():
        setting = form.setting()
        prompts = inspect_prompts(
            setting, form.cleaned_data["message"], form.rankings()
        )
        _record_look(cast("User", request.user), setting, prompts)
    context = admin.site.each_context(request) | {
        "title": _("Memory inspector"),
        "form": form or InspectorForm(initial=_initial(request)),
        "prompts": prompts,
        "labels": dict(Ranking.choices),
        "memory_off": bool(prompts)
        and not (setting.user.memory_on and setting.space.memory_on),
    }
    return TemplateResponse(request, "admin/desk/inspector.html", context)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """From the keys that links to the page carry."""
    names = ("user", "space", "conversation")
    initial: dict[str, Any] = dict.fromkeys(names)
    for name in names:
        with suppress(ValueError):
            initial[name] = UUID(request.GET.get(name, ""))
    user = User.objects.filter(pk=initial["user"], is_active=True).first()
    return initial | {"user": user.email if user else ""}


def _record_look(by: User, setting: Setting, prompts: list[InspectedPrompt]) -> None:
    """For the user, and for the owners of lent facts; of lore for who looked."""
    listed = {pair for prompt in prompts for pair in keys_by_kind(prompt.shelves)}
    of_facts = {Receipt.Kind.MEMORY, Receipt.Kind.LORE}
    facts = [key for kind, key in listed if kind in of_facts]
    others = Memory.objects.filter(pk__in=facts).exclude(user=setting.user)
    rows = list(others.only("pk", "user_id", "space_id"))
    if rows:
        MemoryEvent.objects.record_look(by, rows, "memories")
    MemoryEvent.objects.create(
        kind=MemoryEvent.Kind.INSPECTION,
        user=setting.user,
        space=setting.space,
        by=by,
        data={"inspected": sorted(str(key) for _, key in listed)},
    )
