"""Received updates: stored before anything else, then worked on in order per thread."""
