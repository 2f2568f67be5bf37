"""Choosing, printing and sharing a sheet, and the page of its link."""

from datetime import timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from conversations.models import SheetLink
from conversations.web.facts.headings import HEADINGS
from conversations.web.forms import StorableField
from conversations.web.own_rows import own_sheet_link
from conversations.web.responses import read_or_post
from conversations.web.sheet import sheet_links
from conversations.web.sheet.lines import (
    SheetGroup,
    chosen_lines,
    group_lines,
    read_lines,
)
from meddie.threads import run_work
from people import mail, throttling
from people.access import PageRequest, current_space, person_of, signed_in
from people.models import Person, Space
from people.person_list import lacks

TICKED = ("allergy", "condition", "medicine")
"""Headings whose sure lines are ticked at first: no doctor may lack them."""
OF_PERSON = ("name", "date_of_birth")
MOST_ON_A_SHEET = 60  # lines and questions: about two pages A4
LIFETIMES = [
    (1, gettext_lazy("1 hour")),
    (24, gettext_lazy("1 day")),
    (24 * 7, gettext_lazy("7 days")),
    (24 * 30, gettext_lazy("30 days")),
]


class SheetForm(forms.Form):
    questions = StorableField(
        label=gettext_lazy("Questions for the doctor"),
        required=False,
        max_length=1000,
        widget=forms.Textarea({"dir": "auto", "rows": 3}),
    )
    hours = forms.ChoiceField(
        label=gettext_lazy("The link ends after"),
        choices=LIFETIMES,
        initial=24,
        required=False,
    )


class CodeForm(forms.Form):
    code = forms.RegexField(
        r"^\s*[0-9]{3}\s?[0-9]{3}\s*$",
        label=gettext_lazy("Code of six digits"),
        widget=forms.TextInput(
            {"inputmode": "numeric", "autocomplete": "off", "autofocus": True}
        ),
    )

    def clean_code(self) -> str:
        return "".join(self.cleaned_data["code"].split())


@read_or_post
@signed_in
async def choose(request: PageRequest) -> HttpResponse:
    """Tick lines; a POST shows the sheet of them, with `change` the choice again."""
    return await run_work(_choose, request)


def _choose(request: PageRequest) -> HttpResponse:
    space, person = place_of(request)
    form = SheetForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and "change" not in request.POST:
        groups = _read_sheet(request, form)
        if groups and not form.errors:
            return _show(request, person, form, groups)
    groups = group_lines(read_lines(request.user, space, person).values())
    rows = SheetLink.objects.filter(user=request.user, space=space)
    rows = rows.select_related("person").prefetch_related("openings")
    page = {
        "person": person,
        **whose(request, space),
        "most": MOST_ON_A_SHEET,
        "form": form,
        "errors": form.non_field_errors(),
        "groups": groups,
        "ticked": set(ticked_items(request)) if form.is_bound else _first_ticks(groups),
        "links": rows.order_by("-created_at"),
    }
    status = 422 if form.errors else 200
    return render(request, "conversations/sheet/choose.html", page, status=status)


def _first_ticks(groups: list[SheetGroup]) -> set[str]:
    return {
        line.key
        for group in groups
        for line in group.lines
        if line.key in OF_PERSON
        or (group.name in TICKED and line.heading and line.heading.sure)
    }


def place_of(request: PageRequest) -> tuple[Space, Person | None]:
    """The current space, and the person of the address or the one who is the user."""
    space = current_space(request)
    if space is None:
        raise Http404
    if text := request.GET.get("person"):
        try:
            return space, person_of(request.user, space, UUID(text))
        except ValueError as error:
            raise Http404 from error
    people = Person.objects.in_space(space.pk)
    return space, people.filter(user=request.user).first()


def whose(request: PageRequest, space: Space) -> dict[str, Any]:
    people = list(Person.objects.in_space(space.pk))
    return {"people": people, "offers_you": lacks(people, request.user)}


