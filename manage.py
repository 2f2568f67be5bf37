#!/usr/bin/env python
"""Django's command line, with the bundled servers started when none are configured."""

import os
import sys


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")
    from meddie.embedded.command_line import run_command

    return run_command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
