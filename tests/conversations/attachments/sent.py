"""Files that are stored, sent and read."""

import io

from django.db import transaction
from PIL import Image

from conversations.attachments.storage import attach, store
from conversations.models import Attachment, DerivationJob
from meddie.jobs import registry


def send(message, name, data):
    """The sent file, not yet read."""
    conversation = message.conversation
    file = store(conversation.user, conversation.space_id, name, data)
    with transaction.atomic():
        attach(message, [file.pk])
    return Attachment.objects.get(pk=file.pk)


def read(message, name, data):
    """The sent file after its job."""
    file = send(message, name, data)
    registry.run("files", DerivationJob.objects.get(attachment=file).pk)
    file.refresh_from_db()
    return file


def texts_of(file, kind="chunk"):
    found = file.texts.filter(kind=kind).order_by("number")
    return list(found.values_list("content", flat=True))


def png(width, height):
    file = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(file, "PNG")
    return file.getvalue()
