"""Background work: a fair thread pool, tablebases, compilation, and calls to the event loop."""
