"""Proofs of forced wins: the exhaustive search, and the bound that keeps it small."""
