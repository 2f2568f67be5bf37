"""JSON that becomes much more than its bytes."""

MEGABYTE = 1024 * 1024


def filled(part: bytes, size: int) -> bytes:
    """An array of so many bytes."""
    return b"[" + part * (size // len(part)) + b"0]"


def field(value: bytes, name: str = "extra") -> bytes:
    """The request of a chat with one more field."""
    said = b'"model": "m", "messages": [{"role": "user", "content": "Hi"}]'
    return b'{%s, "%s": %s}' % (said, name.encode(), value)


MANY_VALUES = {
    "objects": b"{},",
    "arrays": b"[],",
    "texts": b'"",',
    "numbers": b"1,",
    "objects with a key": b'{"a":1},',
    "spaced": b"{ \n} , ",
    "nested": b'{"a":[{"b":[]}]},',
    "texts without commas": b'"" ',
    "openings": b'{"a":[',
}
# Few values that are large, or that are read slowly.
LARGE_VALUES = {
    "a text": lambda size: b'"%s"' % (b"a" * size),
    "escapes": lambda size: b'"%s"' % (rb"\n" * (size // 2)),
    "half characters": lambda size: b'"%s"' % (rb"\ud800" * (size // 6)),
    "a text with one emoji": lambda size: b'"%s\xf0\x9f\x98\x80"' % (b"a" * size),
    "quotation marks": lambda size: b'"%s"' % (rb"\"" * (size // 2)),
    "digits": lambda size: b"1" * size,
    "white space": lambda size: b" " * size + b"1",
}
