"""The languages that Meddie knows: the one table of them, from which lists elsewhere follow.

docs/developing.md says what else a language needs.
"""

from typing import NamedTuple


class Language(NamedTuple):
    """`code` is that of Unicode, `name` is for prompts.

    `interface` is its own name where the interface is translated, and `picture` its code
    in tesseract where text in pictures is read. `is_answered`: the stand-in speaks it
    (`locale/`). `has_values`: units and numbers are read. `has_past`: a time that a
    question names limits what recall finds. `is_dense`: no spaces between words.
    """

    code: str
    name: str
    interface: str = ""
    picture: str = ""
    is_answered: bool = False
    has_values: bool = False
    has_past: bool = False
    is_dense: bool = False


LANGUAGES = (
    Language(
        "en",
        "English",
        interface="English",
        picture="eng",
        is_answered=True,
        has_values=True,
        has_past=True,
    ),
    Language(
        "pl",
        "Polish",
        interface="polski",
        picture="pol",
        is_answered=True,
        has_values=True,
        has_past=True,
    ),
    Language("ru", "Russian", picture="rus", has_values=True, has_past=True),
    Language(
        "de",
        "German",
        interface="Deutsch",
        picture="deu",
        is_answered=True,
        has_values=True,
        has_past=True,
    ),
    Language(
        "es",
        "Spanish",
        interface="español",
        picture="spa",
        is_answered=True,
        has_values=True,
        has_past=True,
    ),
    # Its "hier" (yesterday) is German for "here".
    Language("fr", "French", has_values=True),
    Language("it", "Italian", has_values=True, has_past=True),
    Language("pt", "Portuguese", has_values=True, has_past=True),
    Language("nl", "Dutch", has_values=True, has_past=True),
    Language("uk", "Ukrainian", has_values=True, has_past=True),
    Language("cs", "Czech"),
    Language("sk", "Slovak"),
    Language("sv", "Swedish"),
    Language("da", "Danish"),
    Language("nb", "Norwegian"),
    Language("fi", "Finnish"),
    Language("hu", "Hungarian"),
    Language("ro", "Romanian"),
    Language("tr", "Turkish"),
    Language("bg", "Bulgarian"),
    Language("hr", "Croatian"),
    Language("el", "Greek"),
    Language("ar", "Arabic"),
    Language("he", "Hebrew"),
    Language("vi", "Vietnamese"),
    Language("id", "Indonesian"),
    Language("zh", "Chinese", has_values=True, is_dense=True),
    Language("ja", "Japanese", has_values=True, is_dense=True),
    Language("ko", "Korean", is_dense=True),
    Language("th", "Thai", is_dense=True),
)

ANSWERED = tuple(language.code for language in LANGUAGES if language.is_answered)
DENSE_LANGUAGES = tuple(language.code for language in LANGUAGES if language.is_dense)
