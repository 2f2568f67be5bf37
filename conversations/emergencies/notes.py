"""The fixed note about an emergency, in the language of the message."""

from conversations.emergencies.detect import LANGUAGES, find_emergency

NUMBERS = {
    "pl": ("112", "800 70 2222"),
    "ru": ("112", "8 495 989-50-50"),
}  # by locale: emergency number, crisis line; docs/emergencies.md names the sources


def emergency_note(text: str, locale: str) -> str:
    """Return Markdown to show above the reply; empty without an emergency."""
    emergency = find_emergency(text)
    if emergency is None:
        return ""
    words = LANGUAGES[emergency.language]
    number, line = NUMBERS.get(locale, (words.LOCAL_NUMBER, words.LOCAL_LINE))
    notes = [words.MEDICAL_NOTE] * emergency.medical
    notes += [words.CRISIS_NOTE] * emergency.crisis
    return "\n\n".join(note.format(number=number, line=line) for note in notes)
