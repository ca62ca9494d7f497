"""Who plays the other side in the environments for one agent.

An opponent chooses actions for some games of a batch. It can be a name ("random", a level of the
engine, "perfect"), a player of the engine, or a policy: a function of observations and masks that
returns actions or probabilities, as in `nestline.oracle`. Playing the actions is left to the
environments.
"""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from nestline.action_space import action_of
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.engine.players.levels import make_player
from nestline.engine.players.player import Player
from nestline.envs.batch import Batch
from nestline.errors import GameError
from nestline.oracle.oracle import Oracle
from nestline.oracle.policies import Policy, draw, probabilities, random_policy
from nestline.rules import RuleSet

NOTHING = -1
"""The action in games where the opponent is not to move: none."""


class Opponent(Protocol):
    """Chooses actions in games of a batch."""

    def seed(self, seed: int) -> None:
        """Seed the random choices."""

    def actions(self, batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Actions (games,) for the games marked in `where`, NOTHING for all others."""


class RandomOpponent:
    """A uniformly random legal action, chosen by the batch itself."""

    def seed(self, seed: int) -> None:
        """The batch has its own seed."""

    def actions(self, batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.where(where, batch.random_actions(), NOTHING)


class PlayerOpponent:
    """A player of the engine, given or made from a level, asked about one game at a time.

    A given player keeps its own randomness; that of a level is made again for each seed.
    """

    def __init__(self, player: str | Player) -> None:
        self._level = player if isinstance(player, str) else None
        self._player = make_player(player) if isinstance(player, str) else player

    def seed(self, seed: int) -> None:
        if self._level:
            self._player = make_player(self._level, seed)

    def actions(self, batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen = np.full(batch.games, NOTHING, np.int64)
        for number in np.flatnonzero(where).tolist():
            game = batch.game(number)
            move = self._player.choose(game)
            batch.position(number).play(move)  # refuses an illegal one, naming the rule
            chosen[number] = action_of(move, batch.rules)
        return chosen


class PolicyOpponent:
    """A policy, asked about all games in one call."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._chance = np.random.default_rng()

    def seed(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)

    def actions(self, batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        chosen = np.full(batch.games, NOTHING, np.int64)
        if where.any():
            masks = batch.legal_action_mask()[where]
            answer = self._answer(batch, where, masks)
            chosen[where] = draw(probabilities(answer, masks, batch.rules), self._chance)
        return chosen

    def _answer(
        self, batch: Batch, where: NDArray[np.bool_], masks: NDArray[np.bool_]
    ) -> NDArray[np.generic]:
        answer: NDArray[np.generic] = self._policy(batch.observe()[where], masks)
        return answer


class PerfectOpponent(PolicyOpponent):
    """One of the best actions by the tablebase; it sees what `hide_covered` hides, too."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(random_policy)
        self._oracle = Oracle(rules)

    def _answer(
        self, batch: Batch, where: NDArray[np.bool_], masks: NDArray[np.bool_]
    ) -> NDArray[np.generic]:
        owns, opps = batch.state.words
        best = self._oracle.action_values(owns[where], opps[where]).best
        return random_policy(best, best)  # type: ignore[arg-type]


def make_opponent(opponent: "str | Player | Policy", rules: RuleSet) -> Opponent:
    """The opponent of that name, or one around a player or a policy."""
    if opponent == "random":
        return RandomOpponent()
    if opponent == "perfect":
        return PerfectOpponent(rules)
    if isinstance(opponent, str):
        if opponent not in LEVEL_NAMES and opponent not in ALIASES:
            known = ", ".join(LEVEL_NAMES)
            raise GameError(
                f"there is no opponent {opponent!r}; it takes {known}, a player or a function"
            )
        return PlayerOpponent(opponent)
    if hasattr(opponent, "choose"):
        return PlayerOpponent(cast(Player, opponent))
    if callable(opponent):
        return PolicyOpponent(opponent)
    raise GameError(f"an opponent is a name, a player or a function, not {opponent!r}")
