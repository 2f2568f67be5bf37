"""Describe a picture with the vision model."""

import base64
from typing import cast

from django.conf import settings
from pydantic import BaseModel

from meddie.ai import structured
from meddie.ai.events import ChatMessage

SCHEMA = "image_description"
MAX_TOKENS = 3000
SECONDS = 90.0


class ImageDescription(BaseModel):
    short: str
    detail: str
    text: str


async def describe(jpeg: bytes, instruction: str) -> ImageDescription:
    """Raises AIError: Unsupported without a provider."""
    url = f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
    parts = [
        {"type": "text", "text": instruction},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    message = cast("ChatMessage", {"role": "user", "content": parts})
    return await structured.ask(
        ImageDescription,
        [message],
        name=SCHEMA,
        max_tokens=MAX_TOKENS,
        seconds=SECONDS,
        model=settings.VISION_MODEL,
    )
