"""The OpenAI SDK is imported only where it is used."""

import subprocess
import sys

CODE = """
import sys
import django
django.setup()
import meddie.asgi
from django.conf import settings
from meddie.ai import client
client.import_sdk()
print(bool({"openai", "aiohttp"} & sys.modules.keys()))
settings.OPENAI_API_KEY = "a key"
client.import_sdk()
print({"openai", "aiohttp"} <= sys.modules.keys())
"""


def test_the_sdk_is_imported_at_the_start_only_with_a_key():
    """In another process: this one has imported it."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]
