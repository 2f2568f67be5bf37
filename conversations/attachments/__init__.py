"""Files of users: their storage, and the texts derived from them."""
