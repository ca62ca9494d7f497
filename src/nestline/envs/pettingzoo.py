"""The game for PettingZoo: two agents in turn, `player_1` and `player_2`.

Observations are dicts of `observation` (see `nestline.observations`) and `action_mask`; actions
are those of `nestline.action_space`. A win is worth 1 and a loss -1 to each agent; the ply
limit truncates. `env` adds the usual wrappers, with which an illegal action loses; `raw_env`
raises our error instead. The rules are the kernel's, through `single`.
"""

from operator import attrgetter
from typing import Any

import numpy as np

from nestline.errors import missing_extra

try:
    import pettingzoo
    from gymnasium import logger, spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing_extra("nestline.envs.pettingzoo", "rl", error) from None

from nestline.action_space import checked_action, move_of
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT
from nestline.envs.games.against import checked_start
from nestline.envs.games.rendering import RENDER_MODES, check_mode, render
from nestline.envs.games.single import SingleGame
from nestline.envs.games.spaces import observation_box
from nestline.position import Move
from nestline.rules import RuleSet

AGENTS = ("player_1", "player_2")


def register(name: str, entry_point: str) -> None:
    """Register an environment for `pettingzoo.make`, where the installed version has it."""
    if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, entry_point)


def env(**options: Any) -> AECEnv[str, dict[str, Any], int]:
    """The game with PettingZoo's usual wrappers; the options are those of `raw_env`."""
    game: AECEnv[str, dict[str, Any], int] = raw_env(**options)
    game = TerminateIllegalWrapper(game, illegal_reward=-1)
    game = AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


ASKED_OFTEN = (
    "_cumulative_rewards", "agent_selection", "agents", "infos", "rewards", "terminations",
    "truncations",
)  # fmt: skip


def _handing_down(wrapper: type) -> Any:
    """A PettingZoo wrapper that finds the attributes used by every step at once.

    PettingZoo's own wrappers first fail to find them, one after the other, which takes most of the
    time of a step.
    """
    found = {name: property(attrgetter(f"env.{name}")) for name in ASKED_OFTEN}
    return type(wrapper.__name__, (wrapper,), {**found, "__module__": __name__})


TerminateIllegalWrapper = _handing_down(wrappers.TerminateIllegalWrapper)
AssertOutOfBoundsWrapper = _handing_down(wrappers.AssertOutOfBoundsWrapper)


class raw_env(AECEnv[str, dict[str, Any], int]):  # noqa: N801  (PettingZoo's name)
    """The game itself, without wrappers."""

    def __init__(
        self,
        rules: str | RuleSet = "gobblers",
        *,
        ply_limit: int = DEFAULT_PLY_LIMIT,
        hide_covered: bool = False,
        render_mode: str | None = None,
    ) -> None:
        AECEnv.__init__(self)
        self.metadata = {
            "name": "nestline_v1",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = check_mode(render_mode)
        self.game = SingleGame(rules, ply_limit=ply_limit, hide_covered=hide_covered)
        self.possible_agents = list(AGENTS)
        mask = spaces.Box(0, 1, (self.game.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation_box(self.game), "action_mask": mask})
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in AGENTS}
        self._last_move: Move | None = None
        self._set_out()

    def _set_out(self) -> None:
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.game.turn]

    def observation_space(self, agent: str) -> spaces.Space[dict[str, Any]]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Restart the game. Nothing in it is random, so a seed changes nothing.

        The only option is the position to `start` from, for this one game. Others are ignored, as
        PettingZoo's own test demands.
        """
        self.game.begin(checked_start((options or {}).get("start"), self.game.rules))
        self._last_move = None
        self._set_out()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; nothing is legal for the one who is not to move."""
        game = self.game
        if agent == self.agent_selection and not game.end:
            return {"observation": game.planes(), "action_mask": game.mask()}
        return {
            "observation": game.planes(AGENTS.index(agent)),
            "action_mask": np.zeros(game.actions, np.int8),
        }

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.play(action)
        if self.render_mode:
            self._last_move = move_of(checked_action(action), self.game.rules)
        self._cumulative_rewards[agent] = 0.0
        if self.game.end:
            self._finish()
        self.agent_selection = AGENTS[agent == AGENTS[0]]
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        outcome = self.game.outcome
        assert outcome is not None
        truncated = self.game.is_truncated
        for agent, reward in zip(AGENTS, self.game.returns, strict=True):
            self.rewards[agent] = float(reward)
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
            self.infos[agent] = {"reason": outcome.reason}
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board as text (`ansi`), as an array (`rgb_array`), or printed (`human`)."""
        if self.render_mode is None:
            logger.warn("render() draws nothing: the environment was made without a render_mode")
        return render(self.game.position(0), self.render_mode, self._last_move)

    def close(self) -> None:
        """There is nothing to release."""
