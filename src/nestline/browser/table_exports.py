"""Tablebases for the page: where a position's value is in the file.

The page reads the files; here is the index, which is computed, not shipped. A head holds the number
of entries and, by size, kinds and counts of ranks; the arrays of `Index` follow in two blocks.
"""

from typing import Any

from nestline.browser.memory import (
    BYTES,
    INTS,
    NUMBER,
    SHORTS,
    WORD,
    WORDS,
    array_at,
    as_word,
    beyond,
    export,
    helper,
    law_at,
)
from nestline.rules.law import MAX_SIZES, Law
from nestline.solve import table
from nestline.solve.index import (
    MAX_SOLVED_BOARD,
    SYMMETRIES,
    Index,
    fill_classes,
    fill_codes,
    fill_ranks,
)

ENTRIES, _KINDS, _COUNTS = 0, 1, 1 + MAX_SIZES
INDEX_WORDS = 1 + 2 * MAX_SIZES

_MASKS = 1 << MAX_SOLVED_BOARD**2
_CODES = 3 ** (MAX_SOLVED_BOARD**2)
_OWN = _MASKS
_OPP = _OWN + _CODES
_CLASSES = _OPP + _CODES
_IMAGES = _CLASSES + _CODES
_RANKS = _IMAGES + SYMMETRIES * _CODES
INDEX_SHORTS = _RANKS + (MAX_SIZES - 1) * SYMMETRIES * _CODES
INDEX_BYTES = 2 * _CODES


@helper
def _codes(law: Law) -> int:
    codes = as_word(1)
    for _ in range(law.board * law.board):
        codes *= 3
    return codes


@helper
def _ternary_at(law: Law, shorts: Any) -> Any:
    return array_at(shorts, (1 << (law.board * law.board),))


@helper
def _ranks_at(law: Law, shorts: Any) -> Any:
    return array_at(beyond(shorts, _RANKS), (MAX_SIZES - 1, SYMMETRIES, _codes(law)))


@export(NUMBER, WORDS, WORDS, SHORTS, BYTES)
def fill_index(law: Any, head: Any, shorts: Any, small: Any) -> int:
    """Compute the index of a rule set with a board of at most 3x3."""
    rules, numbers = law_at(law), array_at(head, (INDEX_WORDS,))
    codes = _codes(rules)
    own, opp = array_at(beyond(shorts, _OWN), (codes,)), array_at(beyond(shorts, _OPP), (codes,))
    images = array_at(beyond(shorts, _IMAGES), (SYMMETRIES, codes))
    fill_codes(rules.board, _ternary_at(rules, shorts), own, opp, images)
    ranks = _ranks_at(rules, shorts)
    top = rules.sizes - 1
    classes = array_at(beyond(shorts, _CLASSES), (codes,))
    symmetry, symmetries = array_at(small, (codes,)), array_at(beyond(small, _CODES), (codes,))
    entries = fill_classes(rules.stock[top], own, opp, images, classes, symmetry, symmetries)
    for size in range(MAX_SIZES):
        numbers[_KINDS + size] = 0
        numbers[_COUNTS + size] = 1
    for size in range(top):
        numbers[_KINDS + size] = size
        numbers[_COUNTS + size] = fill_ranks(rules.stock[size], own, opp, images, ranks[size])
        entries *= numbers[_COUNTS + size]
    numbers[ENTRIES] = entries
    return 0


@export(NUMBER, WORD, WORD, WORDS, WORDS, SHORTS, BYTES, INTS)
def locate(
    own: int, opp: int, law: Any, head: Any, shorts: Any, small: Any, completing: Any
) -> int:
    """The number to look up, or minus the entry where the board alone tells it."""
    rules, numbers = law_at(law), array_at(head, (INDEX_WORDS,))
    codes = _codes(rules)
    none, bytes_of_none = array_at(shorts, (0,)), array_at(small, (0,))
    index = Index(
        rules.board, rules.sizes, numbers[ENTRIES], numbers[_COUNTS],
        (numbers[_KINDS], numbers[_KINDS + 1], numbers[_KINDS + 2], numbers[_KINDS + 3]),
        (numbers[_COUNTS], numbers[_COUNTS + 1], numbers[_COUNTS + 2], numbers[_COUNTS + 3]),
        (numbers[_KINDS], numbers[_KINDS + 1], numbers[_KINDS + 2], numbers[_KINDS + 3]),
        _ternary_at(rules, shorts), _ranks_at(rules, shorts),
        array_at(shorts, (0, 0)), array_at(shorts, (0, 0)),
        array_at(beyond(shorts, _CLASSES), (codes,)), array_at(small, (codes,)),
        array_at(beyond(small, _CODES), (codes,)),
        none, none, bytes_of_none, bytes_of_none, array_at(small, (0, 0)),
        array_at(completing, (1 << (rules.board * rules.board),)),
    )  # fmt: skip
    return table.locate(own, opp, rules, index)
