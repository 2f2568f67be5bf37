"""The back-up of a release, from which a test upgrades.

`python -m tests.release` writes tests/releases/<version>.tar: what `make backup` writes
of a new Meddie with the demo account and one message.
"""

import re
import signal
import sys
from pathlib import Path

from meddie.version import VERSION
from tests.meddie.embedded.stack import Stack, data_folder, manage

FOLDER = Path(__file__).parent / "releases"
SAID = "I am allergic to ibuprofen."


def main() -> int:
    with data_folder() as data:
        stack = Stack(data, environment={"OPENAI_API_KEY": ""}).start()
        stack.wait_until_ready()
        with stack.signed_in() as client:
            sent = client.post(
                "/chat/send",
                data={"text": SAID, "conversation": ""},
                headers={
                    "HX-Request": "true",
                    "X-CSRFToken": client.cookies["csrftoken"],
                },
            )
            for path in re.findall(r'data-stream="([^"]+)"', sent.text):
                client.get(path)  # to its end
        FOLDER.mkdir(exist_ok=True)
        code, said = manage(data, "backup", str(FOLDER / f"{VERSION}.tar"))
        stack.end(signal.SIGTERM)
    sys.stdout.write(f"{said}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
