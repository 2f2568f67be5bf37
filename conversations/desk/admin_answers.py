"""Answers: ratings, what they used and the models that gave them; and sheets shared."""

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.models import ChatModel, Feedback, OutdatedAnswer, SheetLink
from meddie.admin import ReadOnly, link_to_message
from memory.models import MemoryEvent
from people.admin.owned import OwnedList, SpaceFilter, UserFilter


@admin.register(Feedback)
class FeedbackAdmin(OwnedList):
    looks = MemoryEvent.objects
    recorded_as = "feedback"
    texts = ("reason",)
    list_display = ("updated_at", "rating", "reason", "user", "space", "conversation")
    list_select_related = ("user", "space", "message__conversation")
    list_filter = ("rating", "updated_at", SpaceFilter, UserFilter)
    search_fields = ("user__email", "=message__id")
    search_help_text = _("The user's address or the key of the reply.")
    date_hierarchy = "updated_at"
    ordering = ("-updated_at",)
    fields = ("rating", "reason", "user", "space", "updated_at", "conversation")
    readonly_fields = fields

    @admin.display(description=_("conversation"))
    def conversation(self, feedback: Feedback) -> SafeString | str:
        return link_to_message(feedback.message)


@admin.register(OutdatedAnswer)
class OutdatedAnswerAdmin(ReadOnly):
    """Marks without texts. A deleted one comes back if its fact changes again."""

    deletable = True
    list_display = ("changed_at", "change", "source", "answer")
    list_select_related = ("message__conversation",)
    list_filter = ("change",)
    search_fields = ("=source", "=message__id")
    search_help_text = _("The key of the fact or of the answer.")
    ordering = ("-changed_at",)
    fields = ("changed_at", "change", "source", "answer")
    readonly_fields = fields

    @admin.display(description=_("answer"))
    def answer(self, mark: OutdatedAnswer) -> SafeString | str:
        return link_to_message(mark.message)


@admin.register(ChatModel)
class ChatModelAdmin(ReadOnly):
    """A deleted row is counted from nothing, as of a model that is new."""

    deletable = True
    list_display = ("name", "without_block", "tried_at")
    fields = ("name", "without_block", "tried_at", "trial")


@admin.register(SheetLink)
class SheetLinkAdmin(ReadOnly):
    """Without texts. A deleted link opens nothing."""

    deletable = True
    list_display = ("created_at", "expires_at", "ended_at", "user", "space")
    list_select_related = ("user", "space")
    search_fields = ("user__email",)
    search_help_text = _("The user's address.")
    ordering = ("-created_at",)
    fields = ("user", "space", "created_at", "expires_at", "ended_at", "codes")
    readonly_fields = fields

    @admin.display(description=_("codes typed"))
    def codes(self, link: SheetLink) -> str:
        """Such as "3 right, 1 wrong"."""
        right = sum(opening.right for opening in link.openings.all())
        numbers = {"right": right, "wrong": link.openings.count() - right}
        return _("%(right)d right, %(wrong)d wrong") % numbers
