class Unreadable(Exception):
    """Its text is the code of the reason."""
