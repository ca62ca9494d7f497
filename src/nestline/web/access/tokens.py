"""The secrets of seats: random, stored only as hashes, compared in constant time.

A token has 192 random bits, too many to guess, so a plain hash is enough to store it.
`games.seats` finds the seat a token holds.
"""

import hashlib
import hmac
import secrets

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""The letters of public ids; no two look alike."""
ID_LENGTH = 12
SECRET_BYTES = 24
LONGEST_SECRET = 100


def new_id() -> str:
    """A public id; its 60 random bits keep strangers from finding a game by guessing."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_same(one: str | None, other: str | None) -> bool:
    """Whether two hashes are present and equal, in constant time."""
    return one is not None and other is not None and hmac.compare_digest(one, other)
