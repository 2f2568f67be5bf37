"""Admin page of community memories. A task embeds what is saved."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from meddie.text import one_line
from memory import community, visibility
from memory.models import CommunityMemory


class CommunityMemoryForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean_content(self) -> str:
        text = one_line(self.cleaned_data["content"])
        if not text:
            raise forms.ValidationError(_("Write a sentence."))
        if community.exists(self.instance, text):
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
        community.publish(obj)
