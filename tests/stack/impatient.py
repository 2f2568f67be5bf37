"""Meddie's web application, which waits for bodies for two seconds only."""

from meddie.asgi import application
from meddie.http import body_limits

body_limits.ARRIVES_WITHIN = 2.0

__all__ = ["application"]
