"""The fixed note about an emergency, in the language of the message."""

from conversations.emergencies.detect import LANGUAGES, find_emergency

NUMBERS = {"pl": ("112", "116 123", "116 111")}
"""By locale: emergency, crisis line for adults, for minors. Sources: docs/emergencies.md."""


def emergency_note(text: str, locale: str) -> str:
    """Return Markdown to show above the reply; empty without an emergency."""
    emergency = find_emergency(text)
    if emergency is None:
        return ""
    words = LANGUAGES[emergency.language]
    number, lines = words.LOCAL_NUMBER, words.LOCAL_LINES
    if locale in NUMBERS:
        number, adults, minors = NUMBERS[locale]
        lines = words.LINES.format(adults=adults, minors=minors)
    notes = [words.MEDICAL_NOTE if emergency.medical else words.CRISIS_NOTE]
    if emergency.crisis:
        notes.append(words.SUPPORT_NOTE)
    return "\n\n".join(note.format(number=number, lines=lines) for note in notes)
