"""Standing tests: what is dangerous to leave out of a prompt is in it (docs/probes.md)."""
