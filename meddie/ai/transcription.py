"""Write down recorded speech with the provider's transcription model."""

import asyncio
import json

from django.conf import settings

from meddie.ai import chat, client
from meddie.ai.errors import Garbled, Unsupported
from meddie.ai.retry import retried

SECONDS = 300.0


async def transcribe(name: str, recording: bytes, language: str) -> str:
    """The name's suffix tells the type. Raises AIError: Unsupported without a provider."""
    if chat.is_offline():
        raise Unsupported("there is no transcription without a provider")

    async def attempt() -> str:
        sdk = await client.async_client(client.Endpoint.for_chat())
        async with asyncio.timeout(SECONDS):
            answer = await sdk.audio.transcriptions.with_raw_response.create(
                file=(name, recording),
                model=settings.TRANSCRIPTION_MODEL,
                language=language,
                response_format="json",
                timeout=client.timeout(SECONDS),
            )
        return _text(answer.content)

    return await retried(attempt)


def _text(body: bytes) -> str:
    answer = json.loads(body)
    text = answer.get("text") if isinstance(answer, dict) else None
    if not isinstance(text, str):
        raise Garbled
    return text.strip()
