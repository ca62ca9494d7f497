"""The database: its schema, its statements, and the threads that write and listen."""
