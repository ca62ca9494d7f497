"""The weights of the evaluation: set by hand at first, or learned and kept in a file.

Weights belong to a family of rule sets: those with the same board, line length, sizes, and rule for
placing new pieces. A rule set whose family has no file uses one that differs only in that rule, or
else the weights set by hand. `evaluation` says what the weights mean, `training` learns them.
"""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline.engine.search.evaluation import (
    COUNTS,
    COVERED_OPP,
    COVERED_OWN,
    FINENESS,
    PIECE_TABLES,
    RESERVE_OPP,
    RESERVE_OWN,
    Geometry,
    Sheet,
)
from nestline.errors import NestlineError
from nestline.rules import RuleSet
from nestline.rules.law import MAX_SIZES
from nestline.threats import completing_squares

LEARNED = Path(__file__).parent / "learned"

OPEN_LINE = (0, 5, 18, 60)
"""By hand: the value of a line with this many own pieces and none of the opponent's."""

BARRED_LINE = (0, 2, 6, 15)
"""By hand: the same if the opponent is in the line too, but not with a largest piece."""


@dataclass(frozen=True)
class Weights:
    """The weights of lines and pieces, in fractions of hundredths (see `FINENESS`).

    lines: (kinds, patterns); pieces: (4, 4, COUNTS), see `Sheet`.
    """

    family: str
    lines: NDArray[np.int16]
    pieces: NDArray[np.int16]
    tempo: int
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Their origin: for learned weights, the figures of the fit."""

    def sheet(self, rules: RuleSet) -> Sheet:
        """The weights laid out for the evaluation of a rule set of this family."""
        if _shape(family_of(rules)) != _shape(self.family):
            raise NestlineError(
                f"these weights are for {self.family}, and {rules.name} is {family_of(rules)}"
            )
        geometry = Geometry(rules)
        shares = geometry.shares()
        lines = np.full(shares.shape[2] * 4, self.lines.size, np.int64)
        lines[: len(geometry.lines)] = np.array(geometry.kind_of) * geometry.patterns
        return Sheet(
            shares=shares,
            lines=lines,
            line_weights=np.append(self.lines.ravel(), np.zeros(1, np.int16)),
            piece_weights=self.pieces,
            completing=completing_squares(rules.law),
            tempo=self.tempo,
        )

    def to_bytes(self) -> bytes:
        """The content of a file that `load_weights` reads."""
        buffer = io.BytesIO()
        facts = json.dumps({"family": self.family, "tempo": self.tempo, **self.figures})
        np.savez_compressed(buffer, lines=self.lines, pieces=self.pieces, facts=np.array(facts))
        return buffer.getvalue()


def load_weights(path: Path) -> Weights:
    """Load the weights from a file written by `Weights.to_bytes`."""
    try:
        with np.load(path, allow_pickle=False) as content:
            figures = json.loads(str(content["facts"]))
            return Weights(
                family=figures.pop("family"),
                tempo=int(figures.pop("tempo")),
                lines=content["lines"].astype(np.int16),
                pieces=content["pieces"].astype(np.int16),
                figures=figures,
            )
    except (OSError, ValueError, KeyError) as problem:
        raise NestlineError(f"{path}: these are no weights of nestline: {problem}") from None


def family_of(rules: RuleSet) -> str:
    """The family of a rule set, as the name of its weights: `board4-line4-sizes4-threat`."""
    return f"board{rules.board}-line{rules.line}-sizes{rules.sizes}-{rules.place_onto}"


def _shape(family: str) -> str:
    """A family without the rule for new pieces; weights of the same shape are interchangeable."""
    return family.rpartition("-")[0]


@cache
def weights_for(rules: RuleSet) -> Weights:
    """The learned weights closest to the rule set's family, or those set by hand."""
    family = family_of(rules)
    learned = sorted(
        (file.name != f"{family}.npz", file.name)
        for file in LEARNED.iterdir()
        if file.name.startswith(_shape(family) + "-")
    )
    return load_weights(LEARNED / learned[0][1]) if learned else hand_set(rules)


def hand_set(rules: RuleSet) -> Weights:
    """Weights as a thoughtful beginner would set them; learning starts here."""
    geometry = Geometry(rules)
    one_line = np.array(
        [_line_by_hand(pattern, geometry, rules.line) for pattern in range(geometry.patterns)]
    )
    pieces = np.zeros((PIECE_TABLES, MAX_SIZES, COUNTS))
    for size in range(1, geometry.sizes + 1):
        for count in range(COUNTS):
            reserve, covered = 2 * size * count, -3 * count
            pieces[RESERVE_OWN, size - 1, count] = reserve
            pieces[RESERVE_OPP, size - 1, count] = -reserve
            pieces[COVERED_OWN, size - 1, count] = covered
            pieces[COVERED_OPP, size - 1, count] = -covered
    return Weights(
        family=family_of(rules),
        lines=np.tile((one_line * FINENESS).astype(np.int16), (geometry.kinds, 1)),
        pieces=(pieces * FINENESS).astype(np.int16),
        tempo=5 * FINENESS,
        figures={"made": "by hand"},
    )


def _line_by_hand(pattern: int, geometry: Geometry, length: int) -> float:
    """A line with pieces of one player counts for him: more pieces and larger ones count more."""
    states = [pattern // geometry.states**place % geometry.states for place in range(length)]
    own = [state for state in states if 0 < state <= geometry.sizes]
    opp = [state - geometry.sizes for state in states if state > geometry.sizes]
    largest = geometry.sizes
    worth = 0.0
    for one, other, sign in ((own, opp, 1), (opp, own, -1)):
        if len(one) >= length:
            worth += sign * 200
        elif not other:
            worth += sign * OPEN_LINE[len(one)]
        elif largest not in other:
            worth += sign * BARRED_LINE[len(one)]
        worth += sign * 0.5 * sum(one)
    return worth
