"""Meddie: an assistant that remembers the people it talks to."""

import os

# Before the first import of numpy: its threads wait in busy loops, so several processes
# on the same cores slow each other down by far more than the threads gain.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from meddie.celery import app as celery_app

__all__ = ["celery_app"]
