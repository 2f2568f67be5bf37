"""Measured values of sentences that were written before the rule; half kept apart."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.wording.lab_units import (
    GRAMS,
    GRAMS_IN_LITRE,
    MOLAR_MASSES,
    MOLES_IN_LITRE,
    converted,
)
from memory.wording.measured import (
    SUBSTANCES,
    is_only_measured,
    measured_day,
    measures_of,
)
from memory.wording.numbers import Amount

HERE = Path(__file__).parent
NAMES = {"kilogram": "kg", "pound": "lb", "stone": "st", "percent": "%"}


def sentences(name):
    for line in (HERE / f"{name}.txt").read_text().splitlines():
        if not line.startswith("#"):
            text, _bar, wanted = line.partition(" |")
            yield text, [part.strip() for part in wanted.split(";") if part.strip()]


def told(measure):
    number, unit = measure.amount
    value = f"{number:.6g}" + (f"/{measure.lower:g}" if measure.lower else "")
    return f"{measure.kind} {value} {NAMES.get(unit, unit)}"


@pytest.mark.parametrize(("name", "least"), [("measures", 61), ("measures_apart", 50)])
def test_measured_values_of_sentences_are_read(name, least):
    rows = [
        (text, wanted, list(map(told, measures_of(text))))
        for text, wanted in sentences(name)
    ]
    misses = [row for row in rows if row[1] != row[2]]
    assert len(rows) - len(misses) >= least, misses
    # What is told of no measurement never becomes one.
    assert not [row for row in misses if not row[1]]


AMOUNTS = st.floats(0.5, 400).map(lambda number: round(number, 1))
MASSES = st.sampled_from(list(GRAMS))
UNITS_OF = {
    kind: [*GRAMS_IN_LITRE, "mmol/l", "µmol/l", "nmol/l"] for kind in MOLAR_MASSES
} | {"weight": list(GRAMS), "hba1c": ["percent", "mmol/mol"]}


@given(AMOUNTS, MASSES, MASSES)
def test_a_mass_survives_the_way_to_another_unit_and_back(number, ours, theirs):
    there = converted(Amount(number, ours), theirs, "weight")
    back = converted(Amount(there, theirs), ours, "weight")
    # What the rounding to a tenth of their unit may cost.
    assert abs(back - number) <= 0.051 * (GRAMS[theirs] / GRAMS[ours] + 1)


@given(AMOUNTS, st.sampled_from(list(MOLAR_MASSES)), st.data())
def test_a_concentration_survives_the_way_to_another_unit_and_back(number, kind, data):
    ours, theirs = (data.draw(st.sampled_from(UNITS_OF[kind])) for _ in "12")
    there = converted(Amount(number, ours), theirs, kind)
    assert converted(Amount(there, theirs), ours, kind) == pytest.approx(number, 0.011)


@given(AMOUNTS, st.data())
def test_moles_of_an_unknown_substance_are_not_converted(number, data):
    kind = data.draw(st.sampled_from(sorted(SUBSTANCES.keys() - MOLAR_MASSES.keys())))
    mass, moles = (
        data.draw(st.sampled_from(list(u))) for u in (GRAMS_IN_LITRE, MOLES_IN_LITRE)
    )
    assert converted(Amount(number, mass), moles, kind) is None
    assert converted(Amount(number, moles), mass, kind) is None


@pytest.mark.parametrize(
    ("number", "unit", "other", "kind", "wanted"),
    [
        (100, "mg/dl", "mmol/l", "glucose", 5.55),
        (1.05, "g/l", "mg/dl", "glucose", 105),
        (200, "mg/dl", "mmol/l", "cholesterol", 5.17),
        (150, "mg/dl", "mmol/l", "triglycerides", 1.69),
        (1, "mg/dl", "µmol/l", "creatinine", 88.4),
        (30, "ng/ml", "nmol/l", "vitamin_d", 74.9),
        (14, "g/dl", "mmol/l", "hemoglobin", 8.69),
        (18, "µg/l", "ng/ml", "ferritin", 18),
        (7, "percent", "mmol/mol", "hba1c", 53),
        (48, "mmol/mol", "percent", "hba1c", 6.5),
        (80, "kilogram", "pound", "weight", 176.4),
    ],
)
def test_known_conversions(number, unit, other, kind, wanted):
    assert converted(Amount(number, unit), other, kind) == wanted


@pytest.mark.parametrize(
    ("text", "day", "exact"),
    [
        ("On 3 May I weighed 82 kg", date(2026, 5, 3), True),
        ("W zeszłym miesiącu ważyłam 70 kg", date(2026, 10, 28), False),
        ("BP 130/85 on Monday", date(2026, 11, 23), True),
        ("Vitamin D 21 ng/ml in October", date(2026, 10, 1), False),
        ("I weigh 82 kg", date(2026, 11, 28), True),
    ],
)
def test_said_day_is_that_of_the_measurement(text, day, exact):
    assert measured_day(text, date(2026, 11, 28)) == (day, exact)


def test_vague_day_is_none():
    for text in ("I weighed 90 kg in 2019", "My BP was 130/85 a few weeks ago"):
        assert measured_day(text, date(2026, 11, 28)) is None


def test_laboratory_value_is_told_apart_from_a_dose():
    for text in ("Ferritin 34 µg/l", "Fasting glucose 104 mg/dl", "Mein HbA1c ist 7 %"):
        assert is_only_measured(text), text
    for text in (
        "I take vitamin D, my level was 21 ng/ml",
        "Magnesium 300 mg every evening",
        "Metformin 1000 mg, HbA1c 6.8 %",
        "Ramipril 5 mg, blood pressure 130/85",
    ):
        assert not is_only_measured(text), text
