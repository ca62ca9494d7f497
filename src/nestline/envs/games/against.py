"""Many games of a learning agent against an opponent, on the batch: what vector environments share.

How games restart and in which form results are handed on is up to those environments.
"""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestline.engine.players.player import Player
from nestline.envs.batch import Batch
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT
from nestline.envs.batch.stepping import END_REASONS
from nestline.envs.games.opponents import make_opponent
from nestline.errors import GameError
from nestline.oracle.policies import Policy
from nestline.position import Position
from nestline.rules import RuleSet

SIDES = ("first", "second")
LARGEST_SEED = 2**31

Side = Literal["first", "second"]
Marks = NDArray[np.bool_]

_SIDE_NAMES = np.array(SIDES, object)
_REASONS = np.array(END_REASONS, object)


class ResetOptions(NamedTuple):
    """What `reset(options=…)` may ask for; it holds for the games that begin then."""

    side: Side | None = None
    start: Position | None = None


def checked_side(side: Any) -> Side | None:
    """A side; `GameError` if there is none of that name."""
    if side not in (None, *SIDES):
        raise GameError(f"a side is first, second or None (drawn by lot), not {side!r}")
    return side  # type: ignore[no-any-return]


def checked_start(start: Any, rules: RuleSet) -> Position | None:
    """A position in which a game of these rules can begin, also as text."""
    if start is None:
        return None
    found = start if isinstance(start, Position) else Position(start, rules)
    if found.rules != rules:
        raise GameError(
            f"a game of {rules.name} cannot start from a position of {found.rules.name}"
        )
    if outcome := found.outcome():
        raise GameError(f"a game cannot start from a position that is over, {outcome}")
    return found


def read_options(options: dict[str, Any] | None, rules: RuleSet) -> ResetOptions:
    """The options of a reset; `GameError` names those that do not exist."""
    given = options or {}
    if unknown := sorted(str(name) for name in set(given) - set(ResetOptions._fields)):
        known = ", ".join(ResetOptions._fields)
        raise GameError(f"reset has the options {known}, not {', '.join(unknown)}")
    start = checked_start(given.get("start"), rules)
    return ResetOptions(checked_side(given.get("side")), start)


class Turn(NamedTuple):
    """What the agents' actions and the replies did; arrays of shape (games,)."""

    rewards: NDArray[np.float64]
    terminated: Marks
    truncated: Marks
    illegal: Marks


class AgentGames:
    """Games that stand still at their end, until `begin` restarts them."""

    def __init__(
        self,
        games: int,
        rules: str | RuleSet = "gobblers",
        *,
        opponent: str | Player | Policy = "random",
        side: Side | None = None,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        hide_covered: bool = False,
        threads: int = 1,
    ) -> None:
        self._fixed_side = checked_side(side)
        self.batch = Batch(
            rules, games, ply_limit=ply_limit, hide_covered=hide_covered, auto_reset=False,
            threads=threads,
        )  # fmt: skip
        self.opponent = make_opponent(opponent, self.batch.rules)
        self.sides = np.zeros(games, np.int64)

    def seed(self, chance: np.random.Generator) -> None:
        """Seed everything random but who begins."""
        self.opponent.seed(int(chance.integers(LARGEST_SEED)))
        self.batch.reset(seed=int(chance.integers(LARGEST_SEED)))

    def begin(
        self, where: Marks, chance: np.random.Generator, options: ResetOptions | None = None
    ) -> None:
        """Start the marked games, with the opponent's first move where it is to move."""
        wanted = options or ResetOptions()
        self.batch.reset(where)
        if wanted.start is not None:
            self.batch.set_positions([wanted.start] * int(where.sum()), where)
        drawn = chance.integers(0, 2, self.batch.games)
        if fixed := wanted.side or self._fixed_side:
            drawn[:] = SIDES.index(fixed)
        self.sides[where] = drawn[where]
        waiting = where & (self.sides != self.batch.turns)
        if waiting.any():
            self.batch.step(self.opponent.actions(self.batch, waiting), waiting)

    def play(self, actions: NDArray[np.int64], where: Marks) -> Turn:
        """Play the agents' actions in the marked games, and the replies; an illegal one loses."""
        own = self.batch.step(actions, where)
        goes_on = where & ~(own.illegal | own.terminated | own.truncated)
        answer = self.batch.step(self.opponent.actions(self.batch, goes_on), goes_on)
        rewards = np.where(goes_on, -answer.rewards, own.rewards).astype(np.float64)
        rewards[own.illegal] = -1
        return Turn(
            rewards,
            where & (own.illegal | answer.terminated),
            where & answer.truncated & ~own.illegal,
            own.illegal,
        )

    def observe(self) -> NDArray[np.int8]:
        """What the agents see."""
        return self.batch.observe(sides=self.sides)

    def side_names(self) -> NDArray[Any]:
        """`first` or `second` for each agent."""
        names: NDArray[Any] = _SIDE_NAMES[self.sides]
        return names

    def reasons(self) -> NDArray[Any]:
        """Why each game is over; None while it goes on."""
        reasons: NDArray[Any] = _REASONS[self.batch.ends]
        return reasons
