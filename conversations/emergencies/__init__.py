"""Red flags in a user's message, and the fixed note above the reply.

Pure, and before any provider. docs/emergencies.md names the signs and their sources.
"""
