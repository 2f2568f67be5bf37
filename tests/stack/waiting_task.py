"""A task that ends when the test wants it to."""

from pathlib import Path

from celery import shared_task

from tests.waiting import wait_until


@shared_task(name="tests.wait")
def wait(folder: str, name: str) -> None:
    (Path(folder) / f"{name}.begun").touch()
    wait_until((Path(folder) / "go").exists)
    (Path(folder) / f"{name}.done").touch()
