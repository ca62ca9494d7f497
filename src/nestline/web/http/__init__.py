"""The HTTP interface: endpoints, the WebSocket, middleware, the page's files."""
