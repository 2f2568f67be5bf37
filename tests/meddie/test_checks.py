"""What `manage.py check` says about the broker, secrets and former variables."""

import subprocess
import sys

import pytest

from meddie.checks import check_broker, check_token_secret
from tests.stack.processes import environment


def found(settings, *, bundled: bool, url: str) -> list[str | None]:
    settings.BUNDLED_BROKER = bundled
    settings.REDIS_URL = url
    return [message.id for message in check_broker(None)]


def test_a_missing_broker_is_named(settings) -> None:
    assert found(settings, bundled=True, url=settings.REDIS_URL) == ["meddie.W001"]


def test_a_broker_that_answers_is_fine(settings) -> None:
    assert found(settings, bundled=False, url=settings.REDIS_URL) == []


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "nonsense"])
def test_a_broker_that_does_not_answer_is_an_error(settings, url: str) -> None:
    assert found(settings, bundled=False, url=url) == ["meddie.E001"]


@pytest.mark.parametrize(
    ("secret", "warnings"), [("", []), ("x" * 31, ["meddie.W003"]), ("x" * 32, [])]
)
def test_a_short_secret_of_tokens_is_named(settings, secret: str, warnings) -> None:
    settings.OPENWEBUI_JWT_SECRET = secret
    assert [message.id for message in check_token_secret(None)] == warnings


def test_variables_of_an_earlier_version_are_named_and_stop_nothing(tmp_path) -> None:
    file = tmp_path / "env"
    file.write_text("IMAGE_MB=many\nCHAT_IMAGES=false\nDATABASE_POOL_SIZE=x\n")
    checked = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env=environment(ENV_FILE=str(file)),
        capture_output=True,
        text=True,
        check=True,
    )
    for name in ("IMAGE_MB", "CHAT_IMAGES", "DATABASE_POOL_SIZE"):
        assert f"{name} is no longer read." in checked.stderr
