"""Units of what is measured, and the ways between them."""

from memory.wording.numbers import Amount

GRAMS = {"kilogram": 1000.0, "gram": 1.0, "pound": 453.59237, "stone": 6350.29318}
GRAMS_IN_LITRE = {
    "g/l": 1.0, "g/dl": 10.0, "mg/l": 1e-3, "mg/dl": 1e-2, "µg/l": 1e-6, "µg/dl": 1e-5,
    "ng/l": 1e-9, "ng/ml": 1e-6, "ng/dl": 1e-8, "pg/ml": 1e-9,
}  # fmt: skip
MOLES_IN_LITRE = {
    "mmol/l": 1e-3, "µmol/l": 1e-6, "nmol/l": 1e-9, "pmol/l": 1e-12, "mEq/l": 1e-3,
}  # fmt: skip
MOLAR_MASSES = {
    "glucose": 180.156, "cholesterol": 386.65, "ldl": 386.65, "hdl": 386.65,
    "triglycerides": 885.7, "creatinine": 113.12, "urea": 60.06, "uric_acid": 168.11,
    "bilirubin": 584.66, "calcium": 40.078, "magnesium": 24.305, "potassium": 39.098,
    "sodium": 22.990, "iron": 55.845, "vitamin_d": 400.64, "vitamin_b12": 1355.4,
    "ft4": 776.87, "ft3": 650.97,
    "hemoglobin": 16114.0,
}  # fmt: skip
"""In grams for each mole; of hemoglobin, as laboratories count it, of one of its four parts."""
MONOVALENT = frozenset({"potassium", "sodium"})
IFCC_OF_NGSP, IFCC_AT_ZERO = 10.929, -23.5  # of HbA1c, from percent to mmol/mol
LONGEST = 3  # figures of a converted number


def converted(amount: Amount, unit: str, kind: str) -> float | None:
    """The number in another unit; None where the way between them is not known."""
    if amount.unit == unit:
        return amount.number
    if kind == "hba1c":
        return _hba1c(amount, unit)
    ours, theirs = _grams(amount.unit, kind), _grams(unit, kind)
    if ours is None or theirs is None or (amount.unit in GRAMS) != (unit in GRAMS):
        return None
    return _rounded(amount.number * ours / theirs, amount.unit in GRAMS)


def _grams(unit: str, kind: str) -> float | None:
    """How many grams one is, of substances in a litre."""
    if unit in GRAMS or unit in GRAMS_IN_LITRE:
        return GRAMS.get(unit) or GRAMS_IN_LITRE[unit]
    mass, moles = MOLAR_MASSES.get(kind), MOLES_IN_LITRE.get(unit)
    if mass is None or moles is None or (unit == "mEq/l" and kind not in MONOVALENT):
        return None
    return mass * moles


def _hba1c(amount: Amount, unit: str) -> float | None:
    if (amount.unit, unit) == ("percent", "mmol/mol"):
        return float(round(amount.number * IFCC_OF_NGSP + IFCC_AT_ZERO))
    if (amount.unit, unit) == ("mmol/mol", "percent"):
        return round((amount.number - IFCC_AT_ZERO) / IFCC_OF_NGSP, 1)
    return None


def _rounded(number: float, is_mass: bool) -> float:  # noqa: FBT001 -- a step of one function
    return round(number, 1) if is_mass else float(f"{number:.{LONGEST}g}")
