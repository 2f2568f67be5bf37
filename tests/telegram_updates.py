"""Updates as Telegram sends them, with growing ids."""

import itertools
import time
from typing import Any

Update = dict[str, Any]
ANNA = 700


def user(user_id: int = ANNA, first_name: str = "Anna", **more: Any) -> dict[str, Any]:
    return {"id": user_id, "is_bot": False, "first_name": first_name} | more


class Updates:
    """Builds payloads; `more` goes into the message as it is."""

    def __init__(self) -> None:
        self._update_ids = itertools.count(1)
        self._message_ids = itertools.count(1)
        self._callback_ids = itertools.count(1)

    def update(self, **content: Any) -> Update:
        """Of any kind: `update(poll={...})`."""
        return {"update_id": next(self._update_ids)} | content

    def message(
        self,
        text: str | None = None,
        *,
        sender: int | dict[str, Any] = ANNA,
        chat: int | None = None,
        chat_type: str = "private",
        **more: Any,
    ) -> Update:
        return self.update(message=self._message(text, sender, chat, chat_type) | more)

    def edited_message(self, text: str, *, message_id: int = 1, **how: Any) -> Update:
        edited: dict[str, Any] = self.message(text, **how)["message"]
        changed = {"message_id": message_id, "edit_date": edited["date"]}
        return self.update(edited_message=edited | changed)

    def photo(self, file_id: str, *, size: int = 1000, **how: Any) -> Update:
        """In two sizes; the last one is the file's."""
        small = _file(f"{file_id}-small", size // 10) | {"width": 90, "height": 60}
        large = _file(file_id, size) | {"width": 900, "height": 600}
        return self.message(photo=[small, large], **how)

    def document(
        self,
        file_id: str,
        *,
        name: str = "letter.pdf",
        mime: str = "application/pdf",
        size: int = 1000,
        **how: Any,
    ) -> Update:
        told = {"file_name": name, "mime_type": mime}
        return self.message(document=_file(file_id, size) | told, **how)

    def voice(self, file_id: str, *, size: int = 1000, **how: Any) -> Update:
        told = {"duration": 3, "mime_type": "audio/ogg"}
        return self.message(voice=_file(file_id, size) | told, **how)

    def album(self, *file_ids: str, album: str = "13579", **how: Any) -> list[Update]:
        """Photos that are sent together; a caption is the first one's."""
        caption = {"caption": how.pop("caption")} if "caption" in how else {}
        return [
            self.photo(
                file_id, media_group_id=album, **how, **({} if number else caption)
            )
            for number, file_id in enumerate(file_ids)
        ]

    def callback(
        self,
        data: str,
        *,
        message_id: int = 1,
        sender: int | dict[str, Any] = ANNA,
        chat: int | None = None,
        chat_type: str = "private",
    ) -> Update:
        """A button under one of the bot's messages was pressed."""
        under = self._message("?", sender, chat, chat_type) | {"message_id": message_id}
        query = {
            "id": str(next(self._callback_ids)),
            "from": _sender(sender),
            "chat_instance": "1",
            "message": under,
            "data": data,
        }
        return self.update(callback_query=query)

    def _message(
        self,
        text: str | None,
        sender: int | dict[str, Any],
        chat: int | None,
        chat_type: str,
    ) -> dict[str, Any]:
        author = _sender(sender)
        message: dict[str, Any] = {
            "message_id": next(self._message_ids),
            "from": author,
            "chat": {"id": author["id"] if chat is None else chat, "type": chat_type},
            "date": int(time.time()),
        }
        if text is not None:
            message["text"] = text
        return message


def _sender(sender: int | dict[str, Any]) -> dict[str, Any]:
    return user(sender) if isinstance(sender, int) else sender


def _file(file_id: str, size: int) -> dict[str, Any]:
    return {"file_id": file_id, "file_unique_id": f"u-{file_id}", "file_size": size}
