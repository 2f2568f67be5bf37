"""Files as other assistants and messengers write them, each with what is read of it.

Names and words are invented. Those of `APART` were written with the others and first
read when the code was done.
"""

import io
import json
import zipfile
from dataclasses import dataclass, field
from typing import Any

AT = 1_767_600_000  # 2026-01-05 08:00 UTC
SHELLFISH = "I cannot eat shellfish, my throat swells."
KNEE = "I tore my left meniscus in 2021."
CELLO = "I play the cello."


@dataclass(frozen=True)
class Shape:
    """`texts` are the user's own, oldest first; `asked` is what the page sends along."""

    data: Any
    texts: list[str] = field(default_factory=list)
    name: str = "conversations.json"
    unread: dict[str, int] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    asked: dict[str, str] = field(default_factory=dict)
    context: str = ""  # what is before the last message
    error: str = ""
    choices: list[str] = field(default_factory=list)

    @property
    def content(self) -> bytes:
        if isinstance(self.data, bytes):
            return self.data
        return (
            self.data if isinstance(self.data, str) else json.dumps(self.data)
        ).encode()


def packed(**files: Any) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            archive.writestr(name, text)
    return buffer.getvalue()


def of(files: dict[str, Any]) -> bytes:
    return packed(**files)


def said(key, role, *parts, parent=None, at=AT, kind="text", **fields):
    message = {
        "id": key,
        "author": {"role": role},
        "create_time": at,
        "content": {"content_type": kind, "parts": list(parts)},
    }
    return {"id": key, "parent": parent, "message": message | fields}


def chat(*nodes, **fields):
    mapping = {node["id"]: node for node in nodes}
    return {"title": "Tea", "create_time": AT, "mapping": mapping} | fields


def spoken(text, direction="in"):
    return {"content_type": "audio_transcription", "text": text, "direction": direction}


SOUND = {
    "content_type": "real_time_user_audio_video_asset_pointer",
    "audio_asset_pointer": {"asset_pointer": "file-service://x"},
}
PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://y"}


def claude(*messages, **fields):
    entries = [
        {
            "uuid": f"m{number}",
            "sender": sender,
            "text": text,
            "content": [{"type": "text", "text": text}] if text else [],
            "created_at": f"2026-01-05T08:00:{number:02}.123456Z",
        }
        | more
        for number, (sender, text, more) in enumerate(messages)
    ]
    return {"uuid": "c1", "name": "Knee", "chat_messages": entries} | fields


def prompted(title, time, answer="<p>All <b>right</b>.</p>", header="Gemini Apps"):
    record = {"header": header, "title": title, "time": time, "products": [header]}
    return record | ({"safeHtmlItem": [{"html": answer}]} if answer else {})


def webui(*messages, current="2", user="u1", **fields):
    known = {
        key: {
            "id": key,
            "parentId": parent,
            "role": role,
            "content": text,
            "timestamp": AT + int(key),
        }
        | more
        for key, parent, role, text, more in messages
    }
    history = {"messages": known, "currentId": current}
    return {
        "id": "w1",
        "user_id": user,
        "title": "Tea",
        "chat": {"history": history, "messages": list(known.values())},
        "created_at": AT,
    } | fields


def telegram(number, sender, text, **fields):
    return {
        "id": number,
        "type": "message",
        "date": "2026-01-05T08:00:00",
        "date_unixtime": str(AT + number),
        "from": {"user1": "Ann", "user2": "Kate", "user3": "Leo"}[sender],
        "from_id": sender,
        "text": text,
    } | fields


