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
    PIECE_TABLES,
    TEMPO_BY_HAND,
    Geometry,
    Sheet,
    weigh_by_hand,
)
from nestline.errors import NestlineError
from nestline.rules import RuleSet
from nestline.rules.law import MAX_SIZES
from nestline.threats import completing_squares

LEARNED = Path(__file__).parent / "learned"


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
    lines = np.zeros((geometry.kinds, geometry.patterns), np.int16)
    pieces = np.zeros((PIECE_TABLES, MAX_SIZES, COUNTS), np.int16)
    weigh_by_hand(rules.law, geometry.kinds, lines.reshape(-1), pieces)
    return Weights(
        family=family_of(rules),
        lines=lines,
        pieces=pieces,
        tempo=TEMPO_BY_HAND,
        figures={"made": "by hand"},
    )
