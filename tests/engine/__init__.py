"""Search, players, protocol, proofs."""
