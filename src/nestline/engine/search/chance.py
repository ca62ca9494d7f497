"""Random numbers for compiled code: the Mersenne Twister of Python's `random`.

A seed means the same as in Python, and the same in the page, where this code runs too. A generator
is an array: its 624 words, and how many of them are used up.
"""

import random

import numpy as np
from numpy.typing import NDArray

from nestline.compiled import inlined

WORDS = 624
USED = WORDS
"""Where a generator counts the words it has used up."""

_MIDDLE = 397
_UPPER, _LOWER = 0x8000_0000, 0x7FFF_FFFF
_TWIST = 0x9908_B0DF
_WHOLE = 0xFFFF_FFFF

UNIFORMS_OF_A_BELL = 12
"""The sum of this many uniform numbers has the variance 1."""

Chance = NDArray[np.int64]


def make_chance(seed: int | None = None) -> Chance:
    """A generator; without a seed, one that nobody can foresee."""
    _, state, _ = random.Random(seed).getstate()
    return np.array(state, np.int64)


@inlined
def _renew(chance: Chance) -> None:
    for place in range(WORDS):
        both = chance[place] & _UPPER | chance[(place + 1) % WORDS] & _LOWER
        chance[place] = chance[(place + _MIDDLE) % WORDS] ^ both >> 1 ^ (both & 1) * _TWIST
    chance[USED] = 0


@inlined
def next_word(chance: Chance) -> int:
    """The next 32 random bits."""
    if chance[USED] >= WORDS:
        _renew(chance)
    word = chance[chance[USED]]
    chance[USED] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C_5680
    word ^= word << 15 & 0xEFC6_0000
    return int(word ^ word >> 18) & _WHOLE


@inlined
def below(chance: Chance, limit: int) -> int:
    """A whole number from 0 to `limit - 1`; the limit is at least 1 and small."""
    bits = 0
    while limit >> bits:
        bits += 1
    number = next_word(chance) >> (32 - bits)
    while number >= limit:
        number = next_word(chance) >> (32 - bits)
    return number


@inlined
def uniform(chance: Chance) -> float:
    """A number from 0 up to, but not including, 1."""
    high = next_word(chance) >> 5
    low = next_word(chance) >> 6
    return float(high * (1 << 26) + low) / float(1 << 53)


@inlined
def bell(chance: Chance) -> float:
    """Nearly a normal variate, of mean 0 and variance 1; it needs no logarithm, and never exceeds
    6 in either direction."""
    total = -0.5 * UNIFORMS_OF_A_BELL
    for _ in range(UNIFORMS_OF_A_BELL):
        total += uniform(chance)
    return total


@inlined
def shuffle(chance: Chance, numbers: NDArray[np.int64]) -> None:
    for last in range(len(numbers) - 1, 0, -1):
        place = below(chance, last + 1)
        kept = numbers[last]
        numbers[last] = numbers[place]
        numbers[place] = kept
