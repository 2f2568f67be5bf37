"""Text of documents and pictures, read in a child process with limits.

Its modules, except `run`, know neither Django nor the settings.
"""
