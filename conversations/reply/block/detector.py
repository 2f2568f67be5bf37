"""Whether what has come so far is the beginning of a block: a fence, a bracket, a brace,
and then the first key.

Models write keys with any quotation marks, with none, capitalised or escaped; all of
them count, because a block that is not known as one would be shown.
"""

from enum import Enum, auto

KNOWN_KEYS = frozenset(
    {
        "profile_updates",
        "memory_saves",
        "memory_forgets",
        "profile_facts",
        "memory_line",
    }
)
FENCES = "`~"
QUOTES = "\"'“”„‘’\\"  # noqa: RUF001 -- they are meant
LONGEST_INFO = 40
"""Characters after a fence that may still be the name of a language."""


class Verdict(Enum):
    OPEN = auto()  # it may still become a block
    NONE = auto()  # it is text; the last character does not belong to it
    BLOCK = auto()  # it is a block


class Opening:
    """Feed characters from the first fence, bracket or brace on.

    `held` is what waits for the verdict. `code` is the fence of the code example that
    is open: the same fence then ends the example and begins no block.
    """

    def __init__(self, first: str, *, code: str = "") -> None:
        self.held = first
        self.fence = first if first in FENCES else ""
        self._code = code
        self._key = ""
        self._state = self._in_run if self.fence else self._before_brace
        if first == "{":
            self._state = self._before_key

    @property
    def raw(self) -> str:
        """The object so far."""
        return self.held[self.held.index("{") :]

    @property
    def ends_code(self) -> bool:
        """Whether this is the fence that ends the code example."""
        return bool(self._code) and self.held.startswith(self._code)

    @property
    def is_fence(self) -> bool:
        return len(self.fence) >= 3

    def probable(self, *, cut: bool) -> bool:
        """Whether it looks like a block when the reply ends here.

        In a reply that was cut anything may have been meant as one; else what has a
        key, or a brace in a fence.
        """
        if self.ends_code:
            return False
        begun = "{" in self.held and (self.is_fence or len(self.raw.rstrip()) > 1)
        return cut or begun

    def step(self, char: str) -> Verdict:
        """Take one more character."""
        verdict = self._state(char)
        if verdict is not Verdict.NONE:
            self.held += char
        return verdict

    def _in_run(self, char: str) -> Verdict:
        if char == self.fence[0]:
            self.fence += char
            return Verdict.OPEN
        if not self.is_fence or self._code:
            return Verdict.NONE
        self._state = self._in_info
        return self._in_info(char)

    def _in_info(self, char: str) -> Verdict:
        if char in "{[\n":
            self._state = self._before_brace
            return self._before_brace(char)
        if char == "`" or len(self.held) > LONGEST_INFO:
            return Verdict.NONE
        return Verdict.OPEN

    def _before_brace(self, char: str) -> Verdict:
        if char == "{":
            self._state = self._before_key
            return Verdict.OPEN
        waits = char.isspace() or char in "[\ufeff"
        return Verdict.OPEN if waits else Verdict.NONE

    def _before_key(self, char: str) -> Verdict:
        if char.isspace() or char in QUOTES:
            return Verdict.OPEN
        self._state = self._in_key
        return self._in_key(char)

    def _in_key(self, char: str) -> Verdict:
        if self._key in KNOWN_KEYS and (char in QUOTES or char in ": \t\n"):
            return Verdict.BLOCK
        self._key += char.casefold()
        known = any(key.startswith(self._key) for key in KNOWN_KEYS)
        return Verdict.OPEN if known else Verdict.NONE
