"""The game for Stable-Baselines3: a `VecEnv` on the batch, with action masks for MaskablePPO.

    from sb3_contrib import MaskablePPO
    from nestline.envs.stable_baselines3 import NestlineVecEnv

    model = MaskablePPO("MlpPolicy", NestlineVecEnv(1024, "gobblers", opponent="random"))
    model.learn(1_000_000)

A finished game restarts in the same step, with its last observation in the info.
Observations, actions and rewards are those of `gymnasium`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestline.errors import missing_extra

try:
    from gymnasium import spaces
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise missing_extra("nestline.envs.stable_baselines3", "sb3", error) from None

from nestline.engine.players.player import Player
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT, checked_actions
from nestline.envs.games.against import AgentGames, ResetOptions, Side, read_options
from nestline.envs.games.rendering import render
from nestline.envs.games.spaces import observation_box
from nestline.errors import GameError
from nestline.oracle.policies import Policy
from nestline.rules import RuleSet

Info = dict[str, Any]
Indices = int | Iterable[int] | None


class NestlineVecEnv(VecEnv):
    """Many agents, each against an opponent; the options are those of `NestlineVectorEnv`."""

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
        if render_mode not in (None, "rgb_array"):
            raise GameError(f"the render mode is rgb_array or None here, not {render_mode!r}")
        self.games = AgentGames(
            num_envs, rules, opponent=opponent, side=side, ply_limit=ply_limit,
            hide_covered=hide_covered, threads=threads,
        )  # fmt: skip
        self.render_mode = render_mode
        self._all = np.ones(num_envs, np.bool_)
        self._chance = np.random.default_rng()
        self._next_seed: int | None = None
        self._next_options: ResetOptions | None = None
        self._actions = np.zeros(num_envs, np.int64)
        batch = self.games.batch
        super().__init__(num_envs, observation_box(batch), spaces.Discrete(batch.actions))

    def reset(self) -> NDArray[np.int8]:
        """Start all games, once as `seed` and `set_options` have asked for."""
        if self._next_seed is not None:
            self._chance = np.random.default_rng(self._next_seed)
            self.games.seed(self._chance)
        self.games.begin(self._all, self._chance, self._next_options)
        self._next_seed = self._next_options = None
        self.reset_infos = [{"side": side} for side in self.games.side_names()]
        return self.games.observe()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the next reset: who begins, and the opponent."""
        self._next_seed = int(np.random.default_rng().integers(2**31)) if seed is None else seed
        return [self._next_seed] * self.num_envs

    def set_options(self, options: Any = None) -> None:
        """The side and the start of the games that the next reset begins, the same for all."""
        self._next_options = read_options(options, self.games.batch.rules)

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = checked_actions(actions, self.num_envs)

    def step_wait(
        self,
    ) -> tuple[NDArray[np.int8], NDArray[Any], NDArray[Any], list[Info]]:
        turn = self.games.play(self._actions, self._all)
        over = turn.terminated | turn.truncated
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        if over.any():
            last, reasons = self.games.observe(), self.games.reasons()
            for number in np.flatnonzero(over).tolist():
                infos[number] = {
                    "terminal_observation": last[number],
                    "TimeLimit.truncated": bool(turn.truncated[number]),
                    "illegal": bool(turn.illegal[number]),
                    "reason": reasons[number],
                }
            self.games.begin(over, self._chance)
        return self.games.observe(), turn.rewards.astype(np.float32), over, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as a bool array of shape (num_envs, actions)."""
        return self.games.batch.legal_action_mask()

    def close(self) -> None:
        """There is nothing to release."""

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        batch = self.games.batch
        return [render(batch.position(game), self.render_mode) for game in range(self.num_envs)]

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """The same for every game, since they share one environment."""
        return [getattr(self, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        raise GameError(f"{attr_name} cannot be set for single games, which share one environment")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """The answers of a method for the chosen games; `action_masks` is the one that exists."""
        if method_name != "action_masks" or method_args or method_kwargs:
            raise GameError(f"games have the method action_masks(), not {method_name}")
        masks = self.action_masks()
        return [masks[index] for index in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        return [False for _ in self._chosen(indices)]

    def _chosen(self, indices: Indices) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
