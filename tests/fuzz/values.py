"""Values that no page offers. They are sent as bytes, which need not be UTF-8."""

import json
from uuid import UUID

MEGABYTE = 1024 * 1024
NOWHERE = UUID("00000000-0000-4000-8000-000000000000")
"""The key of no row."""

HOSTILE: tuple[bytes, ...] = tuple(
    value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
    for value in (
        "",
        " ",
        "0",
        "-1",
        "1e309",
        "NaN",
        "9" * 400,
        str(2**63),
        "\u0663",  # a digit of another alphabet
        "true",
        "null",
        "\x00",
        "a\x00b",
        "\x1b[31m",
        "\ud800",
        "\udfff\ud800",
        b"\xff\xfe",
        b"\xc0\xaf",
        "\u202egnp.exe",
        "\u200b",
        "\ufeff",
        "e\u0301" * 100,
        "👩‍👩‍👧‍👦" * 50,
        "x" * 256,
        "x" * MEGABYTE,
        "(" * 3000,
        "> " * 500 + "x",
        "' OR '1'='1",
        "'; DROP TABLE people_user; --",
        "%' ESCAPE '",
        "\\",
        "{{ settings.SECRET_KEY }}",
        "{% debug %}",
        "${7*7}",
        "%s%n%x",
        "../../../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "file:///etc/passwd",
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "javascript:alert(1)",
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' autofocus onfocus=alert(1) x='",
        "<svg/onload=alert(1)>",
        "[x](javascript:alert(1))",
        "```html\n<script>alert(1)</script>",
        "x\r\nSet-Cookie: evil=1",
        "x\r\n\r\n<html>",
        "x@example.com\nBcc: y@example.com",
        '{"$gt": ""}',
        "[]",
        '{"a": {"b": [1, 2, {"c": null}]}}',
        "0000-00-00",
        "9999-12-31T23:59:60Z",
        "-0001-01-01",
        "10000-01-01",
        str(NOWHERE),
        NOWHERE.hex,
        "00000000-0000-0000-0000-00000000000g",
    )
)
"""Each of them is one value of a field, a parameter or a part of a path."""

PATHS: tuple[bytes, ...] = (
    b"%",
    b"%zz",
    b"%00",
    b"%2e%2e%2f",
    b"%c0%af",
    b"%ff",
    b"%ed%a0%80",
    b"%0d%0aSet-Cookie:%20evil=1",
    b"..",
    b".",
    b"%2f%2fevil.example",
    b"%3Cscript%3Ealert(1)%3C/script%3E",
    b"-1",
    b"0",
    b"9" * 5000,
    b"a" * 20_000,
    b"%D9%A3",
    b"%F0%9F%92%A3",
)
"""Parts of a path, as they are sent."""

QUERIES: tuple[bytes, ...] = (
    b"%",
    b"=&=&&&==",
    b"a[]=1&a[0][b]=2",
    b"q=%ff%fe",
    b"q=%ed%a0%80&page=%00",
    b"q=%",
    b"q\xff=\xff",
    b"next=%0d%0aSet-Cookie:%20evil=1",
    b"&".join(b"q%d=x" % number for number in range(1100)),
)

FORM = "application/x-www-form-urlencoded"
FILES = "multipart/form-data"
_PART = b"--x\r\nContent-Disposition: form-data; "
BODIES: tuple[tuple[str, bytes], ...] = (
    (FORM, b"%"),
    (FORM, b"text=%ff%zz&=&&&text"),
    (FORM, b"&".join([b"a=1"] * 1100)),
    (f"{FORM}; charset=utf-7", b"text=+ADw-script"),
    (f"{FORM}; charset=nothing", b"text=x"),
    (f"{FORM}; charset=idna", b"text=\xff"),
    ("application/json", b'{"text": "x"}'),
    ("application/json", b"[" * 100_000),
    ("text/xml", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    ("", b"text=x"),
    (FILES, b"--x\r\n\r\n--x--"),
    (f"{FILES}; boundary=", b"--\r\n\r\n----"),
    (f"{FILES}; boundary=\xff", b"x"),
    (f"{FILES}; boundary={'x' * 300}", b"x"),
    (f"{FILES}; boundary=x", b"--x"),
    (f"{FILES}; boundary=x", _PART),
    (
        f"{FILES}; boundary=x",
        _PART + b'name="text"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--x--',
    ),
    (
        f"{FILES}; boundary=x",
        _PART + b'name="text"; filename="../../a\x00b"\r\n\r\n<script>\r\n--x--\r\n',
    ),
    (
        f"{FILES}; boundary=x",
        _PART + b"name=\"text\"; filename*=nothing'en'%ff\r\n\r\nx\r\n--x--\r\n",
    ),
)
"""Bodies of a POST: a content type, which may be wrong, and bytes, which may be cut."""

_SENDER: dict[str, object] = {"id": 5, "is_bot": False}
_MESSAGE: dict[str, object] = {
    "message_id": 1,
    "date": 0,
    "from": _SENDER,
    "chat": {"id": 5, "type": "private"},
    "text": "x",
}
_PRESS: dict[str, object] = {"id": "1", "from": _SENDER, "message": _MESSAGE}

_UPDATES: tuple[dict[str, object], ...] = (
    {"update_id": -1, "message": {}},
    {"update_id": "1", "message": None},
    {"message": []},
    {"message": _MESSAGE | {"date": 10**14}},
    {"message": _MESSAGE | {"date": -1, "text": 5}},
    {"message": _MESSAGE | {"chat": {"id": 6, "type": "private"}}},
    {"message": _MESSAGE | {"from": None}},
    {"message": _MESSAGE | {"text": "\x00\ud800\u202e"}},
    {"message": _MESSAGE | {"text": "x" * 100_000}},
    {"message": _MESSAGE | {"document": {"file_id": "../x"}}},
    {"message": _MESSAGE | {"photo": [{}] * 1000}},
    {"callback_query": _PRESS | {"data": "undo:x"}},
    {"callback_query": _PRESS | {"data": "x" * 65}},
    {"callback_query": {"id": "1"}},
    {"edited_message": _MESSAGE},
    {"my_chat_member": {"chat": {}}, "poll": 1},
)
UPDATE = json.dumps({"update_id": 9, "message": _MESSAGE}).encode()
UPDATES: tuple[bytes, ...] = (
    b"",
    b"{",
    b"[" * 100_000,
    b'{"a":' * 40_000,
    b"\xff\xfe{}",
    b'{"update_id": NaN}',
    b'{"update_id": 1e400}',
    b'{"update_id": ' + b"9" * 5000 + b"}",
    b"null",
    b"[]",
    b"0",
    b'"x"',
    b"{}",
    *(
        json.dumps({"update_id": 10 + number, **update}).encode()
        for number, update in enumerate(_UPDATES)
    ),
)
"""Bodies for the webhook."""
