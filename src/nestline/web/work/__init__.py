"""Background work: a fair thread pool, tables, compilation, and the way back to the event loop."""
