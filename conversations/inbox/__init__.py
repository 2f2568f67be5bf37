"""Received Telegram updates: stored before anything else, then worked on in order.

Another channel needs an update model of its own.
"""
