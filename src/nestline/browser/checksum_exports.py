"""The checksums of tablebase files for the page: SHA-256 for the header, BLAKE2b for the blocks.

Browsers have the first one only on encrypted connections, and the second one not at all. Words are
signed, as in the kernel; the masks after the right shifts undo the sign extension.
"""

import hashlib
from typing import Any

import numpy as np

from nestline.browser.memory import BYTES, NUMBER, WORDS, array_at, as_word, beyond, export, helper

BLAKE_BLOCK, SHA_BLOCK = 128, 64
BLAKE_DIGEST = hashlib.blake2b(digest_size=16).digest_size
_BLAKE_ROUNDS, _SHA_ROUNDS = 12, 64
_WORD32 = (1 << 32) - 1

_MIXING = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.uint8,
)
"""The order in which each round of BLAKE2b takes the words of a block."""


def _fractions(root: int, count: int, bits: int) -> list[int]:
    """The first bits of the fractional parts of the roots of the first primes, in whole numbers."""
    primes = [n for n in range(2, 400) if all(n % d for d in range(2, n))][:count]
    found = []
    for prime in primes:
        scaled = prime << (root * bits)
        number = 1 << (scaled.bit_length() // root + 1)
        while number**root > scaled:  # Newton's method for the whole part of the root
            number = ((root - 1) * number + scaled // number ** (root - 1)) // root
        found.append(number & ((1 << bits) - 1))
    return found


_BLAKE_START = np.array(_fractions(2, 8, 64), np.uint64).view(np.int64)
_SHA_START = np.array(_fractions(2, 8, 32), np.int64)
_SHA_STEPS = np.array(_fractions(3, _SHA_ROUNDS, 32), np.int64)


@helper
def _turned(word: int, bits: int) -> int:
    return ((word >> bits) & ((1 << (64 - bits)) - 1)) | (word << (64 - bits))


@helper
def _turned32(word: int, bits: int) -> int:
    return (word >> bits | word << (32 - bits)) & _WORD32


@export(NUMBER, BYTES, NUMBER, WORDS)
def blake2b(content: Any, length: int, words: Any) -> int:
    """Write the digest of 16 bytes, the hash of a block, as two words; `words` is room for 48."""
    data = array_at(content, (as_word(length),))
    state, mixed = array_at(words, (8,)), array_at(beyond(words, 8), (16,))
    block = array_at(beyond(words, 24), (16,))
    for index in range(8):
        state[index] = _BLAKE_START[index]
    state[0] ^= 0x0101_0000 ^ BLAKE_DIGEST
    done = as_word(0)
    while True:
        for index in range(16):
            block[index] = 0
        taken = min(len(data) - done, BLAKE_BLOCK)
        for index in range(taken):
            block[index >> 3] |= as_word(data[done + index]) << (8 * (index & 7))
        done += taken
        for index in range(8):
            mixed[index] = state[index]
            mixed[index + 8] = _BLAKE_START[index]
        mixed[12] ^= done
        if done == len(data):
            mixed[14] = ~mixed[14]
        for turn in range(_BLAKE_ROUNDS):
            for step in range(8):
                # Columns first, then diagonals.
                a, shift = step & 3, step >> 2
                b, c = 4 + ((a + shift) & 3), 8 + ((a + 2 * shift) & 3)
                d = 12 + ((a + 3 * shift) & 3)
                mixed[a] += mixed[b] + block[_MIXING[turn % 10, 2 * step]]
                mixed[d] = _turned(mixed[d] ^ mixed[a], 32)
                mixed[c] += mixed[d]
                mixed[b] = _turned(mixed[b] ^ mixed[c], 24)
                mixed[a] += mixed[b] + block[_MIXING[turn % 10, 2 * step + 1]]
                mixed[d] = _turned(mixed[d] ^ mixed[a], 16)
                mixed[c] += mixed[d]
                mixed[b] = _turned(mixed[b] ^ mixed[c], 63)
        for index in range(8):
            state[index] ^= mixed[index] ^ mixed[index + 8]
        if done == len(data):
            return 0


@export(NUMBER, BYTES, NUMBER, WORDS)
def sha256(content: Any, length: int, words: Any) -> int:
    """Write the digest as eight numbers of 32 bits; `words` is room for 80."""
    data = array_at(content, (as_word(length),))
    state, mixed = array_at(words, (8,)), array_at(beyond(words, 8), (8,))
    block = array_at(beyond(words, 16), (_SHA_ROUNDS,))
    for index in range(8):
        state[index] = _SHA_START[index]
    bits = 8 * len(data)
    padded = (len(data) + 9 + SHA_BLOCK - 1) // SHA_BLOCK * SHA_BLOCK
    for start in range(0, padded, SHA_BLOCK):
        for index in range(_SHA_ROUNDS):
            block[index] = 0
        for index in range(SHA_BLOCK):
            place = start + index
            byte = as_word(0)
            if place < len(data):
                byte = as_word(data[place])
            elif place == len(data):
                byte = as_word(0x80)
            elif place >= padded - 8:
                byte = bits >> (8 * (padded - 1 - place)) & 255
            block[index >> 2] |= byte << (8 * (3 - (index & 3)))
        for index in range(16, _SHA_ROUNDS):
            late, early = block[index - 2], block[index - 15]
            late = _turned32(late, 17) ^ _turned32(late, 19) ^ late >> 10
            early = _turned32(early, 7) ^ _turned32(early, 18) ^ early >> 3
            block[index] = (block[index - 16] + early + block[index - 7] + late) & _WORD32
        for index in range(8):
            mixed[index] = state[index]
        for turn in range(_SHA_ROUNDS):
            a, e = mixed[0], mixed[4]
            high = _turned32(e, 6) ^ _turned32(e, 11) ^ _turned32(e, 25)
            chosen = e & mixed[5] ^ ~e & mixed[6]
            first = mixed[7] + high + chosen + _SHA_STEPS[turn] + block[turn]
            low = _turned32(a, 2) ^ _turned32(a, 13) ^ _turned32(a, 22)
            second = low + (a & mixed[1] ^ a & mixed[2] ^ mixed[1] & mixed[2])
            for index in range(7, 0, -1):
                mixed[index] = mixed[index - 1]
            mixed[4] = (mixed[4] + first) & _WORD32
            mixed[0] = (first + second) & _WORD32
        for index in range(8):
            state[index] = (state[index] + mixed[index]) & _WORD32
    return 0
