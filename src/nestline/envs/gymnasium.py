"""The game for Gymnasium: one agent against a chosen opponent, single or vectorized.

Observations are the planes of `nestline.observations`, actions those of `nestline.action_space`;
the legal ones are in `info["action_mask"]` and come from `action_masks()`. A win is worth 1, a loss
-1; an illegal action ends the game with -1; the ply limit truncates. Importing this module
registers `nestline/Nestline-v1` for `gymnasium.make` and `gymnasium.make_vec`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline.errors import missing_extra

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise missing_extra("nestline.envs.gymnasium", "rl", error) from None

from nestline.action_space import move_of
from nestline.engine.players.player import Player
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT, checked_actions
from nestline.envs.batch.stepping import END_REASONS
from nestline.envs.games.against import (
    LARGEST_SEED,
    SIDES,
    AgentGames,
    Side,
    checked_side,
    read_options,
)
from nestline.envs.games.opponents import make_opponent
from nestline.envs.games.rendering import RENDER_MODES, check_mode, render
from nestline.envs.games.single import SingleGame
from nestline.envs.games.spaces import observation_box
from nestline.errors import GameError, IllegalMove
from nestline.oracle.policies import Policy
from nestline.position import Move
from nestline.rules import RuleSet

ID = "nestline/Nestline-v1"
_ONE = np.ones(1, np.bool_)

Planes = NDArray[np.int8]


class NestlineEnv(gymnasium.Env[Planes, np.int64]):
    """One agent against an opponent; by default the side that begins is random."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        *,
        opponent: str | Player | Policy = "random",
        side: Side | None = None,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        hide_covered: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._fixed_side = checked_side(side)
        self.render_mode = check_mode(render_mode)
        self.game = SingleGame(rules, ply_limit=ply_limit, hide_covered=hide_covered)
        self.opponent = make_opponent(opponent, self.game.rules)
        self.observation_space = observation_box(self.game)
        self.action_space = spaces.Discrete(self.game.actions)
        self._side = 0
        self._is_over = True
        self._last_move: Move | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Start a game; if the opponent is to move, it has already moved.

        A seed makes everything random reproducible, the opponent included. The options are the
        agent's `side` and the position to `start` from, for this one game.
        """
        wanted = read_options(options, self.game.rules)
        super().reset(seed=seed)
        if seed is not None:
            self.opponent.seed(int(self.np_random.integers(LARGEST_SEED)))
            self.game.reset(seed=int(self.np_random.integers(LARGEST_SEED)))
        self.game.begin(wanted.start)
        drawn = int(self.np_random.integers(2))
        fixed = wanted.side or self._fixed_side
        self._side = drawn if fixed is None else SIDES.index(fixed)
        self._is_over = False
        self._last_move = None
        if self._side != self.game.turn:
            self._answer()
        if self.render_mode == "human":
            self.render()
        return self.game.planes(self._side), self._info()

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's reply."""
        if self._is_over:
            raise GameError("the game is over; reset() begins another one")
        illegal = False
        try:
            self._play(action)
        except IllegalMove:
            illegal = True
        if not (illegal or self.game.is_over):
            self._answer()
        if self.render_mode == "human":
            self.render()
        truncated = self.game.is_truncated
        terminated = illegal or (self.game.is_over and not truncated)
        self._is_over = terminated or truncated
        reward = -1.0 if illegal else float(self.game.returns[self._side])
        return self.game.planes(self._side), reward, terminated, truncated, self._info(illegal)

    def _play(self, action: Any) -> None:
        self.game.play(action)
        if self.render_mode:
            self._last_move = move_of(int(action), self.game.rules)

    def _answer(self) -> None:
        self._play(self.opponent.actions(self.game, _ONE)[0])

    def _info(self, illegal: bool = False) -> dict[str, Any]:
        return {
            "action_mask": self.game.mask(),
            "side": SIDES[self._side],
            "illegal": illegal,
            "reason": END_REASONS[self.game.end],
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as a bool array of shape (actions,)."""
        return self.game.mask().view(np.bool_)

    def render(self) -> Any:
        """The board as text (`ansi`), as an array (`rgb_array`), or printed (`human`)."""
        return render(self.game.position(0), self.render_mode, self._last_move)


class NestlineVectorEnv(VectorEnv[Planes, NDArray[np.int64], NDArray[Any]]):
    """Many agents, each against an opponent, on the batch; a finished game restarts at the next
    step, whose action is ignored."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | RuleSet = "gobblers",
        *,
        opponent: str | Player | Policy = "random",
        side: Side | None = None,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        hide_covered: bool = False,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode == "human":
            raise GameError("many games are not printed; render modes are ansi and rgb_array")
        self.render_mode = check_mode(render_mode)
        self.games = AgentGames(
            num_envs, rules, opponent=opponent, side=side, ply_limit=ply_limit,
            hide_covered=hide_covered, threads=threads,
        )  # fmt: skip
        self.batch = self.games.batch
        self.num_envs = self.batch.games
        self.single_observation_space = observation_box(self.batch)
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._is_over = np.ones(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Start all games; where the opponent is to move, it has already moved.

        The options are those of the single environment and hold for the games that begin now.
        """
        wanted = read_options(options, self.batch.rules)
        super().reset(seed=seed)
        if seed is not None:
            self.games.seed(self.np_random)
        self.games.begin(np.ones(self.num_envs, np.bool_), self.np_random, wanted)
        self._is_over = np.zeros(self.num_envs, np.bool_)
        return self.games.observe(), self._info(self._is_over)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Planes, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play the agents' actions, and the opponents' replies."""
        chosen = checked_actions(actions, self.num_envs)
        beginning = self._is_over
        turn = self.games.play(chosen, ~beginning)
        if beginning.any():
            self.games.begin(beginning, self.np_random)
        self._is_over = turn.terminated | turn.truncated
        info = self._info(turn.illegal)
        return self.games.observe(), turn.rewards, turn.terminated, turn.truncated, info

    def _info(self, illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """The same as Gymnasium makes of the infos of single environments."""
        info = {
            "action_mask": self.batch.legal_action_mask().view(np.int8),
            "side": self.games.side_names(),
            "illegal": illegal,
            "reason": self.games.reasons(),
        }
        there = {f"_{name}": np.ones(self.num_envs, np.bool_) for name in info}
        return {**info, **there}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as a bool array of shape (num_envs, actions)."""
        return self.batch.legal_action_mask()

    def render(self) -> tuple[Any, ...] | None:
        """The boards as texts (`ansi`) or as arrays (`rgb_array`)."""
        if self.render_mode is None:
            return None
        positions = map(self.batch.position, range(self.num_envs))
        return tuple(render(position, self.render_mode) for position in positions)


gymnasium.register(
    ID,
    entry_point="nestline.envs.gymnasium:NestlineEnv",
    vector_entry_point="nestline.envs.gymnasium:NestlineVectorEnv",
)
