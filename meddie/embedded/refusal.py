class Refusal(Exception):
    """An error that is shown as one sentence; the exit code is 1."""
