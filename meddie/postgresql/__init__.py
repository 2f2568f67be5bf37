"""Django's PostgreSQL backend, whose errors name no values."""
