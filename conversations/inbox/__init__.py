"""Received updates: stored before anything else, then worked on in order per thread.

Each channel that receives them has a model and a `worker.Channel`.
"""
