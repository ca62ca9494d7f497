"""What learning agents see: one layout of planes for all environments and the oracle.

An observation is an array of shape (planes, board, board) of small integers, from the point of view
of the player to move. Its rows begin at the bottom of the board, so a flattened plane has its
squares in the order of the actions' targets. Each group has one plane per size, the smallest first;
if the rules have draws by repetition, a last plane holds how often the position has occurred,
including now.

>>> for number, name in enumerate(plane_names("gobblers")):
...     if number % 3 == 0:
...         print(number, name)
0 own visible, size 1
3 own covered, size 1
6 opponent's visible, size 1
9 opponent's covered, size 1
12 own reserve, size 1
15 opponent's reserve, size 1
18 occurrences of the position

Reserve planes are filled with a number of pieces. Where covered pieces are hidden, the planes of
the opponent's covered pieces stay empty. Who is to move and what is legal is not part of it.
"""

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.compiled import inlined
from nestline.errors import ShapeError
from nestline.rules import RuleSet, load_rules
from nestline.rules.law import Law

GROUPS = (
    "own visible",
    "own covered",
    "opponent's visible",
    "opponent's covered",
    "own reserve",
    "opponent's reserve",
)
"""The groups of planes, in order; each has one plane per size."""

OCCURRENCES = "occurrences of the position"

(OWN_VISIBLE, OWN_COVERED, OPPONENTS_VISIBLE, OPPONENTS_COVERED, OWN_RESERVE,
 OPPONENTS_RESERVE) = range(len(GROUPS))  # fmt: skip


@inlined
def _write_pieces(word: int, group: int, law: Law, game: int, planes: NDArray[np.int8]) -> None:
    """Write the planes of a group: 1 where the word has a piece."""
    squares = law.board * law.board
    for size in range(law.sizes):
        mask = kernel.layer(word, size + 1)
        first = (group * law.sizes + size) * squares
        for square in range(squares):
            planes[game, first + square] = mask >> square & 1


@inlined
def _write_reserve(word: int, group: int, law: Law, game: int, planes: NDArray[np.int8]) -> None:
    """Write the planes of a group: the number of pieces of each size that are not in the word."""
    squares = law.board * law.board
    for size in range(law.sizes):
        left = law.stock[size] - kernel.popcount(kernel.layer(word, size + 1))
        first = (group * law.sizes + size) * squares
        for square in range(squares):
            planes[game, first + square] = left


@inlined
def write_observation(
    own: int, opp: int, occurrences: int, law: Law, hide_covered: int, game: int,
    planes: NDArray[np.int8],
) -> None:  # fmt: skip
    """Write row `game` of an array (games, numbers per observation).

    `occurrences` is written if the row has room for its plane, that is, if the rules use it.
    """
    own_shown = kernel.visible(own, opp)
    opp_shown = kernel.visible(opp, own)
    _write_pieces(own_shown, OWN_VISIBLE, law, game, planes)
    _write_pieces(own & ~own_shown, OWN_COVERED, law, game, planes)
    _write_pieces(opp_shown, OPPONENTS_VISIBLE, law, game, planes)
    opp_covered = 0 if hide_covered else opp & ~opp_shown
    _write_pieces(opp_covered, OPPONENTS_COVERED, law, game, planes)
    _write_reserve(own, OWN_RESERVE, law, game, planes)
    _write_reserve(opp, OPPONENTS_RESERVE, law, game, planes)
    for place in range(len(GROUPS) * law.sizes * law.board * law.board, planes.shape[1]):
        planes[game, place] = occurrences


def plane_names(rules: str | RuleSet) -> list[str]:
    """What each plane shows, in order."""
    loaded = load_rules(rules)
    sizes = range(1, loaded.sizes + 1)
    names = [f"{group}, size {size}" for group in GROUPS for size in sizes]
    return names + [OCCURRENCES] * (loaded.repetition > 0)


def plane_limits(rules: str | RuleSet) -> list[int]:
    """The largest number that can occur in each plane, in order."""
    loaded = load_rules(rules)
    pieces = [1] * (OWN_RESERVE * loaded.sizes)
    return pieces + 2 * list(loaded.stock) + [loaded.repetition] * (loaded.repetition > 0)


def observation_shape(rules: str | RuleSet) -> tuple[int, int, int]:
    """The shape of an observation: planes, rows, columns."""
    loaded = load_rules(rules)
    return len(plane_names(loaded)), loaded.board, loaded.board


def words_of(
    planes: NDArray[np.int8], rules: str | RuleSet
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The kernel's bitboards behind observations (n, planes, board, board) that hide nothing."""
    loaded = load_rules(rules)
    shape = observation_shape(loaded)
    found = np.asarray(planes)
    if found.shape[1:] != shape:
        raise ShapeError(
            f"observations of {loaded.name} have the shape (n, {', '.join(map(str, shape))}), "
            f"not {found.shape}"
        )
    bits = np.concatenate([
        1 << (kernel.LAYER_BITS * size + np.arange(loaded.squares, dtype=np.int64))
        for size in range(loaded.sizes)
    ])  # fmt: skip
    groups = found[:, : OWN_RESERVE * loaded.sizes].reshape(len(found), OWN_RESERVE, len(bits))
    visible_own, covered_own, visible_opp, covered_opp = (groups @ bits).T
    return visible_own + covered_own, visible_opp + covered_opp
