"""The server: games in a database, seats with tokens, study; JSON over HTTP and a WebSocket."""
