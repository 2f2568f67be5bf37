"""The image's own command as compose.yaml runs it: read-only, as a user without rights."""

import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
import yaml
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import connection

from conversations.models import Attachment
from meddie.embedded.locations import Locations
from meddie.embedded.programs import program_commands
from tests.browser.conftest import session_of
from tests.factories import MembershipFactory
from tests.meddie.embedded.stack import free_port
from tests.stack.processes import environment
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
IMAGE = COMPOSE["x-meddie"]
WRITABLE = [volume.split(":")[1] for volume in IMAGE["volumes"]]
[USER] = re.findall(r"useradd --uid (\d+)", DOCKERFILE)
PYTHON = Path(sys.base_prefix)
TEMPORARY = "/tmp"  # noqa: S108
# Python may be in a home folder here that other users may not enter: then the folder is
# covered by another one in which there is only Python.
AS_THE_IMAGE = """
for folder in $WRITABLE; do mount --bind "$folder" "$folder"; done
mount -t tmpfs none "$TMPDIR"
if [ -n "$CLOSED" ]; then
  mkdir "$TMPDIR/python"
  mount --bind "$PYTHON" "$TMPDIR/python"
  mount -t tmpfs -o mode=755 none "$CLOSED"
  mkdir -p "$PYTHON"
  mount --move "$TMPDIR/python" "$PYTHON"
fi
mount -o remount,bind,ro /
exec setpriv --reuid=$USER_ID --regid=$USER_ID --clear-groups --no-new-privs \\
  --inh-caps=-all --bounding-set=-all "$@"
"""


@pytest.fixture
def data():
    """Not pytest's folder, which is closed to others."""
    with tempfile.TemporaryDirectory(prefix="meddie-image-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def run(data):
    """Start a command of the image; its root is read-only but for the volumes."""
    started = []
    folders = [data / Path(path).name for path in WRITABLE]
    for folder in folders:
        folder.mkdir()
        os.chown(folder, int(USER), int(USER))
    (data / "tmp").mkdir()
    # In the image both servers have ports; those of the tests are files of root.
    redis = Path(urlsplit(settings.REDIS_URL).path)
    redis.chmod(0o777)
    for folder in (redis.parent, Path(connection.settings_dict["HOST"])):
        folder.chmod(0o711)

    given = {"MEDDIE_DATA": str(data)}
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
    subprocess.run(collect, check=True, cwd=ROOT, env=environment(**given))

    closed = [path for path in reversed(PYTHON.parents) if not path.stat().st_mode & 1]

    def start(*command):
        more = {
            "TMPDIR": str(data / "tmp"),
            "SECRET_KEY": settings.SECRET_KEY,
            "FIELD_KEYS": Fernet.generate_key().decode(),
            "USER_ID": USER,
            "PYTHON": str(PYTHON),
            "CLOSED": next((str(path) for path in closed), ""),
            "WRITABLE": " ".join(map(str, folders)),
        }
        inner = [sys.executable, "-B", *command]
        outer = ["unshare", "--mount", "sh", "-ec", AS_THE_IMAGE, "sh"]
        started.append(
            subprocess.Popen([*outer, *inner], env=environment(**given | more))
        )

    yield start
    for process in started:
        process.kill()
        process.wait(PATIENCE)


@pytest.mark.skipif(os.geteuid() != 0, reason="a read-only root takes root's rights")
def test_image_answers_on_both_protocols_and_reads_files_with_a_read_only_root(
    transactional_db, run, data
):
    member = MembershipFactory()
    port = str(free_port())
    [command] = re.findall(r"^CMD (\[.*?\])$", DOCKERFILE.replace("\\\n", ""), re.M)
    run("-m", *[port if part == "8000" else part for part in json.loads(command)])
    # As `make run` starts it: the tests' Redis has no scripts.
    run(*program_commands(Locations(data / "tmp"), 0)["worker"])
    for host in ("127.0.0.1", "[::1]"):
        wait_until(lambda host=host: answers(f"http://{host}:{port}/healthz"))
    send(f"http://127.0.0.1:{port}", member.user)
    wait_until(lambda: Attachment.objects.get().state != "pending")
    file = Attachment.objects.get()
    assert (file.state, file.error) == ("done", "")


def answers(address):
    with suppress(httpx2.TransportError):
        return httpx2.get(address).is_success
    return False


def send(address, user):
    """A message with a file, as the page sends it."""
    cookies = {settings.SESSION_COOKIE_NAME: session_of(user)}
    with httpx2.Client(base_url=address, cookies=cookies, timeout=PATIENCE) as client:
        client.get("/chat/new").raise_for_status()
        client.headers |= {
            "Origin": address,
            "X-CSRFToken": client.cookies["csrftoken"],
            "HX-Request": "true",
        }
        file = ("form.txt", b"Known allergies: cefuroxime", "text/plain")
        client.post("/chat/files", files={"file": file}).raise_for_status()
        attached = [str(Attachment.objects.get().pk)]
        client.post(
            "/chat/send", data={"text": "Keep it.", "attached": attached}
        ).raise_for_status()


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("read_only", True),
        ("cap_drop", ["ALL"]),
        ("tmpfs", [TEMPORARY]),
        ("security_opt", ["no-new-privileges:true"]),
    ],
)
def test_compose_gives_the_image_no_more_rights_than_this_test(setting, expected):
    assert IMAGE[setting] == expected
    assert [
        name for name, service in COMPOSE["services"].items() if "user" in service
    ] == []
