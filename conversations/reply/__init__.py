"""One turn of any channel: from the user's message to the stored reply."""
