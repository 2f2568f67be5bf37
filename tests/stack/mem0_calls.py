"""A program that calls Meddie through mem0's client; it prints what came back.

python tests/stack/mem0_calls.py HOST KEY USER_ID
"""

import json
import sys
from typing import Any

from mem0 import MemoryClient
from mem0.exceptions import MemoryError as MemoryFailure


def main(host: str, key: str, user_id: str) -> dict[str, Any]:
    client = MemoryClient(api_key=key, host=host)
    of_user = {"user_id": user_id}
    told = client.add("I play the violin", user_id=user_id, infer=False)
    first = told["results"][0]["id"]
    said = [{"role": "user", "content": "I live in Gdynia by the sea"}]
    results = {
        "told": told,
        "again": client.add("I play the violin", filters=of_user, infer=False),
        "queued": client.add(said, user_id=user_id),
        "got": client.get(first),
        "listed": client.get_all(filters=of_user),
        "page": client.get_all(filters={"AND": [of_user]}, page=1, page_size=1),
        "found": client.search("Who plays the violin?", filters=of_user, top_k=3),
        "updated": client.update(first, text="I play the cello"),
        "kept_id": client.get(first),
        "history": client.history(first),
        "users": client.users(),
        "deleted": client.delete(first),
    }
    try:
        client.get(first)
    except MemoryFailure as error:
        results["missing"] = type(error).__name__
    client.add("I like tea", user_id=user_id, infer=False)
    results["all_deleted"] = client.delete_all(user_id=user_id)
    results["left"] = client.get_all(filters=of_user)
    return results


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))  # noqa: T201 -- what the test reads
