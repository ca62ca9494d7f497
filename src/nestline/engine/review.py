"""Looking back at a game with the solution in hand: what each move was worth, and what it lost.

Only rule sets with a table can be reviewed. A move that ends the game by repetition counts as the
draw it is; apart from that, values are those of positions, whatever came before. How a review is
shown is left to the interfaces.
"""

from collections.abc import Iterator
from typing import NamedTuple

from nestline.engine.choices import best_line, draws_by_repetition, ranked_moves
from nestline.game import Game
from nestline.position import Move, Side
from nestline.record import Record
from nestline.solve.table import MoveProbe, Probe, Table


class ReviewedMove(NamedTuple):
    """One move of a game; all values are seen by the player who made it.

    `before` is what the position was worth, `after` what it was worth with this move; both count
    the plies from before the move, so that they are equal for a best move.
    """

    number: int
    side: Side
    move: Move
    before: Probe
    after: Probe
    best: tuple[Move, ...]
    """The moves that keep the value and the distance."""
    best_line: tuple[Move, ...]
    """How the game goes on if both sides play best; it begins with a best move."""

    @property
    def is_best(self) -> bool:
        return self.move in self.best

    @property
    def thrown_away(self) -> str | None:
        """ "win" or "draw" if the move gave that away; "plies" if it only made it slower to win or
        faster to lose; None for a best move."""
        if self.is_best:
            return None
        return self.before.value if self.before.value != self.after.value else "plies"

    @property
    def plies_lost(self) -> int:
        """How many plies later the win comes, or earlier the loss; 0 if the value changed."""
        if self.before.value != self.after.value:
            return 0
        return abs((self.before.distance or 0) - (self.after.distance or 0))


def review(record: Record, table: Table) -> Iterator[ReviewedMove]:
    """Every move of the main line, in order."""
    game = Game(start=record.start)
    for ply, move in enumerate(record.moves, int(record.start.turn)):
        probes = ranked_moves(table, game)
        best = tuple(probe.move for probe in probes if probe[1:] == probes[0][1:])
        played = next(probe for probe in probes if probe.move == move)
        yield ReviewedMove(
            number=ply // 2 + 1,
            side=game.turn,
            move=move,
            before=_probe(probes[0]),
            after=_probe(played),
            best=best,
            best_line=tuple(_line(game, table, best[0])),
        )
        game.play(move)


def _line(game: Game, table: Table, first: Move) -> Iterator[Move]:
    """The best line that begins with this best move."""
    yield first
    if not draws_by_repetition(game, first):
        after = game.position.play(first)
        if after.outcome() is None:
            yield from best_line(after, table)


def _probe(probe: MoveProbe) -> Probe:
    return Probe(probe.value, probe.distance)
