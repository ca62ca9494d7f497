"""How Alembic reaches the database: through the connection that `migrate` gives it."""

from alembic import context

from nestline.web.storage.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
