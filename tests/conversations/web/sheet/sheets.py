"""A sheet as clients see it, for the tests."""

import re
from html import unescape
from ipaddress import ip_address
from itertools import count

from django.test import Client

ADDRESSES = count(2**31)
LINK = re.compile(r"http://testserver(/shared-sheet/[\w-]+)")
CODE = re.compile(r'class="sheet-code">(\d{6})<')
LINE = re.compile(r"<li[^>]*>(.*?)</li>", re.DOTALL)


def groups_of(client, query=""):
    found = client.get(f"/sheet{query}").context["groups"]
    return {one.name: [line.text for line in one.lines] for one in found}


def item_of(client, text, query=""):
    """The value of a checkbox."""
    for one in client.get(f"/sheet{query}").context["groups"]:
        for line in one.lines:
            if line.text == text:
                return f"{one.name}:{line.key}"
    raise LookupError(text)


def shared_by(client, *texts, query="", **form):
    """The path and the code of a new link."""
    items = [item_of(client, text, query) for text in texts]
    page = client.post(f"/sheet/links{query}", {"item": items} | form).text
    return LINK.search(page)[1], CODE.search(page)[1]


def opened(path, code, address=None):
    """Each time from another address, as those of an address are counted."""
    address = address or str(ip_address(next(ADDRESSES)))
    return Client(REMOTE_ADDR=address).post(path, {"code": code})


def lines_of(page):
    article = page.text.partition("<article")[2].partition("</article")[0]
    found = [re.sub(r"<[^>]+>", "", one) for one in LINE.findall(article)]
    return [unescape(one).partition(" (")[0].strip() for one in found]


def wrong(code):
    return f"{(int(code) + 1) % 10**6:06}"
