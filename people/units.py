"""Pounds, feet and inches for what is stored in kilograms and centimetres.

Halves of a pound or an inch survive the way to the stored tenths and back.
"""

from decimal import Decimal

from people.access import PageRequest

KG_PER_POUND = Decimal("0.45359237")
CM_PER_INCH = Decimal("2.54")
TENTH = Decimal("0.1")


def is_imperial(request: PageRequest) -> bool:
    """As the user chose, else as is usual in the browser's first language."""
    if request.user.units:
        return request.user.units == request.user.Units.IMPERIAL
    languages = request.headers.get("Accept-Language", "")
    first = languages.partition(",")[0].partition(";")[0]
    return first.strip().casefold() == "en-us"


def pounds(kg: Decimal) -> Decimal:
    return _to_half(kg / KG_PER_POUND)


def kilograms(lb: Decimal) -> Decimal:
    return (lb * KG_PER_POUND).quantize(TENTH)


def feet_and_inches(cm: Decimal) -> tuple[int, Decimal]:
    inches = _to_half(cm / CM_PER_INCH)
    return int(inches // 12), inches % 12


def centimetres(feet: int, inches: Decimal) -> Decimal:
    return ((feet * 12 + inches) * CM_PER_INCH).quantize(TENTH)


def shortest(number: Decimal) -> Decimal:
    """The number without a zero after the point."""
    return Decimal(int(number)) if number == int(number) else number


def _to_half(number: Decimal) -> Decimal:
    """The nearest half, as short as it can be written."""
    return shortest(round(number * 2) / Decimal(2))
