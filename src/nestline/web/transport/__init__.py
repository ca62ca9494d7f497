"""The wire: HTTP and WebSocket connections with limits on their number, size, and time."""
