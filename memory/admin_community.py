"""Admin page of community memories. A task embeds what is saved."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.text import one_line
from memory import visibility
from memory.models import CommunityMemory, Memory
from memory.models.embedded import NO_MODEL, NO_VECTOR
from memory.visibility import COMMUNITY_AUDIENCE
from memory.wording.same_fact import content_hash


class CommunityMemoryForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_content(self) -> str:
        text = one_line(self.cleaned_data["content"])
        if not text:
            raise forms.ValidationError(_("Write a sentence."))
        if exists(self.instance, text):
            raise forms.ValidationError(_("This memory exists already."))
        return text


@admin.register(CommunityMemory)
class CommunityMemoryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = CommunityMemoryForm
    list_display = ("content", "kind", "updated_at")
    ordering = ("-updated_at", "-pk")
    fields = ("content", "kind")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CommunityMemory]:
        rows: QuerySet[CommunityMemory] = super().get_queryset(request)
        columns = ("embedding", "near", "content_tsv", "evidence_tsv")
        return rows.filter(visibility.COMMUNITY).defer(*columns)

    def save_model(
        self, request: HttpRequest, obj: CommunityMemory, form: Any, change: Any
    ) -> None:
        publish(obj)


def exists(memory: CommunityMemory, text: str) -> bool:
    """Whether another community memory has this text."""
    rows = Memory.objects.community().exclude(pk=memory.pk)
    return rows.filter(content_hash=content_hash(text)).exists()


def publish(memory: CommunityMemory) -> None:
    """Store the text without a vector, which a task adds after the commit."""
    memory.audience, memory.origin = COMMUNITY_AUDIENCE, Memory.Origin.OPERATOR
    memory.source = Memory.Source.MANUAL
    memory.content, memory.stated_at = one_line(memory.content), timezone.now()
    memory.content_hash = content_hash(memory.content)
    memory.vector, memory.embedding_model = NO_VECTOR, NO_MODEL
    memory.save()
    transaction.on_commit(partial(Memory.embed_later, [memory.pk]))
