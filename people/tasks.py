"""What is done once a day."""

from meddie.jobs.registry import DAILY
from people import cleanup

DAILY.append(cleanup.delete_expired)
