"""Migrations from one database schema to the next, run by Alembic at every start."""
