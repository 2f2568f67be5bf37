"""A user's own data: as a zip file, and its deletion with the account."""
