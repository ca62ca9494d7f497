"""The learned weights as the page loads them, in 16-bit numbers, each weight that symmetries give
to several things only once: tempo, pieces, lines, and the network if there is one.
`search_exports.unfold_weights` reads them."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nestline.engine.search.evaluation import (
    NET_KINDS,
    ROTATIONS,
    UNITS,
    pattern_from_the_end,
    seen_square,
)
from nestline.engine.search.weights import LEARNED, Net, family_of, weights_for
from nestline.rules import RuleSet, load_rules, rule_set_names
from nestline.rules.law import LAYER_BITS, MAX_SIZES


def learned_families() -> Iterator[str]:
    return (path.stem for path in LEARNED.glob("*.npz"))


def weights_file(family: str) -> bytes:
    rules = next(each for each in map(load_rules, rule_set_names()) if family_of(each) == family)
    weights = weights_for(rules)
    patterns = range(weights.lines.shape[1])
    back = np.array([pattern_from_the_end(pattern, rules.law) for pattern in patterns])
    assert (weights.lines == weights.lines[:, back]).all()
    lines = weights.lines[:, back >= np.array(patterns)]
    numbers = [np.array([weights.tempo]), weights.pieces.ravel(), lines.ravel()]
    if len(weights.net.out):
        numbers += [_rows(weights.net, rules), weights.net.bias, weights.net.out]
    return np.concatenate(numbers).astype("<i2").tobytes()


def _rows(net: Net, rules: RuleSet) -> NDArray[np.int16]:
    """The rows of each first unit of a group, for the squares on which it sees pieces."""
    squares, units = range(rules.board**2), range(UNITS)
    rows = net.rows.reshape(NET_KINDS * MAX_SIZES, LAYER_BITS, UNITS).transpose(0, 2, 1)
    seen = np.array([[seen_square(at, unit, rules.board) for at in squares] for unit in units])
    rows = rows[:, :, : len(squares)]
    firsts = np.array([[unit - unit % len(ROTATIONS)] for unit in units])
    assert (rows == rows[:, firsts, seen]).all()
    stored: NDArray[np.int16] = rows[:, (seen == squares) & (firsts == np.array(units)[:, None])]
    return stored.ravel()
