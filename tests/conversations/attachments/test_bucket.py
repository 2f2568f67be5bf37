"""Files in a bucket that refuses, hangs up, sends parts, or is not there."""

import gc
import warnings
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from conversations.attachments.file_removal import remove_files
from conversations.models import Attachment, DerivationJob, RemovedFile
from meddie.file_storage import FilesAway, storage_options
from meddie.jobs import registry
from tests.conversations.attachments.sent import png, send
from tests.s3_server import TROUBLES, Bucket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bucket(settings, tmp_path):
    with Bucket() as bucket, warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of the SDK's buffers
        kept = storage_options(f"{bucket.url}?region=eu", tmp_path)
        settings.STORAGES = settings.STORAGES | {"attachments": kept}
        yield bucket
        bucket.be("")
        gc.collect()


@pytest.fixture
def members(client, member):
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("trouble", ["refuse", "hang up", "vanish"])
def test_upload_is_refused_with_a_sentence(members, member, bucket, trouble):
    bucket.be(trouble)
    given = {"file": ContentFile(b"Tea", "a.txt"), "space": member.space_id}
    answer = members.post(reverse("conversations:upload"), given)
    assert answer.status_code == 503
    assert "Send it again in a few minutes." in answer.content.decode()
    assert not Attachment.objects.exists()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_file_is_neither_lost_nor_read_in_part_meanwhile(
    members, message, bucket, trouble
):
    picture = png(9, 9)
    file = send(message, "a.png", picture)
    bucket.be(trouble)
    for view in ("attachment", "thumbnail"):
        answer = members.get(reverse(f"conversations:{view}", args=[file.pk]))
        assert (view, answer.status_code) == (view, 503)
    job = DerivationJob.objects.claim()
    registry.attempt(job, registry.QUEUES[DerivationJob.QUEUE].handlers)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == ("waiting", 0, "files_away")
    bucket.be("")
    address = reverse("conversations:attachment", args=[file.pk])
    assert members.get(address).content == picture


def test_object_that_a_bucket_keeps_holds_up_no_other_deletion(bucket):
    names = [f"ab/{uuid4().hex}" for _ in range(3)]
    for name in names:
        storages["attachments"].save(name, ContentFile(b"Tea"))
        RemovedFile.objects.create(file=name, removed_at=timezone.now())
    bucket.be("refuse", names[0])
    assert remove_files() == 2
    assert list(bucket.objects) == names[:1]
    bucket.be("refuse")
    RemovedFile.objects.create(file="ab/1", removed_at=timezone.now())
    RemovedFile.objects.create(file="ab/2", removed_at=timezone.now())
    with pytest.raises(FilesAway):
        remove_files()
    bucket.be("")
    remove_files()
    assert not bucket.objects
    assert not RemovedFile.objects.exists()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_back_up_without_all_files_is_none(bucket, tmp_path, trouble):
    storages["attachments"].save("ab/letter", ContentFile(b"Tea"))
    bucket.be(trouble)
    with pytest.raises(CommandError, match="Not written"):
        call_command("backup", tmp_path / "all.tar")
    assert not list(tmp_path.glob("all*"))
