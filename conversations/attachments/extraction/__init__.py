"""Text of documents and pictures, read in a child process without Django."""


class Unreadable(Exception):
    """Its text is the code of the reason."""
