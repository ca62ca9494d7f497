"""One game for the environments that step one at a time: a batch of one, without its overhead.

It provides numbers and arrays as other libraries' interfaces want them; the modules named after
those libraries use them.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline import kernel
from nestline.action_space import checked_action, move_of
from nestline.envs.batch import Batch, stepping
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT
from nestline.envs.batch.stepping import State
from nestline.errors import GameError, IllegalMove
from nestline.position import Outcome, Position, Side
from nestline.rules import RuleSet

_ALL = np.ones(1, np.bool_)
_SIDES = np.arange(2, dtype=np.int32).reshape(2, 1)


class SingleGame(Batch):
    """One game that stops at its end.

    `turn` is 0 or 1 for the player to move, `ply` the number of plies played, `end` an index into
    `END_REASONS`.
    """

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        *,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        hide_covered: bool = False,
    ) -> None:
        super().__init__(rules, ply_limit=ply_limit, hide_covered=hide_covered, auto_reset=False)
        self._results_of_one = self._results()
        self._flags, self._ends = self._results_of_one.flags, self._results_of_one.ends
        self._action = np.zeros(1, np.int64)
        self.begin()

    def copy(self) -> "SingleGame":
        """An independent copy of the game as it stands."""
        twin = SingleGame.__new__(SingleGame)
        vars(twin).update(vars(self))
        twin.state = State(*(array.copy() for array in self.state))
        twin._results_of_one = twin._results()
        twin._flags, twin._ends = twin._results_of_one.flags, twin._results_of_one.ends
        twin._action = np.zeros(1, np.int64)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "SingleGame":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # Compiled functions are looked up again rather than pickled.
        options = (self.rules, self.ply_limit, self.hide_covered)
        return _unpickle, (*options, self.state, self.turn, self.ply, self.end)

    def begin(self, start: Position | None = None) -> None:
        """Start the game again, for once from another position."""
        self._functions.begin(0, 1, _ALL, *self.state)
        if start is not None:
            self.set_positions([start])
        # Mirrors of array elements: reading those from Python costs more than everything else.
        self.turn = int(start.turn) if start else 0
        self.ply = 0
        self.end = kernel.ONGOING

    @property
    def is_over(self) -> bool:
        return self.end != kernel.ONGOING

    @property
    def is_truncated(self) -> bool:
        """Whether the ply limit has ended the game."""
        return self.end == stepping.UNFINISHED

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        reason = stepping.END_REASONS[self.end]
        if reason is None:
            return None
        returns = self.returns
        winner = None if returns == (0, 0) else Side(returns.index(1))
        return Outcome(winner, reason)

    @property
    def returns(self) -> tuple[int, int]:
        """What the game is worth to the first and to the second player: 1, 0 or -1."""
        verdict = kernel.verdict(self.end)
        return (-verdict, verdict) if self.turn == 0 else (verdict, -verdict)

    def play(self, action: Any) -> None:
        """Play a legal action; errors name what is wrong, and change nothing."""
        number = checked_action(action)
        if self.end != kernel.ONGOING:
            raise GameError(f"the game is over, {self.outcome}")
        if 0 <= number < self.actions:
            self._action[0] = number
            self._functions.step(0, 1, self._action, *self.state, *self._results_of_one)
            if not self._flags[stepping.ILLEGAL, 0]:
                self.turn = 1 - self.turn
                self.ply += 1
                self.end = int(self._ends[0])
                return
            self.position(0).play(move_of(number, self.rules))  # raises, naming the rule
        raise IllegalMove(f"there is no action {number}; actions are 0 to {self.actions - 1}")

    def mask(self) -> NDArray[np.int8]:
        """The legal actions as ones in an array of shape (actions,); none when the game is over."""
        masks = np.empty((1, self.actions), np.bool_)
        self._functions.mark_legal(0, 1, masks, *self.state)
        mask: NDArray[np.int8] = masks[0].view(np.int8)
        return mask

    def legal(self) -> list[int]:
        """The legal actions in ascending order."""
        actions: list[int] = self.mask().nonzero()[0].tolist()
        return actions

    def planes(self, side: int | None = None) -> NDArray[np.int8]:
        """What a side sees, by default the player to move: shape (planes, board, board)."""
        seer = self.turn if side is None else side
        rows = np.empty((1, self._planes()), np.int8)
        self._functions.look(0, 1, _SIDES[seer], rows, *self.state)
        return rows.reshape(self.observation_shape)


def _unpickle(
    rules: RuleSet, ply_limit: int, hide_covered: bool, state: State, turn: int, ply: int, end: int
) -> SingleGame:
    game = _template(rules, ply_limit, hide_covered).copy()
    game.state, game.turn, game.ply, game.end = state, turn, ply, end
    return game


@lru_cache
def _template(rules: RuleSet, ply_limit: int, hide_covered: bool) -> SingleGame:
    """A prototype: copying it is faster than making a game."""
    return SingleGame(rules, ply_limit=ply_limit, hide_covered=hide_covered)
