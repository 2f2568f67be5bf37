"""Files are stored once per user, sent with a message, and leave with it."""

import errno
import io
import os
from contextlib import suppress
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from conversations.attachments.file_removal import clean_up_files, remove_files
from conversations.attachments.storage import (
    attach,
    open_file,
    remove_attachment,
    store,
)
from conversations.forgetting.deletion import delete_conversation
from conversations.models import Attachment, DerivationJob
from conversations.models.attachment import attachment_storage
from conversations.refusals import (
    EmptyFile,
    FileGone,
    FileTooLarge,
    NoRoom,
    TooManyFiles,
    TooManyUnsent,
    UnknownType,
)
from meddie.file_storage import all_files
from people.models import User
from tests.conversations.attachments.sent import read, send
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


def test_full_disk_refuses_a_file_with_a_sentence(client, member, monkeypatch):
    def fail(_storage, _name, _content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(FileSystemStorage, "_save", fail)
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    given = {"file": ContentFile(b"Tea", "a.txt"), "space": member.space_id}
    answer = client.post(reverse("conversations:upload"), given)
    assert answer.status_code == 507
    assert "disk is full" in answer.content.decode()
    assert not Attachment.objects.exists()


def is_stored(file):
    return attachment_storage().exists(file.file.name)


def content_of(file):
    with open_file(file) as opened:
        return opened.read()


@pytest.mark.req("S2-20")
def test_file_is_stored_with_its_type_size_and_checksum(member):
    file = store(member.user, member.space_id, "a/b/notes.txt", io.BytesIO(b"Tea"))
    kept = Attachment.objects.get(pk=file.pk)
    assert (kept.name, kept.kind, kept.content_type) == (
        "notes.txt",
        "document",
        "text/plain",
    )
    assert kept.size == 3
    assert kept.sha256.startswith("017979e8")
    assert (kept.message, kept.state, kept.code) == (None, "pending", "A1")
    assert content_of(kept) == b"Tea"


@pytest.mark.req("S2-21")
def test_equal_bytes_of_a_user_are_one_file_until_the_last_row_goes(member, message):
    first = send(message, "one.txt", b"Tea")
    second = store(member.user, member.space_id, "two.txt", b"Tea")
    assert first.file.name == second.file.name
    assert (first.code, second.code) == ("A1", "A2")
    remove_attachment(second)
    remove_files()
    assert content_of(first) == b"Tea"
    delete_conversation(message.conversation)
    remove_files()
    assert not is_stored(first)


def test_equal_bytes_of_two_users_are_two_files(member):
    other = MembershipFactory(space=member.space)
    files = [
        store(who.user, member.space_id, "a.txt", b"Tea") for who in (member, other)
    ]
    assert files[0].file.name != files[1].file.name


@pytest.mark.parametrize("owner", ["user", "space", "message"])
def test_file_leaves_with_its_owner_however_that_is_deleted(member, message, owner):
    file = read(message, "one.txt", b"Tea")
    {"user": member.user, "space": member.space, "message": message}[owner].delete()
    assert not Attachment.objects.exists()
    remove_files()
    assert not is_stored(file)


def all_contents():
    storage = attachment_storage()
    for name in all_files(storage):
        with suppress(FileNotFoundError), storage.open(name) as file:
            yield file.read()


@pytest.mark.req("B-32")
def test_no_file_remains_if_the_row_is_not_stored(member):
    gone = User.objects.get(pk=member.user_id)
    User.objects.filter(pk=gone.pk).delete()
    content = uuid4().hex.encode()  # other workers of the tests store files, too
    with pytest.raises(User.DoesNotExist):
        store(gone, member.space_id, "one.txt", content)
    assert content not in all_contents()


def test_files_of_a_killed_process_and_unsent_ones_are_swept_after_a_day(
    member, message
):
    orphan = attachment_storage().save("00/orphan", ContentFile(b"lost"))
    unsent = store(member.user, member.space_id, "a.txt", b"unsent")
    sent = send(message, "b.txt", b"sent")
    clean_up_files()
    assert attachment_storage().exists(orphan)
    assert is_stored(unsent)
    # Not the clock, which would age the files of other workers of the tests.
    old = timezone.now() - timedelta(days=2)
    os.utime(attachment_storage().path(orphan), (old.timestamp(), old.timestamp()))
    Attachment.objects.filter(pk__in=[unsent.pk, sent.pk]).update(created_at=old)
    clean_up_files()
    assert not attachment_storage().exists(orphan)
    assert not is_stored(unsent)
    assert is_stored(sent)


def test_file_is_sent_once_and_only_by_its_user(member, message):
    file = send(message, "a.txt", b"Tea")
    other = MembershipFactory(space=member.space)
    others = store(other.user, member.space_id, "a.txt", b"Tea")
    for key in (file.pk, others.pk):
        with pytest.raises(FileGone), transaction.atomic():
            attach(message, [key])
    assert DerivationJob.objects.count() == 1


def test_message_has_at_most_ten_files(member, message):
    files = [store(member.user, member.space_id, "a.txt", b"Tea") for _ in range(11)]
    with pytest.raises(TooManyFiles), transaction.atomic():
        attach(message, [file.pk for file in files])


@pytest.mark.parametrize(
    ("data", "refusal", "told"),
    [
        (b"", EmptyFile, "empty"),
        (b"\x00\x01\x02 no text", UnknownType, "can’t read this kind"),
        (b"PK\x03\x04 no zip", UnknownType, "can’t read this kind"),
        (b"x" * (1024 * 1024 + 1), FileTooLarge, "up to 1 MB"),
    ],
)
def test_refused_file_is_told_in_one_sentence(member, settings, data, refusal, told):
    settings.FILE_MB = 1
    with pytest.raises(refusal, match=told):
        store(member.user, member.space_id, "a.txt", data)
    assert not Attachment.objects.exists()


def test_quota_counts_equal_files_once(member, settings):
    settings.QUOTA_MB = 1
    for _ in range(3):
        store(member.user, member.space_id, "a.txt", b"x" * 700_000)
    with pytest.raises(NoRoom):
        store(member.user, member.space_id, "b.txt", b"y" * 700_000)


def test_unsent_files_of_a_user_have_a_number_as_well_as_a_size(member, message):
    kept = [
        store(member.user, member.space_id, "a.txt", io.BytesIO(b"Tea %d" % number))
        for number in range(50)
    ]
    with pytest.raises(TooManyUnsent):
        store(member.user, member.space_id, "a.txt", io.BytesIO(b"One more"))
    with transaction.atomic():
        attach(message, [kept[0].pk])
    store(member.user, member.space_id, "a.txt", io.BytesIO(b"One more"))
