"""A fact that is asked for, and what recall found."""

FACT = "User is allergic to ibuprofen"


def texts(found):
    return [item.text for item in found.items]
