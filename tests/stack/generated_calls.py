"""A program with the client that openapi-python-client makes; it prints JSON.

python generated_calls.py URL KEY
"""

import json
import sys

from meddie_client import AuthenticatedClient
from meddie_client.api.memories import (
    delete_memory,
    get_found_memories,
    get_memory,
    post_memories,
)
from meddie_client.models import (
    Added,
    ForgottenMemories,
    FoundMemories,
    NewMemories,
    Problem,
)

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)
added = post_memories.sync(client=client, body=NewMemories(text="I play the violin"))
assert isinstance(added, Added)
memory = added.decisions[0].id
assert memory is not None
found = get_found_memories.sync(client=client, q="violin")
assert isinstance(found, FoundMemories)
deleted = delete_memory.sync(memory, client=client)
assert isinstance(deleted, ForgottenMemories)
gone = get_memory.sync(memory, client=client)
assert isinstance(gone, Problem)
results = {
    "found": [one.text for one in found.memories],
    "forgotten": memory in deleted.forgotten,
    "refused": gone.reason,
}
print(json.dumps(results))  # noqa: T201 -- what the test reads
