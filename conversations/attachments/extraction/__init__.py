"""Text of documents and pictures, read in a child process without Django."""
