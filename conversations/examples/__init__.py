"""The example household of the demo space: people, conversations and facts."""
