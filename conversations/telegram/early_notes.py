"""Send the note about an emergency while the chat still waits for another reply."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from conversations.emergencies import emergency_note, find_emergency
from conversations.telegram.accept import in_language_of, speaker_of
from conversations.telegram.bot_api.errors import TelegramFailed
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.deliver import chat_of, send_part
from conversations.telegram.format import to_parts
from conversations.telegram.models import TelegramPart, TelegramUpdate
from conversations.telegram.updates import waiting_for_lease
from meddie.crypto import KeyLost
from meddie.threads import run_repeatable


async def send_early_notes(thread_id: UUID) -> None:
    """Send the notes of waiting messages.

    One that fails or is cut off is sent in its turn, perhaps a second time.
    """
    for update in await run_repeatable(waiting_for_lease, thread_id):
        try:
            chat = await run_repeatable(chat_of, update)
        except (TelegramFailed, KeyLost):
            continue
        parts = await run_repeatable(_store_note, update.pk)
        try:
            for part in parts:
                message_id = await send_part(part, chat)
                await run_repeatable(_note_sent, part.pk, message_id)
        except TelegramFailed:
            continue


@transaction.atomic
def _store_note(key: UUID) -> list[TelegramPart]:
    """Store the parts once, unless a worker has begun the update."""
    untouched = TelegramUpdate.objects.select_for_update().untouched()
    update = untouched.filter(pk=key).first()
    if update is None or update.parts.exists():
        return []
    payload, speaker = restored(update.payload), speaker_of(update)
    if payload.message is None or speaker is None:
        return []
    with in_language_of(speaker, payload):
        text = payload.message.text or payload.message.caption or ""
        note = emergency_note(text, find_emergency(text), get_language() or "")
    return TelegramPart.objects.bulk_create(
        TelegramPart(update=update, number=number, html=html)
        for number, html in enumerate(to_parts(note), start=1)
    )


def _note_sent(key: UUID, message_id: int | None) -> None:
    sent = TelegramPart.objects.filter(pk=key)
    sent.update(telegram_message_id=message_id, sent_at=timezone.now())
