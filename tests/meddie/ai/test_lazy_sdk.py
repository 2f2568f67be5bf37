"""The OpenAI SDK is read only where it is used."""

import subprocess
import sys

CODE = """
import sys
import django
django.setup()
import meddie.asgi
from django.conf import settings
from meddie.ai import client
client.warm()
print(bool({"openai", "aiohttp"} & sys.modules.keys()))
settings.OPENAI_API_KEY = "a key"
client.warm()
print({"openai", "aiohttp"} <= sys.modules.keys())
"""


def test_without_a_key_a_process_does_not_read_it_and_with_one_before_it_is_asked():
    """In a process of its own: this one has read it."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]
