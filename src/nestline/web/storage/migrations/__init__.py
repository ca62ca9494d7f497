"""Steps from one schema of the database to the next, run by Alembic at every start."""
