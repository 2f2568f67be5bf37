"""The bundled PostgreSQL and Redis, for whoever has configured none."""
