"""Views of the chat."""
