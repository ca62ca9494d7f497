"""A sequential test: play until it is clear enough which of two hypotheses about a match holds.

The generalised sequential probability ratio test (GSPRT) for Elo, on pairs of games (pentanomial)
or on single games (trinomial), as chess engine testing uses it. Others play the games.

>>> test = Sprt(0, 10)
>>> test.verdict((3, 20, 60, 40, 12)), round(test.log_likelihood_ratio((3, 20, 60, 40, 12)), 2)
(None, 2.23)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nestline.errors import NestlineError

ERROR_RATE = 0.05
"""The error rate: how often either hypothesis may be accepted although the other one holds."""

NEVER_SEEN = 1e-3
"""Zero counts become this much; otherwise an outcome not yet seen would be taken as impossible."""


def expected_score(elo: float) -> float:
    """The expected score of a player who is this many Elo points stronger.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Sprt:
    """The hypotheses that the first player is `elo0` or `elo1` points stronger than the second."""

    elo0: float
    elo1: float

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise NestlineError(
                f"a sequential test takes two Elo values, the lower one first, between -1000 and "
                f"1000; not {self.elo0:g} and {self.elo1:g}"
            )

    @property
    def bound(self) -> float:
        """The test is over once the log-likelihood ratio exceeds this, in either direction."""
        return math.log((1 - ERROR_RATE) / ERROR_RATE)

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """For `elo1` against `elo0`, from the count of each outcome, worst first.

        Three counts are losses, draws and wins; five are pairs of games by their points.
        """
        if not any(counts):
            return 0.0
        filled = [count or NEVER_SEEN for count in counts]
        total = sum(filled)
        shares = [count / total for count in filled]
        scores = [place / (len(counts) - 1) for place in range(len(counts))]
        likely0, likely1 = (
            _likeliest(scores, shares, expected_score(elo)) for elo in (self.elo0, self.elo1)
        )
        terms = zip(shares, likely0, likely1, strict=True)
        return total * sum(share * math.log(one / zero) for share, zero, one in terms)

    def verdict(self, counts: Sequence[int]) -> str | None:
        """ "elo0" or "elo1", whichever is accepted, or None while more games are needed."""
        ratio = self.log_likelihood_ratio(counts)
        if abs(ratio) < self.bound:
            return None
        return "elo1" if ratio > 0 else "elo0"


def _likeliest(scores: Sequence[float], shares: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution with this mean, given the observations.

    By Lagrange multipliers it is `share / (1 + x * (score - mean))`, where x gives the right mean;
    the function whose root is x decreases between its two poles.
    """
    low, high = -1 / (scores[-1] - mean), 1 / (mean - scores[0])
    for _ in range(100):
        x = (low + high) / 2
        slope = sum(
            share * (score - mean) / (1 + x * (score - mean))
            for score, share in zip(scores, shares, strict=True)
        )
        low, high = (x, high) if slope > 0 else (low, x)
    return [share / (1 + x * (score - mean)) for score, share in zip(scores, shares, strict=True)]
