"""Why a proposed fact, or a wish to forget, ended as it did."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Reason(TextChoices):
    """The label is the sentence that a person reads; staff read all, users those of
    what they typed."""

    # stored
    NEW = "new", _("It was not known.")
    NEWER = "newer", _("It is newer than what was known.")
    REFINED = "refined", _("It says more than what was known.")
    CORRECTION = "correction", _("The user corrected what was known.")
    EDITED = "edited", _("The user edited what was known.")
    REVIVED = "revived", _("It was known before, and is true again.")
    # already known
    DUPLICATE = "duplicate", _("This is known already.")
    NEAR_DUPLICATE = "near_duplicate", _("This is known already, in other words.")
    SAME_MESSAGE = "same_message", _("The same message gave it in other words.")
    OUTDATED = "outdated", _("Something newer is known.")
    LESS_CERTAIN = "less_certain", _("What is known is more certain.")
    CONTRADICTED = (
        "contradicted",
        _("What the model says of the two facts does not fit its verdict."),
    )
    VETOED = "vetoed", _("The words or dates of the two facts do not allow it.")
    # not to be stored
    NOT_TEXT = "not_text", _("It is no text.")
    BLANK = "blank", _("It is empty.")
    TOO_LONG = "too_long", _("This is too long to remember. Shorten it.")
    LENGTH = "length", _("A fact has 4 to 190 characters.")
    TOO_SHORT = "too_short", _("It is too short to say anything.")
    TOO_MANY = "too_many", _("There were too many at once.")
    SECRET = (
        "secret",
        _("Meddie does not store passwords or account numbers."),
    )
    INSTRUCTION = (
        "instruction",
        _("Meddie remembers facts, not orders to itself."),
    )
    QUESTION = (
        "question",
        _("Meddie remembers statements, not questions."),
    )
    EMERGENCY = "emergency", _("It is about an emergency.")
    CATEGORY = "category", _("Its category is unknown.")
    CONFIDENCE = "confidence", _("It is too uncertain.")
    IMPORTANCE = "importance", _("It is too unimportant.")
    LOW_CONFIDENCE = "low_confidence", _("It is too uncertain.")
    FULL = "full", _("There is no room for more facts of this kind.")
    UNGROUNDED = "ungrounded", _("The message does not say it.")
    UNREAD_PICTURE = (
        "unread_picture",
        _("The message does not say it, and its picture is not read yet."),
    )
    NOT_STATED = "not_stated", _("The message does not claim it as true.")
    ASKED = "asked", _("The message asks about it.")
    DENIED = "denied", _("The message says the opposite.")
    ABOUT_ANOTHER = "about_another", _("The message says it of another person.")
    NO_EVIDENCE = "no_evidence", _("What is quoted for it is not in the message.")
    OF_PROMPT = "of_prompt", _("It repeats an example of Meddie's instructions.")
    OTHER_NUMBER = "other_number", _("A number, unit or date of it is not said.")
    RETRACTED = (
        "retracted",
        _(
            "You asked Meddie to forget this. To have it remembered again, say it in a conversation."
        ),
    )
    OFF_RECORD = "off_record", _("You asked not to keep it.")
    NO_MEMORY = (
        "no_memory",
        _("Memory is off. The user or the household has switched it off."),
    )
    CAPTURE_OFF = "capture_off", _("The household keeps no facts of replies.")
    LORE_OFF = "lore_off", _("The household keeps no facts for all of its members.")
    EMBEDDING_FAILED = (
        "embedding_failed",
        _("Meddie cannot store this right now. Try again shortly."),
    )
    # forgetting
    FORGOTTEN = "forgotten", _("The user asked to forget it.")
    ALREADY_FORGOTTEN = "already_forgotten", _("It was forgotten before.")
    NOT_FOUND = "not_found", _("Nothing like it is remembered.")
    OF_SPACE = "of_space", _("It is kept for the whole household.")
    NOT_WANTED = "not_wanted", _("The message does not ask for it.")
    OF_PROFILE = "of_profile", _("Data of the profile is always about the user.")
    GONE = "gone", _("This is no longer remembered.")
    # restoring
    CHANGED = "changed", _("It has changed in the meantime. Reload the page.")
    ERASED = "erased", _("Its text is erased.")
    REPLACED = "replaced", _("Another one took its place. Correct that one.")

    @property
    def told(self) -> dict[str, str]:
        """What programs are told."""
        return {"reason": self.value, "message": str(self.label)}


ASKED = frozenset({Reason.UNGROUNDED, Reason.OTHER_NUMBER, Reason.NOT_WANTED})
"""Why a change of notes, or a wish to forget, is asked first. Others refuse it."""
TAKEN_ANYWAY = frozenset({Reason.RETRACTED, Reason.QUESTION})
"""Why a fact is left out unless the user takes it line by line. Others stay out."""