def ticked_items(request: PageRequest) -> dict[str, str]:
    """Keys of lines, each with its heading."""
    pairs = (item.partition(":") for item in request.POST.getlist("item"))
    return {key: name for name, _colon, key in pairs if name in HEADINGS}


def _read_sheet(request: PageRequest, form: SheetForm) -> list[SheetGroup]:
    """The ticked lines; an error of the form where they are no sheet."""
    groups = chosen_lines(request.user, *place_of(request), ticked_items(request))
    if form.is_valid() and not groups:
        form.add_error(None, _("Tick at least one line."))
    elif form.is_valid():
        asked = form.cleaned_data["questions"].splitlines()
        if sum(len(group.lines) for group in groups) + len(asked) > MOST_ON_A_SHEET:
            told = _("A sheet has at most %(number)d lines, with the questions.")
            form.add_error(None, told % {"number": MOST_ON_A_SHEET})
    return groups


def _show(
    request: PageRequest,
    person: Person | None,
    form: SheetForm,
    groups: list[SheetGroup],
    **further: Any,
) -> HttpResponse:
    page = {
        "person": person,
        "form": form,
        "groups": groups,
        "questions": form.cleaned_data["questions"].splitlines(),
    }
    status = further.pop("status", 200)
    return render(
        request, "conversations/sheet/sheet.html", page | further, status=status
    )


@read_or_post
@signed_in
async def share(request: PageRequest) -> HttpResponse:
    """Make a link; it and its code are in the answer alone, which a reload has lost."""
    if request.method != "POST":
        query = request.META["QUERY_STRING"]
        return redirect(reverse("sheet:choose") + (f"?{query}" if query else ""))
    return await run_work(_share, request)


def _share(request: PageRequest) -> HttpResponse:
    space, person = place_of(request)
    form = SheetForm(request.POST)
    groups = _read_sheet(request, form)
    if not groups or form.errors:
        return _choose(request)
    if not throttling.SHEETS.allows(request.user.pk):
        refusal = _("You have made a lot of links today. Try again tomorrow.")
        more = {"refusal": refusal, "status": HTTPStatus.TOO_MANY_REQUESTS}
        return _show(request, person, form, groups, **more)
    asked = form.cleaned_data
    lifetime = timedelta(hours=int(asked["hours"] or 24))
    owner = (request.user, space, person)
    items = {line.key: group.name for group in groups for line in group.lines}
    new = sheet_links.create_link(*owner, items, asked["questions"], lifetime)
    url = mail.public_url(request, reverse("sheet:shared", args=[new.token]))
    return _show(request, person, form, groups, new=new, url=url)


@require_POST
@signed_in
def end(request: PageRequest, pk: UUID) -> HttpResponse:
    sheet_links.end_link(own_sheet_link(request.user, pk))
    messages.success(request, _("The link has ended and can no longer be opened."))
    return redirect("sheet:choose")


@sensitive_post_parameters("code")
@never_cache
@read_or_post
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the code; the answer to the right one is the sheet as it reads now."""
    link = sheet_links.find_link(token)
    if link is None:
        raise Http404
    with timezone.override(link.user.zone):
        response = _shared(request, link, token)
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


def _shared(request: HttpRequest, link: SheetLink, token: str) -> HttpResponse:
    form = CodeForm(request.POST or None)
    status, address = 200, throttling.client_address(request) or ""
    if request.method == "POST" and not throttling.CODES.allows(address):
        told = _("Too many codes were typed. Try again in a quarter of an hour.")
        form.is_valid()
        form.add_error(None, told)
        status = HTTPStatus.TOO_MANY_REQUESTS
    elif form.is_valid():
        if sheet_links.try_code(link, token, form.cleaned_data["code"], address):
            owner = (link.user, link.space, link.person)
            page = {
                "groups": chosen_lines(*owner, link.items),
                "questions": link.questions.splitlines(),
            }
            return render(request, "conversations/sheet/shared.html", page)
        form.add_error("code", _("This is not the code."))
        status = 422
    page = {"form": form}
    return render(request, "conversations/sheet/code.html", page, status=status)
