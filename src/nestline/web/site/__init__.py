"""The page as static files that any host can serve, and that work offline."""
