"""Why something cannot go on, said so that the reader knows what to do."""


class Refusal(Exception):
    """One sentence for the person at the terminal; the exit code is 1."""
