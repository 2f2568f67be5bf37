"""Measurements of recall."""
