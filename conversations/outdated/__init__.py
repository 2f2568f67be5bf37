"""Answers that used a fact or a file which has changed since: found, marked and told."""
