"""Height and weight in the units of the reader."""

from decimal import Decimal

from django import template
from django.template.defaultfilters import floatformat

from people import units

register = template.Library()


@register.filter
def height(cm: Decimal, imperial: bool) -> str:  # noqa: FBT001 -- a template's argument
    if not imperial:
        return f"{floatformat(cm)} cm"
    feet, inches = units.feet_and_inches(cm)
    return f"{feet} ft {floatformat(inches)} in"


@register.filter
def weight(kg: Decimal, imperial: bool) -> str:  # noqa: FBT001 -- a template's argument
    return (
        f"{floatformat(units.pounds(kg))} lb" if imperial else f"{floatformat(kg)} kg"
    )
