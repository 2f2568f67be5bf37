"""The views of the chat: pages to read, turns to take, changes to make."""
