"""What the user thinks of a reply."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from conversations.models import Feedback, Message
from conversations.web.forms import FeedbackForm
from conversations.web.own_rows import own_message
from people.access import PageRequest, signed_in


@require_POST
@signed_in
def feedback(request: PageRequest, pk: UUID) -> HttpResponse:
    """Store a rating, then its reason; without a rating, delete both."""
    role = Message.Role.ASSISTANT
    reply = own_message(request.user, pk, "conversation", role=role)
    form = FeedbackForm(request.POST)
    if not form.is_valid():
        return _answer(request, reply, said=_("This is too long to save. Shorten it."))
    rating, reason = form.cleaned_data["rating"], form.cleaned_data["reason"]
    given = Feedback.objects.filter(message=reply, user=request.user)
    if not rating:
        given.delete()
        return _answer(request, reply, said=_("Your feedback has been removed."))
    new = {"rating": rating, "space": reply.conversation.space}
    if "reason" in request.POST:
        new["reason"] = reason
    given.update_or_create(message=reply, user=request.user, defaults=new)
    if "reason" in request.POST:
        return _answer(request, reply, said=_("Thank you. Your feedback is saved."))
    return _answer(request, reply, asks_reason=True)


def _answer(
    request: PageRequest,
    reply: Message,
    *,
    asks_reason: bool = False,
    said: str = "",
) -> HttpResponse:
    given = reply.feedback.filter(user=request.user).first()
    shown = {"asks_reason": asks_reason, "said": said}
    context = {"message": reply, "given": given, **shown}
    if request.htmx:
        return render(request, "conversations/_feedback.html", context)
    if asks_reason:
        return render(request, "conversations/feedback.html", context)
    return redirect("conversations:show", reply.conversation_id)
