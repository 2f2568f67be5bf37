"""Name the data folder for `make clean`; with --data, remove it."""

import shutil
import sys
from collections.abc import Sequence

from meddie.embedded.locations import locations
from meddie.embedded.lock import exclusive_lock
from meddie.embedded.refusal import Refusal


def main(arguments: Sequence[str]) -> int:
    where = locations()
    if not where.data.exists():
        return 0
    if "--data" not in arguments:
        print(f"The data in {where.data} stays; make clean DATA=1 removes it.")  # noqa: T201
        return 0
    try:
        with exclusive_lock(where):
            shutil.rmtree(where.data)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201
        return 1
    print(f"Removed {where.data}.")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
