"""The page on which staff see how a text is judged, and which examples are near."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from memory.judgement.judge import (
    MARGINS,
    Judged,
    is_fitted,
    judge_closely,
    nearest_examples,
)

NAME = "judgement"
RIGHTS = ("memory.view_memoryevent",)


class JudgementForm(forms.Form):
    text = forms.CharField(
        label=_("text"), max_length=2000, widget=forms.Textarea({"rows": 3})
    )


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    judged: Judged

    @property
    def rows(self) -> list[tuple[str, float, float, bool]]:
        """Each class with its score and margin, and whether the sentence is of it."""
        scores = sorted(self.judged.scores.items(), key=lambda pair: -pair[1])
        return [(name, s, MARGINS[name], s > MARGINS[name]) for name, s in scores]

    @property
    def nearest(self) -> Iterator[tuple[float, str, str]]:
        return nearest_examples(self.judged.text)


def show_judgement(request: HttpRequest) -> HttpResponse:
    """Texts are in the body of the request, and so in no log."""
    form = JudgementForm(request.POST if request.method == "POST" else None)
    sentences = []
    if form.is_valid():
        judged = judge_closely(form.cleaned_data["text"])
        sentences = [JudgedSentence(judgement) for _place, judgement in judged]
    context = admin.site.each_context(request) | {
        "title": _("Judge a sentence"),
        "form": form,
        "sentences": sentences,
        "stale": not is_fitted(),
        "unjudged": any(not sentence.judged.scores for sentence in sentences),
    }
    return TemplateResponse(request, "admin/desk/judgement.html", context)
