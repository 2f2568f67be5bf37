"""One turn, whatever the channel: from the user's message to the stored reply."""
