"""What clients send and get: endpoints, the WebSocket, middleware, the page's files."""
