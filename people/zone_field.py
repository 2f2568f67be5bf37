"""A time zone that is typed: four hundred names are too many to scroll."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from people.models.user import zone_names


class ZoneInput(forms.TextInput):
    """A box with the names of time zones to choose from as one types."""

    def format_value(self, value: Any) -> str:
        return str(value or "").replace("_", " ")

    def render(
        self, name: str, value: Any, attrs: Any = None, renderer: Any = None
    ) -> SafeString:
        attrs = {**(attrs or {}), "list": f"{name}-names", "autocomplete": "off"}
        shown = ((zone.replace("_", " "),) for zone in sorted(zone_names()))
        options = format_html_join("", "<option>{}</option>", shown)
        box = super().render(name, value, attrs, renderer)
        return format_html(
            '{}<datalist id="{}-names">{}</datalist>', box, name, options
        )


class ZoneField(forms.CharField):
    """A time zone by its name or by its city, in any case."""

    widget = ZoneInput
    zones: Collection[str] = ()

    def clean(self, value: Any) -> str:
        typed = super().clean(value).replace(" ", "_").lower()
        for zone in sorted(self.zones):
            if typed in {zone.lower(), zone.lower().rpartition("/")[2]}:
                return zone
        raise forms.ValidationError(
            _("There is no such time zone. Type a city, such as Warsaw.")
        )
