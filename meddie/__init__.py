"""Meddie: an assistant that remembers the people it talks to."""

from meddie.celery import app as celery_app

__all__ = ["celery_app"]
