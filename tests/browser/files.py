"""Files that a person adds on the chat page, for the browser tests."""

import base64

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.conversations.attachments.sent import png

LETTER: FilePayload = {
    "name": "letter.txt",
    "mimeType": "text/plain",
    "buffer": b"Buy oats.",
}
PICTURE: FilePayload = {
    "name": "a.png",
    "mimeType": "image/png",
    "buffer": png(800, 600),
}
CARRY = """([kind, name, type, data]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name, { type }));
  const event = kind === "paste"
    ? new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true })
    : new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true });
  document.getElementById("message-box").dispatchEvent(event);
}"""


def add_files(page: Page, *files: FilePayload) -> None:
    """By the button."""
    page.get_by_label("Add files").set_input_files(files)


def carry(page: Page, kind: str, file: FilePayload = PICTURE) -> None:
    """By an event: `dragover`, `drop` or `paste`."""
    data = base64.b64encode(file["buffer"]).decode()
    page.evaluate(CARRY, [kind, file["name"], file["mimeType"], data])


def unsent(page: Page) -> Locator:
    return page.get_by_role("list", name="Files to send").get_by_role("listitem")


def arrived(page: Page, count: int) -> None:
    expect(unsent(page)).to_have_count(count)
    expect(page.locator(".arriving")).to_have_count(0)
