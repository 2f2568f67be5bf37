"""The Telegram settings of a space.

The views are sync, because connecting waits for Telegram.
"""

import uuid

from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from conversations.telegram import connection, links
from conversations.telegram.bot_api.schema import LARGEST_ID
from conversations.telegram.models import TelegramBot, TelegramLink
from people import mail
from people.access import (
    PageRequest,
    is_admin_of,
    signed_in,
    space_administered_by,
    space_of,
)
from people.forms import MemberField
from people.models import Membership, Person, Space, User


class TokenForm(forms.Form):
    token = forms.CharField(
        label=gettext_lazy("Token"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


class LinkForm(forms.ModelForm):  # type: ignore[type-arg]
    telegram_id = forms.IntegerField(
        label=gettext_lazy("Telegram ID"),
        min_value=1,
        max_value=LARGEST_ID - 1,
        help_text=gettext_lazy("The bot shows it to accounts that are not linked."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    class Meta:
        model = TelegramLink
        fields = ("telegram_id", "person", "user")

    def __init__(self, data: QueryDict | None = None, *, space: Space) -> None:
        super().__init__(data, instance=TelegramLink(space=space))
        self.fields["person"] = forms.ModelChoiceField(
            Person.objects.in_space(space.pk),
            label=_("Person"),
            required=False,
            empty_label=_("None"),
        )
        members = User.objects.filter(
            memberships__in=space.memberships.with_account(), is_active=True
        )
        self.fields["user"] = MemberField(
            members.order_by("name", "email"),
            label=_("User"),
            required=False,
            empty_label=_("None"),
            help_text=_(
                "Only a linked user has a memory on Telegram. Other users are asked"
                " to confirm the link first."
            ),
        )

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or self.cleaned_data
        if not cleaned.get("person") and not cleaned.get("user"):
            raise forms.ValidationError(_("Choose a person, a user, or both."))
        return cleaned

    def clean_telegram_id(self) -> int:
        telegram_id: int = self.cleaned_data["telegram_id"]
        here = TelegramLink.objects.filter(space=self.instance.space)
        if here.filter(telegram_id=telegram_id).exists():
            raise forms.ValidationError(_("This Telegram ID is already linked here."))
        return telegram_id


@signed_in
@require_safe
def settings(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Show admins the bot and all links, members their own link."""
    return _render(request, space_of(request.user, pk))


@sensitive_post_parameters("token")
@signed_in
@require_POST
def connect(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    space = space_administered_by(request.user, pk)
    form = TokenForm(request.POST)
    if form.is_valid():
        try:
            bot = connection.connect(space, form.cleaned_data["token"])
        except connection.NotConnected as refusal:
            form.add_error("token", str(refusal))
        else:
            text = _("%(bot)s is connected; its token ends with %(end)s.")
            messages.success(request, text % {"bot": bot, "end": bot.token_end})
            return redirect("telegram:settings", pk)
    return _render(request, space, status=422, token_form=form)


@signed_in
@require_POST
def reconnect(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    bot = _bot(space_administered_by(request.user, pk))
    try:
        connection.reconnect(bot)
    except connection.NotConnected as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Telegram has the current address of Meddie."))
    return redirect("telegram:settings", pk)


@signed_in
@require_http_methods(["GET", "POST"])
def disconnect(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Confirm, then delete the bot; links stay for the next one."""
    space = space_administered_by(request.user, pk)
    bot = _bot(space)
    if request.method == "GET":
        page = {"space": space, "bot": bot}
        return render(request, "conversations/telegram/disconnect.html", page)
    connection.disconnect(bot)
    messages.success(request, _("%s is no longer connected.") % bot)
    return redirect("telegram:settings", pk)


@signed_in
@require_POST
def link_mine(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Show, once, the address that links the member's own Telegram account."""
    space = space_of(request.user, pk)
    bot = _bot(space)
    code = links.make_code(request.user, space)
    return _render(request, space, link=f"https://t.me/{bot.username}?start={code}")


@signed_in
@require_POST
def add_link(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    space = space_administered_by(request.user, pk)
    form = LinkForm(request.POST, space=space)
    if form.is_valid():
        try:
            with transaction.atomic():
                link = form.save(commit=False)
                links.add_link(link, request.user)
        except IntegrityError:  # linked since the form checked
            form.add_error("telegram_id", _("This Telegram ID is already linked here."))
        else:
            ask_to_confirm(request, link)
            told = _("Linked.")
            if link.is_pending:
                told = _(
                    "Request sent. The bot answers this account once its user has"
                    " confirmed it."
                )
            messages.success(request, told)
            return redirect("telegram:settings", pk)
    return _render(request, space, status=422, link_form=form)


@signed_in
@require_POST
def confirm_link(
    request: PageRequest, pk: uuid.UUID, link_pk: uuid.UUID
) -> HttpResponse:
    """Confirm that a Telegram account is the user's own."""
    awaiting = request.user.telegram_links.awaiting()
    link = get_object_or_404(awaiting.filter(space=pk), pk=link_pk)
    links.confirm(link)
    messages.success(request, _("Linked."))
    return redirect("telegram:settings", pk)


@signed_in
@require_http_methods(["GET", "POST"])
def remove_link(
    request: PageRequest, pk: uuid.UUID, link_pk: uuid.UUID
) -> HttpResponse:
    """Ask first, then remove a link: admins any, members their own."""
    space = space_of(request.user, pk)
    link = get_object_or_404(_links(request, space), pk=link_pk)
    if request.method == "GET":
        page = {"space": space, "link": link}
        return render(request, "conversations/telegram/remove_link.html", page)
    link.delete()
    messages.success(request, _("The link has been removed."))
    return redirect("telegram:settings", pk)


def _bot(space: Space) -> TelegramBot:
    return get_object_or_404(TelegramBot.objects.defer("token", "secret"), space=space)


def _links(request: PageRequest, space: Space) -> QuerySet[TelegramLink]:
    """Links the user may remove; `belongs`: the linked user is still a member."""
    links = space.telegram_links.select_related("user", "person", "asked_by")
    if not is_admin_of(request.user, space):
        links = links.filter(user=request.user)
    members = Membership.objects.filter(space=space, user=OuterRef("user"))
    return links.annotate(belongs=Exists(members)).order_by("created_at", "pk")


def _render(
    request: PageRequest, space: Space, *, status: int = 200, **parts: object
) -> HttpResponse:
    # `parts` replaces the form that was sent.
    page: dict[str, object] = {
        "space": space,
        "bot": connection.bot_of(space),
        "links": _links(request, space),
        "awaiting": request.user.telegram_links.awaiting().filter(space=space),
        "has_open_code": links.has_open_code(request.user, space),
    }
    if is_admin_of(request.user, space):
        forms = {"token_form": TokenForm(), "link_form": LinkForm(space=space)}
        page |= {"is_admin": True, **forms}
    name = "conversations/telegram/settings.html"
    return render(request, name, page | parts, status=status)


def ask_to_confirm(request: HttpRequest, link: TelegramLink) -> None:
    """Ask the user of a pending link, in their language."""
    user = link.user
    if user is None or not link.is_pending:
        return
    url = mail.public_url(request, reverse("telegram:settings", args=[link.space_id]))
    page = {"link": link, "url": url}
    with override(user.locale):
        subject = _("Meddie: confirm a Telegram account in “%(space)s”")
        mail.send_later(
            subject % {"space": link.space.name},
            render_to_string("conversations/telegram/confirm_link.txt", page),
            user.email,
        )
