"""Game review: what each move was worth, and what it gave away.

With a tablebase the review is exact; otherwise the engine judges the best move and the one played
at equal depth. A move that ends the game by repetition counts as a draw. The interfaces decide how
to show a review.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from nestline.engine.choices import best_line, draws_by_repetition, ranked_moves
from nestline.engine.search.engine import Engine, Limits, Report, Stop
from nestline.game import Game
from nestline.position import Move, Side
from nestline.record import Record
from nestline.solve.table import MoveProbe, Table

INACCURACY, MISTAKE, BLUNDER = 0.1, 0.2, 0.4
"""From how much lost winning chance on a move is called one of these."""


class Judgement(NamedTuple):
    """A position's value for the player who moved: exact or forced, else the engine's score."""

    value: str | None
    distance: int | None
    score: int | None = None
    """The engine's, in hundredths of a logit."""
    depth: int | None = None

    @property
    def chance(self) -> float:
        """The winning chance; a draw counts half."""
        if self.value is not None:
            return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.value]
        return 1 / (1 + math.exp(-(self.score or 0) / 100))


class ReviewedMove(NamedTuple):
    """One move of a game; all values are from the mover's point of view.

    `before` is the value of the position, `after` its value once this move is played; both count
    plies from before the move, so they are equal for a best move.
    """

    number: int
    side: Side
    move: Move
    before: Judgement
    after: Judgement
    best: tuple[Move, ...]
    """The moves that keep the value and the distance; where the engine judges, the one it found."""
    best_line: tuple[Move, ...]
    """Best play by both sides; it begins with a best move."""

    @property
    def is_best(self) -> bool:
        return self.move in self.best

    @property
    def thrown_away(self) -> str | None:
        """ "win" or "draw" if the move gave that away; "plies" if it only wins more slowly or loses
        faster; None for a best move, and where only scores are known."""
        if self.is_best or self.before.value is None:
            return None
        return "plies" if self.before.value == self.after.value else self.before.value

    @property
    def plies_lost(self) -> int:
        """How many plies later the win comes, or earlier the loss; 0 if the value changed."""
        if self.before.value != self.after.value:
            return 0
        return abs((self.before.distance or 0) - (self.after.distance or 0))

    @property
    def chance_lost(self) -> float:
        """How much winning chance the move gave away, from 0 to 1."""
        return max(0.0, self.before.chance - self.after.chance)

    @property
    def mark(self) -> str:
        """As chess players write it: ?? for a blunder, ? for a mistake, ?! for an inaccuracy."""
        if self.is_best:
            return ""
        lost = self.chance_lost
        for least, mark in ((BLUNDER, "??"), (MISTAKE, "?"), (INACCURACY, "?!")):
            if lost >= least:
                return mark
        return ""


def review_game(
    record: Record, judge: Table | Engine, limits: Limits | None = None, stop: Stop | None = None
) -> Iterator[ReviewedMove]:
    """Every move of the main line, in order; `limits` are the engine's, for each search."""
    game = Game(start=record.start)
    for ply, move in enumerate(record.moves, int(record.start.turn)):
        number = ply // 2 + 1
        if isinstance(judge, Table):
            yield _by_table(game, number, move, judge)
        else:
            yield _by_engine(game, number, move, judge, limits or Limits(seconds=1), stop)
        game.play(move)


def _by_table(game: Game, number: int, move: Move, table: Table) -> ReviewedMove:
    probes = ranked_moves(table, game)
    best = tuple(probe.move for probe in probes if probe[1:] == probes[0][1:])
    played = next(probe for probe in probes if probe.move == move)
    line = tuple(_line(game, table, best[0]))
    return ReviewedMove(
        number, game.turn, move, _as_judgement(probes[0]), _as_judgement(played), best, line
    )


def _by_engine(
    game: Game, number: int, move: Move, engine: Engine, limits: Limits, stop: Stop | None
) -> ReviewedMove:
    found = engine.think(game, limits, stop=stop)
    played = found
    if move != found.move:
        played = engine.think(game, Limits(depth=found.depth or 1), only=(move,), stop=stop)
        if played.score >= found.score:
            found = played  # As good, or better than the shallower search had seen.
    return ReviewedMove(
        number, game.turn, move, judgement_of(found), judgement_of(played),
        (found.move,), found.variations[0].moves,
    )  # fmt: skip


def judgement_of(report: Report) -> Judgement:
    """The engine's report as a judgement for the player to move."""
    distance = report.plies_to_win or report.plies_to_loss
    value = "draw" if report.exact else None
    if distance is not None:
        value = "win" if report.plies_to_win else "loss"
    return Judgement(value, distance, report.score, report.depth)


def _line(game: Game, table: Table, first: Move) -> Iterator[Move]:
    """The best line that begins with this best move."""
    yield first
    if not draws_by_repetition(game, first):
        after = game.position.play(first)
        if after.outcome() is None:
            yield from best_line(after, table)


def _as_judgement(probe: MoveProbe) -> Judgement:
    return Judgement(probe.value, probe.distance)
