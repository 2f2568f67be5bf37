"""A time zone that is typed: four hundred names are too many to scroll."""

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from babel.core import get_global
from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from people.models.user import current_name, zone_names

YEAR = [datetime(2026, month, 1, tzinfo=UTC) for month in range(1, 13)]
MOST_CITIES = 5  # that a refusal names


class ZoneInput(forms.TextInput):
    """A box with the names of time zones to choose from as one types."""

    def format_value(self, value: Any) -> str:
        return str(value or "").replace("_", " ")

    def render(
        self, name: str, value: Any, attrs: Any = None, renderer: Any = None
    ) -> SafeString:
        attrs = {**(attrs or {}), "list": f"{name}-names", "autocomplete": "off"}
        places = _places(get_language())
        shown = (
            (zone.replace("_", " "), ", ".join(places(zone)))
            for zone in sorted(zone_names())
        )
        options = format_html_join("", '<option value="{}" label="{}">', shown)
        box = super().render(name, value, attrs, renderer)
        return format_html(
            '{}<datalist id="{}-names">{}</datalist>', box, name, options
        )


class ZoneField(forms.CharField):
    """A time zone by its name, its city or its country, in any case.

    City and country are known in English and in the language of the page.
    """

    widget = ZoneInput
    zones: Collection[str] = ()

    def clean(self, value: Any) -> str:
        typed = super().clean(value).replace("_", " ").casefold()
        ours, english = _places(get_language()), _places("en")
        of_country = list[str]()
        for zone in sorted(self.zones):
            names = zip(ours(zone), english(zone), strict=True)
            cities, *countries = map(_folded, names)
            if typed in {*cities, *_folded([zone])}:
                return zone
            if any(typed in country for country in countries):
                of_country.append(zone)
        if of_country and len(set(map(_offsets, of_country))) == 1:
            return of_country[0]
        if of_country:
            named = ", ".join(ours(zone)[0] for zone in of_country[:MOST_CITIES])
            told = _("There are several time zones. Type a city, such as: %(cities)s.")
            raise forms.ValidationError(told % {"cities": named})
        raise forms.ValidationError(
            _("There is no such time zone. Type a city, such as Warsaw.")
        )


def _places(language: str | None) -> Callable[[str], list[str]]:
    """Tells the city of a zone in a language, and the country if the zone is of one."""
    locale = Locale.parse(language or "en", sep="-")
    cities = {
        current_name(zone) or zone: names["city"]
        for zone, names in locale.time_zones.items()
        if "city" in names
    }
    countries = get_global("zone_territories")

    def places(zone: str) -> list[str]:
        city = cities.get(zone, zone.rpartition("/")[2].replace("_", " "))
        country = locale.territories.get(countries.get(zone))
        return [city, country] if country else [city]

    return places


def _folded(names: Iterable[str]) -> list[str]:
    return [name.replace("_", " ").casefold() for name in names]


def _offsets(zone: str) -> tuple[Any, ...]:
    return tuple(moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in YEAR)
