"""What the requests of Open WebUI say besides OpenAI's protocol.

Its prompt of background calls and its template for documents begin alike.
"""

import re
from collections.abc import Mapping

CHAT_ID = "X-OpenWebUI-Chat-Id"
TASK = "X-OpenWebUI-Task"
NO_TASK = "{{TASK}}"  # a header template of the operator that was not filled in
TEMPORARY = "temporary:"
PROMPT = "### Task:"
HISTORY = "<chat_history>"
DOCUMENTS, DOCUMENTS_END = "<context>", "</context>"
QUERY_TAGS = re.compile(r"</?user_query>")


def chat_id(headers: Mapping[str, str]) -> str:
    return headers.get(CHAT_ID, "").strip()


def is_temporary(chat: str) -> bool:
    return chat.startswith(TEMPORARY)


def names_task(headers: Mapping[str, str]) -> bool:
    """Whether the operator's header marks a background call."""
    return headers.get(TASK, "").strip() not in {"", NO_TASK}


def is_task_prompt(text: str) -> bool:
    """Whether the only message of a call asks for a title, tags or follow-ups."""
    return text.lstrip().startswith(PROMPT) and HISTORY in text


def own_words(text: str) -> str:
    """The user's question after the documents that its template quotes."""
    if not (text.lstrip().startswith(PROMPT) and DOCUMENTS in text):
        return text
    _documents, end, question = text.rpartition(DOCUMENTS_END)
    return QUERY_TAGS.sub("", question).strip() if end else ""
