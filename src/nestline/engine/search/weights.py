"""The weights of the evaluation: set by hand at first, or learned and kept in a file.

Weights belong to a family of rule sets: those with the same board, lines, sizes, and rule for
placing new pieces. A rule set whose family has no file uses one that differs only in that rule, or
else the weights set by hand. `evaluation` says what the weights mean, `training` learns them.
"""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.engine.search.evaluation import (
    COUNTS,
    NET_KINDS,
    NET_WORDS,
    PIECE_TABLES,
    TEMPO_BY_HAND,
    UNITS,
    Geometry,
    Sheet,
    pack_net,
    weigh_by_hand,
)
from nestline.errors import NestlineError
from nestline.rules import RuleSet
from nestline.rules.law import MAX_SIZES
from nestline.threats import completing_squares

LEARNED = Path(__file__).parent / "learned"


class Net(NamedTuple):
    """The weights of the network: of its hidden units, what they begin with, and of the sum.

    rows: (NET_KINDS, 64, UNITS), by the kind and the bit of a piece; bias, out: (UNITS,), empty if
    there is no network.
    """

    rows: NDArray[np.int16]
    bias: NDArray[np.int16]
    out: NDArray[np.int16]

    def packed(self) -> NDArray[np.int64]:
        """See `Sheet`."""
        net = np.zeros((NET_KINDS + 1, 64, NET_WORDS), np.int64)
        if len(self.out):
            pack_net(self.rows, self.bias, net)
        return net


NO_NET = Net(
    np.zeros((NET_KINDS, 64, UNITS), np.int16), np.zeros(UNITS, np.int16), np.zeros(0, np.int16)
)


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
    net: Net = NO_NET

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
            net=self.net.packed(),
            net_out=self.net.out,
            completing=completing_squares(rules.law),
            tempo=self.tempo,
        )

    def to_bytes(self) -> bytes:
        """The content of a file that `load_weights` reads."""
        buffer = io.BytesIO()
        facts = json.dumps({"family": self.family, "tempo": self.tempo, **self.figures})
        net = {f"net_{name}": array for name, array in self.net._asdict().items()}
        np.savez_compressed(
            buffer, lines=self.lines, pieces=self.pieces, facts=np.array(facts), **net
        )
        return buffer.getvalue()


def load_weights(path: Path) -> Weights:
    """Load the weights from a file written by `Weights.to_bytes`."""
    try:
        with np.load(path, allow_pickle=False) as content:
            figures = json.loads(str(content["facts"]))
            net = NO_NET
            if "net_out" in content:
                parts = (content[f"net_{name}"] for name in Net._fields)
                net = Net._make(part.astype(np.int16) for part in parts)
            return Weights(
                family=figures.pop("family"),
                tempo=int(figures.pop("tempo")),
                lines=content["lines"].astype(np.int16),
                pieces=content["pieces"].astype(np.int16),
                figures=figures,
                net=net,
            )
    except (OSError, ValueError, KeyError) as problem:
        raise NestlineError(f"{path}: these are no weights of nestline: {problem}") from None


def family_of(rules: RuleSet) -> str:
    """The family of a rule set, as the name of its weights: `board4-line4-sizes4-threat`."""
    line = f"line{rules.line}" + "-wrap" * rules.wrap + "-misere" * rules.misere
    if rules.line_sizes != "any":
        line += f"-{rules.line_sizes}"
    return f"board{rules.board}-{line}-sizes{rules.sizes}-{rules.place_onto}"


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
