"""The bundled PostgreSQL and Redis."""