PERSONAL = {
    "name": "Kate",
    "type": "personal_chat",
    "id": 2,
    "messages": [
        telegram(1, "user2", "Can you come for dinner?"),
        telegram(2, "user1", ["Yes, but ", {"type": "bold", "text": SHELLFISH}]),
        telegram(3, "user1", "Drink celery juice.", forwarded_from="A channel"),
        telegram(4, "user1", "", media_type="voice_message", file="voice.ogg"),
        telegram(5, "user1", "", photo="photos/1.jpg"),
        telegram(7, "user1", "", poll={"question": "When?"}),
        {"id": 6, "type": "service", "action": "phone_call", "actor_id": "user1"},
    ],
}
GROUP = {
    "name": "Orchestra",
    "type": "private_group",
    "id": 9,
    "messages": [
        telegram(1, "user2", "Who plays?"),
        telegram(7, "user1", CELLO),
        telegram(3, "user3", "I am allergic to rosin."),
    ],
}
ANDROID = f"""\
05/01/2026, 08:58 - Messages and calls are end-to-end encrypted. Learn more.
05/01/2026, 09:00 - Kate: Dinner on Friday?
05/01/2026, 09:01 - Ann: {SHELLFISH}
But I eat fish.
05/01/2026, 09:02 - Ann: <Media omitted>
13/01/2026, 09:03 - Ann: {CELLO} <This message was edited>
"""
IPHONE = f"""\
[05.01.26, 09:00:01] Kate: \u200eNachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.
[05.01.26, 09:00:11] Kate: Kommst du?
\u200e[05.01.26, 09:00:12] Ann: \u200eBild weggelassen
[05.01.26, 09:01:13] Ann: {CELLO}
"""
MEMORY = "**Work context**\n\nAnn is a nurse in Turku.\n\n- Ann has a dog: Rolf.\n"
SHAPES: dict[str, Shape] = {
    "ChatGPT's zip of 2026 in parts": Shape(
        of(
            {
                "conversations-000.json": [chat(said("1", "user", KNEE))],
                "conversations-001.json": [chat(said("2", "user", CELLO, at=AT + 1))],
                "chat.html": "<html></html>",
                "user.json": {"id": "u", "email": "ann@example.com"},
            }
        ),
        [KNEE, CELLO],
        "export.zip",
    ),
    "one conversation of ChatGPT": Shape(
        chat(said("1", "user", KNEE), current_node="1"), [KNEE]
    ),
    "no current node: the latest leaf": Shape(
        [
            chat(
                said("1", "user", "Draft", parent="0"),
                said("2", "user", KNEE, parent="0", at=AT + 5),
                said("0", "system", "Be kind"),
            )
        ],
        [KNEE],
    ),
    "a current node that is not there": Shape(
        [chat(said("1", "user", KNEE), current_node="9")], [KNEE]
    ),
    "a spoken turn": Shape(
        [
            chat(
                said(*("1", "user", spoken(SHELLFISH), SOUND), kind="multimodal_text"),
                said(
                    *("2", "assistant", spoken("I see.", "out")),
                    kind="multimodal_text",
                    parent="1",
                ),
                said("3", "user", CELLO, parent="2", at=AT + 1),
                current_node="3",
            )
        ],
        [SHELLFISH, CELLO],
        context="I see.",
    ),
    "a picture and a recording without words": Shape(
        [
            chat(
                said("1", "user", PICTURE, kind="multimodal_text"),
                said("2", "user", SOUND, kind="multimodal_text", parent="1"),
                said(*("3", "user", PICTURE, KNEE), kind="multimodal_text", parent="2"),
                current_node="3",
            )
        ],
        [KNEE],
        unread={"picture": 1, "recording": 1},
    ),
    "hidden context of ChatGPT": Shape(
        [
            chat(
                said(
                    *("1", "user", "About me"),
                    metadata={"is_visually_hidden_from_conversation": True},
                ),
                said("2", "user", "Mine", parent="1", kind="user_editable_context"),
                said("3", "user", KNEE, parent="2"),
                current_node="3",
            )
        ],
        [KNEE],
    ),
    "Claude's conversations": Shape(
        [
            claude(
                ("human", KNEE, {}), ("assistant", "Sorry.", {}), ("human", CELLO, {})
            )
        ],
        [KNEE, CELLO],
        context="Sorry.",
    ),
    "Claude's zip with its memory": Shape(
        of(
            {
                "users.json": [{"uuid": "a", "full_name": "Ann Berg"}],
                "conversations.json": [claude(("human", KNEE, {}))],
                "memories.json": [
                    {"conversations_memory": MEMORY, "account_uuid": "a"}
                ],
                "projects.json": [],
            }
        ),
        [KNEE],
        "data.zip",
        facts=["User is a nurse in Turku.", "User has a dog: Rolf."],
    ),
    "Claude's memory alone": Shape(
        [{"conversations_memory": MEMORY, "project_memories": {}}],
        name="memories.json",
        facts=["Ann is a nurse in Turku.", "Ann has a dog: Rolf."],
    ),
    "Claude's blocks without a text": Shape(
        [
            claude(
                ("human", "", {"content": [{"type": "text", "text": KNEE}]}),
                ("human", "", {"files": [{"file_name": "rash.jpg"}]}),
                ("human", "", {"attachments": [{"file_name": "letter.pdf"}]}),
            )
        ],
        [KNEE],
        unread={"picture": 1, "file": 1},
    ),
    "Gemini's activity": Shape(
        [
            prompted("Gave feedback: good", "2026-01-05T09:00:00Z", ""),
            prompted("Created Gemini Canvas titled Tea", "2026-01-05T08:02:00Z"),
            prompted(f"Prompted {CELLO}", "2026-01-05T08:01:00.5Z"),
            prompted("Searched for shoes", "2026-01-05T08:00:30Z", header="Search"),
            prompted(f"Prompted {KNEE} Attached 2 files.", "2026-01-05T08:00:00Z"),
        ],
        [KNEE, CELLO],
        "MyActivity.json",
        context="All right .",
    ),
    "Gemini's activity in a zip of Takeout": Shape(
        of(
            {
                "Takeout/archive_browser.html": "<html>",
                "Takeout/My Activity/Gemini Apps/MyActivity.json": [
                    prompted(f"Prompted {KNEE}", "2026-01-05T08:00:00Z")
                ],
            }
        ),
        [KNEE],
        "takeout.zip",
    ),
    "Open WebUI's chats": Shape(
        [
            webui(
                ("0", None, "user", KNEE, {}),
                ("1", "0", "assistant", "Sorry.", {}),
                ("2", "1", "user", CELLO, {}),
                ("3", "1", "user", "Replaced", {}),
            )
        ],
        [KNEE, CELLO],
        "chat-export-1.json",
        context="Sorry.",
    ),
    "Open WebUI's chats of several users": Shape(
        [
            webui(("2", None, "user", KNEE, {})),
            webui(("2", None, "user", CELLO, {}), user="u2"),
        ],
        error="several_users",
    ),
    "Telegram's chat with one person": Shape(
        PERSONAL,
        [f"Yes, but {SHELLFISH}"],
        "result.json",
        unread={"picture": 1, "recording": 1, "other": 1},
        context="Kate: Can you come for dinner?",
    ),
    "Telegram's whole account": Shape(
        {
            "personal_information": {"user_id": 1, "first_name": "Ann"},
            "chats": {"list": [GROUP, PERSONAL]},
        },
        [f"Yes, but {SHELLFISH}", CELLO],
        "result.json",
        unread={"picture": 1, "recording": 1, "other": 1},
    ),
    "Telegram's group asks who the user is": Shape(
        GROUP, name="result.json", error="whose", choices=["Kate", "Ann", "Leo"]
    ),
    "WhatsApp's chat of Android": Shape(
        ANDROID,
        [f"{SHELLFISH}\nBut I eat fish.", CELLO],
        "WhatsApp Chat with Kate.txt",
        unread={"file": 1},
        context=f"{SHELLFISH}\nBut I eat fish.",
    ),
    "WhatsApp's zip of an iPhone": Shape(
        of({"_chat.txt": IPHONE}),
        [CELLO],
        "WhatsApp Chat - Kate.zip",
        unread={"file": 1},
        context="Kate: Kommst du?",
    ),
    "WhatsApp's chat whose name says nothing": Shape(
        ANDROID, name="chat.txt", error="whose", choices=["Ann", "Kate"]
    ),
}
APART: dict[str, Shape] = {
    "ChatGPT's conversation in a tool's wrapper": Shape(
        {"conversations": [chat(said("1", "user", KNEE), current_node="1")]}, [KNEE]
    ),
    "ChatGPT's parts in a folder, out of order": Shape(
        of(
            {
                "export/conversations-002.json": [chat(said("3", "user", CELLO))],
                "export/conversations-000.json": [
                    chat(said("1", "user", KNEE, at=AT - 9), current_node=None)
                ],
            }
        ),
        [KNEE, CELLO],
        "export.zip",
    ),
    "a call of a tool is no answer": Shape(
        [
            chat(
                said("1", "user", KNEE),
                said("2", "assistant", "search('x')", parent="1", recipient="web"),
                said("3", "user", CELLO, parent="2", at=AT + 1),
                current_node="3",
            )
        ],
        [KNEE, CELLO],
        context=KNEE,
    ),
    "a message of Claude that was edited": Shape(
        [
            claude(
                ("human", "Draft", {"parent_message_uuid": "root"}),
                ("human", KNEE, {"parent_message_uuid": "root"}),
                ("assistant", "Sorry.", {"parent_message_uuid": "m1"}),
            )
        ],
        [KNEE],
    ),
    "one conversation of Claude": Shape(claude(("human", KNEE, {})), [KNEE]),
    "Claude's memory as an object in a folder": Shape(
        of({"memories/a.json": {"conversations_memory": "Ann is a nurse."}}),
        name="memories-000.zip",
        facts=["Ann is a nurse."],
    ),
    "Gemini's activity in another language": Shape(
        [
            prompted(
                f"Eingabe: {text}", f"2026-01-05T08:00:0{n}Z", header="Gemini-Apps"
            )
            for n, text in enumerate([KNEE, CELLO, SHELLFISH, "Danke.", "Gern."])
        ],
        [KNEE, CELLO, SHELLFISH, "Danke.", "Gern."],
        "MeineAktivitäten.json",
    ),
    "one chat of Open WebUI with parts": Shape(
        webui(
            (
                *("2", None, "user"),
                [{"type": "text", "text": KNEE}, {"type": "image_url"}],
                {},
            )
        ),
        [KNEE],
    ),
    "Telegram's group, answered": Shape(
        GROUP, [CELLO], "result.json", asked={"whose": "Ann"}
    ),
    "WhatsApp's chat of the United States": Shape(
        f"1/5/26, 9:01\u202fAM - Ann: {KNEE}\n1/13/26, 9:02\u202fPM - Kate: Oh.\n"
        f"1/13/26, 9:03\u202fPM - Ann: IMG-1.jpg (file attached)\n",
        [KNEE],
        "WhatsApp Chat with Kate.txt",
        unread={"picture": 1},
    ),
    "a text of Windows": Shape(
        ANDROID.replace("Kate", "Käthe").encode("cp1252"),
        [f"{SHELLFISH}\nBut I eat fish.", CELLO],
        "chat.txt",
        asked={"whose": "Ann"},
        unread={"file": 1},
    ),
    "a message without a time": Shape(
        [
            claude(
                ("human", KNEE, {"created_at": None}),
                ("human", CELLO, {}),
            )
        ],
        [CELLO],
        unread={"undated": 1},
    ),
}
