"""Threads that share the processor, and their way back to the event loop."""
