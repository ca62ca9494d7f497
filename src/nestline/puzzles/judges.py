"""Which moves win, and which hold out longest: by the tablebase, else by proof."""

from collections.abc import Iterator
from typing import Protocol

from nestline.engine.prove.prover import Prover
from nestline.position import Move, Position, Side
from nestline.solve.table import Table


class Judge(Protocol):
    """Answers exactly; distances are in plies, and count the move itself.

    `longest` is how slow another first move may win and still spoil a puzzle; 0 stands for a
    little slower than the solution.
    """

    longest: int

    def plies_to_win(self, position: Position, within: int) -> int | None:
        """How soon the player to move wins, if that is within so many plies."""
        ...

    def wins(self, position: Position, within: int) -> dict[Move, int]:
        """The moves that win within so many plies."""
        ...

    def defences(self, position: Position, within: int) -> list[Move]:
        """The replies after which the opponent wins latest; the opponent wins within so many."""
        ...


class TableJudge:
    """Looks everything up; `within` only leaves out what is slower."""

    longest = 99

    def __init__(self, table: Table) -> None:
        self.table = table

    def plies_to_win(self, position: Position, within: int) -> int | None:
        value, distance = self.table.probe(position)
        return distance if value == "win" and distance and distance <= within else None

    def wins(self, position: Position, within: int) -> dict[Move, int]:
        return {
            probe.move: probe.distance
            for probe in self.table.moves(position)
            if probe.value == "win" and probe.distance and probe.distance <= within
        }

    def defences(self, position: Position, within: int) -> list[Move]:
        probes = self.table.moves(position)
        return [probe.move for probe in probes if probe[1:] == probes[0][1:]]


class ProofJudge:
    """Proves everything by exhaustive search."""

    longest = 0

    def __init__(self, prover: Prover) -> None:
        self.prover = prover

    def plies_to_win(self, position: Position, within: int) -> int | None:
        return self.prover.prove(position, within).plies

    def wins(self, position: Position, within: int) -> dict[Move, int]:
        return dict(self._distances(position, within, position.turn))

    def defences(self, position: Position, within: int) -> list[Move]:
        distances = dict(self._distances(position, within, position.turn.other))
        latest = max(distances.values(), default=0)
        return [move for move, distance in distances.items() if distance == latest]

    def _distances(
        self, position: Position, within: int, attacker: Side
    ) -> Iterator[tuple[Move, int]]:
        for move in position.legal_moves():
            after = position.play(move)
            if outcome := after.outcome():
                if outcome.winner == attacker:
                    yield move, 1
            elif within > 1:
                plies = self.prover.prove(after, within - 1, attacker).plies
                if plies is not None:
                    yield move, plies + 1
