"""Ratings from results: maximum-likelihood Elo over all pairings, with error bars.

The model is Bradley-Terry: the expected score of a player who is d points stronger is 1 / (1 +
10^(-d/400)), and a draw is half a win. Two refinements: Firth's correction (Jeffreys' prior)
removes the bias of few games and keeps a perfect score finite; between two players it amounts to
one extra drawn game. And the error bars combine the curvature of the likelihood with the observed
variance of the pairs of games with one opening (a sandwich estimator), since draws and one-sided
openings make games vary less than coin tosses. `results` counts the games.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.errors import NestlineError

ELO_PER_UNIT = 400 / math.log(10)
"""One unit of the logistic curve in Elo points."""

CERTAINTY = 1.959964
"""This many standard deviations to either side cover 95 %."""

MOST_STEPS, SMALLEST_STEP, LARGEST_STEP = 500, 1e-10, 1.0

Matrix = NDArray[np.float64]


class Encounter(NamedTuple):
    """Games between two players that belong together, such as the two with one opening."""

    first: str
    second: str
    points: float
    """Of the first player."""
    games: int


@dataclass(frozen=True)
class Ratings:
    """The Elo rating of each player, and its uncertainty."""

    points: Mapping[str, float]
    errors: Mapping[str, float]
    """Half the width of the 95 % interval; 0 for the player the others are measured against."""
    names: tuple[str, ...]
    covariance: Matrix

    def difference(self, one: str, other: str) -> tuple[float, float]:
        """How much stronger one player is than another, and half the 95 % interval of that."""
        contrast = np.zeros(len(self.names))
        contrast[self.names.index(one)] += 1
        contrast[self.names.index(other)] -= 1
        variance = float(contrast @ self.covariance @ contrast)
        return self.points[one] - self.points[other], CERTAINTY * math.sqrt(max(variance, 0.0))


def rate(
    encounters: Sequence[Encounter], *, anchor: str | None = None, anchor_rating: float = 0.0
) -> Ratings:
    """The maximum-likelihood ratings for these results.

    Results determine only differences, so the anchor gets the rating given; without an anchor, the
    average does.
    """
    names = tuple(dict.fromkeys(name for item in encounters for name in (item.first, item.second)))
    if not names:
        raise NestlineError("without a game there is nothing to rate")
    if anchor is not None and anchor not in names:
        raise NestlineError(f"{anchor!r} has played no game; players are {', '.join(names)}")
    _require_connected(names, encounters)
    players = {name: index for index, name in enumerate(names)}
    first = np.array([players[item.first] for item in encounters])
    second = np.array([players[item.second] for item in encounters])
    design = np.zeros((len(encounters), len(names)))
    design[np.arange(len(encounters)), first] = 1
    design[np.arange(len(encounters)), second] = -1
    points = np.array([item.points for item in encounters], float)
    games = np.array([item.games for item in encounters], float)
    # One player stays fixed while the others move; the zero point is chosen afterwards.
    strengths, covariance = _fit(design[:, 1:], points, games)
    full = np.concatenate(([0.0], strengths))
    spread = np.zeros((len(names), len(names)))
    spread[1:, 1:] = covariance
    shift = np.eye(len(names))
    if anchor is None:
        shift -= 1 / len(names)
    else:
        shift[:, players[anchor]] -= 1
    elo = shift @ full * ELO_PER_UNIT + anchor_rating
    spread = shift @ spread @ shift.T * ELO_PER_UNIT**2
    errors = CERTAINTY * np.sqrt(np.maximum(np.diag(spread), 0.0))
    return Ratings(
        dict(zip(names, elo.tolist(), strict=True)),
        dict(zip(names, errors.tolist(), strict=True)),
        names,
        spread,
    )


def _fit(design: Matrix, points: Matrix, games: Matrix) -> tuple[Matrix, Matrix]:
    """The strengths in logistic units, and their covariance."""
    strengths = np.zeros(design.shape[1])
    for _ in range(MOST_STEPS):
        expected, drawn, information = _expectations(design, games, strengths)
        residuals = points - games * expected + drawn * (0.5 - expected)
        step = np.linalg.solve(information, design.T @ residuals)
        step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        strengths = strengths + step
        if np.abs(step).max(initial=0.0) < SMALLEST_STEP:
            break
    expected, drawn, information = _expectations(design, games, strengths)
    with_drawn = design.T @ (design * ((games + drawn) * expected * (1 - expected))[:, None])
    # The added games vary like coin tosses, so that equal results do not look like certainty.
    scatter = (points - games * expected) ** 2 + drawn / 4
    bread = np.linalg.inv(with_drawn)
    count = len(points)
    correction = count / max(count - design.shape[1], 1)
    return strengths, correction * bread @ (design.T @ (design * scatter[:, None])) @ bread


def _expectations(
    design: Matrix, games: Matrix, strengths: Matrix
) -> tuple[Matrix, Matrix, Matrix]:
    """The expected scores, the drawn games that Firth's correction adds, and the information."""
    expected = 1 / (1 + np.exp(-(design @ strengths)))
    weights = games * expected * (1 - expected)
    information = design.T @ (design * weights[:, None])
    drawn = weights * np.einsum("ij,ij->i", design @ np.linalg.inv(information), design)
    return expected, drawn, information


def _require_connected(names: tuple[str, ...], encounters: Sequence[Encounter]) -> None:
    """Refuse players who cannot be compared, not even through others."""
    reached = {names[0]}
    for _ in names:
        for item in encounters:
            if reached & {item.first, item.second}:
                reached |= {item.first, item.second}
    apart = [name for name in names if name not in reached]
    if apart:
        raise NestlineError(
            f"{', '.join(apart)} cannot be compared with {names[0]}: "
            "no chain of games leads from one to the other"
        )
