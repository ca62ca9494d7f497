"""Bitboards against sets of places: a piece of size 3 on square 5 is at place 2 * 16 + 5.

Words are compared by their 64 bits, so that the tests hold as well where nothing is compiled and
Python's numbers outgrow a word.
"""

import random

import pytest

from nestline import words

CHANCE = random.Random("words")
SOME_WORDS = [0, -1, 1, -(2**63), 2**63 - 1] + [
    CHANCE.getrandbits(64) - 2**63 & (-1 if dense else CHANCE.getrandbits(64) - 2**63)
    for dense in (True, False)
    for _ in range(100)
]


def places(word: int) -> set[int]:
    return {place for place in range(64) if word >> place & 1}


def word_of(numbers: set[int]) -> int:
    """As the package has it, with a sign."""
    word = sum(1 << number for number in numbers)
    return word - (1 << 64) if word >> 63 else word


def test_popcount() -> None:
    for word in SOME_WORDS:
        assert words.popcount(word) == len(places(word))


def image(place: int, symmetry: int, board: int) -> int:
    size, square = divmod(place, 16)
    row, column = divmod(square, board)
    if symmetry & 4:
        row, column = column, row
    if symmetry & 1:
        column = board - 1 - column
    if symmetry & 2:
        row = board - 1 - row
    return 16 * size + row * board + column


@pytest.mark.parametrize("board", [1, 2, 3, 4])
def test_transform(board: int) -> None:
    for word in SOME_WORDS:
        there = {place for place in places(word) if place % 16 < board * board}
        for symmetry in range(8):
            expected = {image(place, symmetry, board) for place in there}
            assert places(words.transform(word_of(there), symmetry, board)) == expected


@pytest.mark.parametrize("board", [1, 2, 3, 4])
def test_canonical_symmetry(board: int) -> None:
    """Of equal images the first counts, so the identity where a pair is canonical already."""
    chance = random.Random(f"canonical {board}")
    # Without the largest size, whose last square would be the sign.
    on_board = [16 * size + square for size in range(3) for square in range(board * board)]
    for _ in range(60):
        own, opp = (
            set(chance.sample(on_board, chance.randint(0, min(4, len(on_board))))) for _ in range(2)
        )
        pairs = [
            tuple(word_of({image(place, symmetry, board) for place in each}) for each in (own, opp))
            for symmetry in range(8)
        ]
        assert words.canonical_symmetry(*pairs[0], board) == pairs.index(min(pairs))


def test_single_pieces() -> None:
    for square in range(16):
        assert words.bit_index(1 << square) == square
        for size in (1, 2, 3, 4):
            assert places(words.piece(size, square)) == {16 * (size - 1) + square}


def test_layers() -> None:
    for word in SOME_WORDS:
        there = places(word)
        for size in (1, 2, 3, 4):
            expected = {place % 16 for place in there if place // 16 == size - 1}
            assert words.layer(word, size) == word_of(expected)
        assert words.squares_of(word) == word_of({place % 16 for place in there})
        under = {place % 16 + 16 * low for place in there for low in range(place // 16)}
        assert words.under_larger(word) == word_of(under)
        over = {place % 16 + 16 * high for place in there for high in range(place // 16 + 1, 4)}
        assert places(words.over_smaller(word)) == over


def test_visible_pieces() -> None:
    for own, other in zip(SOME_WORDS, reversed(SOME_WORDS), strict=True):
        opp = other & ~own
        both = places(own | opp)
        covered = {place % 16 + 16 * low for place in both for low in range(place // 16)}
        assert places(words.visible(own, opp)) == places(own) - covered
