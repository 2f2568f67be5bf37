"""A worker that is killed in the middle of a derivation loses and doubles nothing."""

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from conversations.models import AttachmentText, DerivationJob
from meddie.jobs import registry
from tests.conversations.attachments.sent import send, texts_of

pytestmark = pytest.mark.django_db(transaction=True)

# Kills its own process before a statement with this text.
PROGRAM = """
import os, signal, sys, uuid
import django
from django.conf import settings
from meddie import settings as own
own.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from django.db import connection
from meddie.jobs import registry

def kill(execute, sql, *rest):
    if sys.argv[3] in sql:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, *rest)

with connection.execute_wrapper(kill):
    registry.run("files", uuid.UUID(sys.argv[2]))
"""
STATEMENTS = {
    "the first texts": 'INSERT INTO "attachment_texts"',
    "the end of the file": 'UPDATE "conversations_attachment" SET',
    "the claim of the job": 'UPDATE "conversations_derivationjob" SET "kind"',
    "the vectors": 'UPDATE "attachment_texts" SET "embedding"',
}


def killed_at(job, statement):
    name = connection.settings_dict["NAME"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "meddie.settings"}
    program = [sys.executable, "-c", PROGRAM, name, str(job.pk), statement]
    ended = subprocess.run(program, cwd=settings.BASE_DIR, env=environment, check=False)
    return ended.returncode == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("moment", STATEMENTS)
@pytest.mark.req("B-32")
def test_killed_worker_leaves_a_job_that_ends_as_undisturbed(message, moment):
    file = send(message, "a.md", b"# Costs\n\nTea is 3.\n\n# Time\n\nIn May.\n")
    job = DerivationJob.objects.get()
    assert killed_at(job, STATEMENTS[moment])
    DerivationJob.objects.filter(state="running").update(leased_until=timezone.now())
    registry.run("files", job.pk)
    file.refresh_from_db()
    job.refresh_from_db()
    assert (file.state, job.state) == ("done", "done")
    assert texts_of(file) == ["# Costs\nTea is 3.", "# Time\nIn May."]
    assert len(texts_of(file, "file_summary")) == 1
    assert AttachmentText.objects.count() == 4
