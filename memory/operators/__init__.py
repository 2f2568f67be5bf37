"""What operators see of memory. No prompt is built from it."""
