"""One thread of the engine: iterative deepening in compiled code, its findings as moves.

`deepening` does the work; `engine` starts and stops the threads.
"""

from typing import NamedTuple

from nestline.engine.search import deepening, workspace
from nestline.engine.search.alphabeta import FORCED, WIN
from nestline.engine.search.deepening import DEEPENED, IMPROVED, Root, advance
from nestline.engine.search.evaluation import Sheet
from nestline.engine.search.workspace import Numbers, Workspace
from nestline.position import Move, move_of_code
from nestline.rules.law import Law


class Variation(NamedTuple):
    """A line of play and its score for the player to move (see `alphabeta`)."""

    moves: tuple[Move, ...]
    score: int

    @property
    def move(self) -> Move:
        return self.moves[0]

    @property
    def plies_to_win(self) -> int | None:
        """Plies to a forced win of the player to move, if one was found."""
        return WIN - self.score if self.score > FORCED else None

    @property
    def plies_to_loss(self) -> int | None:
        """Plies to a forced loss of the player to move, if one was found."""
        return WIN + self.score if self.score < -FORCED else None


class SearchThread:
    """The search of one position, which `deepening.begin` has prepared."""

    def __init__(
        self, root: Root, law: Law, sheet: Sheet, table: Numbers, work: Workspace, variations: int
    ) -> None:
        self._root, self._law, self._sheet = root, law, sheet
        self._table, self._work = table, work
        self._variations = variations

    @property
    def nodes(self) -> int:
        return int(self._work.control[workspace.NODES])

    @property
    def depth(self) -> int:
        """The last depth that was finished."""
        return int(self._root.numbers[deepening.DEPTH])

    def stop(self) -> None:
        self._work.control[workspace.STOP] = 1

    def help(self) -> None:
        """Search along with the other threads until stopped, or until there is nothing to find."""
        while advance(self._root, self._law, self._sheet, self._table, self._work) == DEEPENED:
            pass

    def advance(self) -> tuple[Variation, ...] | None:
        """The best lines one ply deeper; None if stopped, or if there is nothing more to find."""
        root = self._root
        done = advance(root, self._law, self._sheet, self._table, self._work)
        if done != DEEPENED and done != IMPROVED:
            return None
        return tuple(
            Variation(
                tuple(move_of_code(self._law.board, code) for code in line[1 : line[0] + 1]), score
            )
            for line, score in zip(
                root.lines[: self._variations].tolist(),
                root.scores[: self._variations].tolist(),
                strict=True,
            )
        )

    def others(self) -> tuple[Variation, ...]:
        """The moves without a line of their own, best first, with the scores of an earlier depth;
        none of them is as good as the lines."""
        root, board = self._root, self._law.board
        listed = set(root.lines[: self._variations, 1].tolist())
        highest = int(root.scores[self._variations - 1])
        codes = root.moves[: root.numbers[deepening.MOVES]].tolist()
        found = (
            Variation((move_of_code(board, code),), min(int(root.guesses[code]), highest))
            for code in codes
            if code not in listed
        )
        return tuple(sorted(found, key=lambda line: -line.score))
