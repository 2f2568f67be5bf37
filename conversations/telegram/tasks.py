"""What is done once a day."""

from conversations.telegram import links
from meddie.jobs.registry import DAILY

DAILY.append(links.delete_expired_codes)
