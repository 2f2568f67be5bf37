class Refusal(Exception):
    """An error that is shown as one sentence."""
