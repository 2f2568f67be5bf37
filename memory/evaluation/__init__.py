"""Measurements of recall on conversations with known answers, for developers."""
