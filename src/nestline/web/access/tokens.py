"""Secrets of seats: made at random, kept as hashes only, compared in constant time.

A token has 192 random bits, so a plain hash is enough to store it: there is nothing to guess.
Which seat a token holds is found in `games.seats`.
"""

import hashlib
import hmac
import secrets

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Letters of public ids; none that looks like another one."""
ID_LENGTH = 12
SECRET_BYTES = 24
LONGEST_SECRET = 100


def new_id() -> str:
    """A public id; 60 random bits, so that games are found by whoever was told of them."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_same(one: str | None, other: str | None) -> bool:
    """Whether two hashes are there and equal, in constant time."""
    return one is not None and other is not None and hmac.compare_digest(one, other)
