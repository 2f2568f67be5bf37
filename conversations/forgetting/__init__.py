"""What must not be shown again: copies of facts in conversations, and deletion."""
