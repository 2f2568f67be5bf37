"""The emergency card of a person: its choice, the card to print, and its picture."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from conversations.models import EmergencyCard
from conversations.models.emergency_card import CONTACT_LIMIT, MOST_CONTACTS
from conversations.web.forms import StorableField
from conversations.web.responses import read_or_post
from conversations.web.sheet.card_picture import (
    CardLine,
    card_fits,
    draw_card,
    without_letters,
)
from conversations.web.sheet.lines import (
    SheetGroup,
    chosen_lines,
    group_lines,
    read_lines,
)
from conversations.web.sheet.views import place_of, ticked_items, whose
from meddie.threads import run_work
from people.access import PageRequest, signed_in
from people.models import Person, Space

ON_CARD = ("person", "allergy", "condition", "medicine", "operation")
"""Headings whose lines may be on a card. So may health notes under another."""
MOST_ON_CARD = 20  # lines, for one small page


class ContactForm(forms.Form):
    name = StorableField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=CONTACT_LIMIT,
        widget=forms.TextInput({"dir": "auto", "autocomplete": "off"}),
    )
    phone = StorableField(
        label=gettext_lazy("Telephone"),
        required=False,
        max_length=CONTACT_LIMIT,
        widget=forms.TextInput({"type": "tel", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("name") and not data.get("phone"):
            self.add_error("phone", _("Write the number, too."))
        return data


Contacts: Any = forms.formset_factory(
    ContactForm, extra=MOST_CONTACTS, max_num=MOST_CONTACTS, absolute_max=MOST_CONTACTS
)


@read_or_post
@signed_in
async def choose(request: PageRequest) -> HttpResponse:
    """Tick lines and type contacts; nothing is ticked by itself."""
    return await run_work(_choose, request)


def _choose(request: PageRequest) -> HttpResponse:
    space, person = place_of(request)
    card = _card(request, space, person) or EmergencyCard(
        user=request.user, space=space, person=person
    )
    first = [{"name": name, "phone": phone} for name, phone in card.contacts]
    contacts = Contacts(request.POST or None, initial=first)
    error = ""
    if request.method == "POST":
        card.items = ticked_items(request)
        groups = chosen_lines(request.user, space, person, card.items)
        if contacts.is_valid():
            card.contacts = _typed(contacts)
            error = _refusal(groups, card)
            if not error:
                _store(card)
                return redirect(_address("card", person))
    offered = group_lines(read_lines(request.user, space, person).values())
    page = {
        "person": person,
        **whose(request, space),
        "groups": [group for group in map(_on_card, offered) if group.lines],
        "ticked": set(card.items),
        "contacts": contacts,
        "errors": [error] if error else [],
        "is_stored": not card._state.adding,  # noqa: SLF001 -- Django's own flag
    }
    refused = error or (contacts.is_bound and not contacts.is_valid())
    return render(
        request,
        "conversations/sheet/card_choose.html",
        page,
        status=422 if refused else 200,
    )


def _on_card(group: SheetGroup) -> SheetGroup:
    """The judge may have found an allergy of the health notes to be something else."""
    if group.name in ON_CARD:
        return group
    notes = [line for line in group.lines if line.key.startswith("health_notes")]
    return SheetGroup(group.name, notes)


def _typed(contacts: Any) -> list[list[str]]:
    typed = (form.cleaned_data for form in contacts)
    pairs = ((data.get("name", ""), data.get("phone", "")) for data in typed)
    return [[name, phone] for name, phone in pairs if phone]


def _refusal(groups: list[SheetGroup], card: EmergencyCard) -> str:
    count = sum(len(group.lines) for group in groups)
    if not count and not card.contacts:
        return _("Tick at least one line.")
    if count > MOST_ON_CARD or not card_fits(_card_lines(groups, card)):
        return _("There is no room for so much on a card. Untick something.")
    return ""


def _store(card: EmergencyCard) -> None:
    EmergencyCard.objects.update_or_create(
        user=card.user,
        space=card.space,
        person=card.person,
        defaults={"items": card.items, "contacts": card.contacts},
    )


@never_cache
@require_safe
@signed_in
async def show(request: PageRequest) -> HttpResponse:
    """The card as it reads now, to print."""
    return await run_work(_show, request)


def _show(request: PageRequest) -> HttpResponse:
    space, person = place_of(request)
    card = _card(request, space, person)
    if card is None:
        return redirect(_address("card_choose", person))
    groups = chosen_lines(request.user, space, person, card.items)
    texts = "".join(line.text for line in _card_lines(groups, card))
    page = {
        "person": person,
        "groups": groups,
        "contacts": card.contacts,
        "query": f"?person={person.pk}" if person else "",
        "unreadable": without_letters(texts),
    }
    return render(request, "conversations/sheet/card.html", page)


@never_cache
@require_safe
@signed_in
async def card_picture(request: PageRequest) -> HttpResponse:
    return await run_work(_picture, request)


def _picture(request: PageRequest) -> HttpResponse:
    space, person = place_of(request)
    card = _card(request, space, person)
    if card is None:
        raise Http404
    groups = chosen_lines(request.user, space, person, card.items)
    png = draw_card(_card_lines(groups, card))
    headers = {"Content-Disposition": 'attachment; filename="emergency-card.png"'}
    return HttpResponse(png, content_type="image/png", headers=headers)


def _card_lines(groups: list[SheetGroup], card: EmergencyCard) -> list[CardLine]:
    lines = [CardLine(_("Emergency card"), is_heading=True)]
    for group in groups:
        if group.name != "person":
            lines.append(CardLine(group.heading, is_heading=True))
        lines += [CardLine(line.text) for line in group.lines]
    if card.contacts:
        lines.append(CardLine(_("In an emergency call"), is_heading=True))
        lines += [
            CardLine(f"{name} {_whole(phone)}".strip()) for name, phone in card.contacts
        ]
    return lines


def _whole(phone: str) -> str:
    """On one row."""
    return phone.replace(" ", "\u00a0")


def _card(
    request: PageRequest, space: Space, person: Person | None
) -> EmergencyCard | None:
    cards = EmergencyCard.objects.filter(user=request.user, space=space, person=person)
    return cards.first()


def _address(name: str, person: Person | None) -> str:
    query = f"?person={person.pk}" if person else ""
    return reverse(f"sheet:{name}") + query
