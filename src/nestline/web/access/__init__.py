"""Who asks, and how much one may ask for: tokens, visitors, rate limits, origins."""
