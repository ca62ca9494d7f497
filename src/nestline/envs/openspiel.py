"""The game for OpenSpiel: importing this module registers `python_nestline`.

    import pyspiel
    import nestline.envs.openspiel

    game = pyspiel.load_game("python_nestline(rules=gobblet,ply_limit=100)")

Actions are those of `nestline.action_space`, written in our notation; observation tensors are
the planes of `nestline.observations`, seen by the player who asks. A game stopped by the
ply limit is a draw. The rules are the kernel's, through `single`.
"""

from typing import Any

import numpy as np

from nestline.errors import GameError, missing_extra

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError as error:
    raise missing_extra("nestline.envs.openspiel", "openspiel", error) from None

from nestline.action_space import action_names
from nestline.envs.batch import stepping
from nestline.envs.batch.base import DEFAULT_PLY_LIMIT
from nestline.envs.games.single import SingleGame
from nestline.rules import RuleSet, load_rules

SHORT_NAME = "python_nestline"
_PARAMETERS = {"rules": "gobblers", "ply_limit": DEFAULT_PLY_LIMIT}

_GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Python Nestline (the Gobblet family)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


def longest_game(rules: RuleSet, ply_limit: int) -> int:
    """The longest game in plies: the limit, or fewer where pieces do not move."""
    if rules.moving:
        return ply_limit
    pieces = 2 * sum(rules.stock)
    room = rules.squares * (1 if rules.place_onto == "empty" else rules.sizes)
    return min(ply_limit, pieces, room)


class NestlineGame(pyspiel.Game):
    """A rule set and a ply limit."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**_PARAMETERS, **(params or {})}
        self.rules = load_rules(str(chosen["rules"]))
        self.ply_limit = int(chosen["ply_limit"])
        self.template = SingleGame(self.rules, ply_limit=self.ply_limit)
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.template.actions,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=longest_game(self.rules, self.ply_limit),
            ),
            params or {},
        )

    def new_initial_state(self) -> "NestlineState":
        return NestlineState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What players see: planes, or the moves so far for information states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.template)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class NestlineState(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: NestlineGame) -> None:
        super().__init__(game)
        self.board = game.template.copy()
        self._undone: frozenset[int] = frozenset()
        """Places in OpenSpiel's own history, which Python cannot shorten, that were undone."""

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.board.end else self.board.turn

    def _legal_actions(self, player: int) -> list[int]:
        return self.board.legal()

    def _apply_action(self, action: int) -> None:
        self.board.play(action)

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action, which `player` has played; the others are played again."""
        everything = super().history()
        places = [place for place in range(len(everything)) if place not in self._undone]
        if not places or (player, action) != (1 - self.board.turn, everything[places[-1]]):
            raise GameError(f"action {action} of player {player} was not the last to be played")
        self._undone |= {places.pop()}
        self.board.begin()
        for place in places:
            self.board.play(everything[place])

    def history(self) -> list[int]:
        return self._without_undone(super().history())

    def full_history(self) -> list[Any]:
        return self._without_undone(super().full_history())

    def _without_undone(self, history: list[Any]) -> list[Any]:
        if not self._undone:
            return history
        return [entry for place, entry in enumerate(history) if place not in self._undone]

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        return self.board.ply

    def is_initial_state(self) -> bool:
        return self.board.ply == 0

    def _action_to_string(self, player: int, action: int) -> str:
        return action_names(self.board.rules)[action]

    def is_terminal(self) -> bool:
        return self.board.is_over

    def returns(self) -> list[float]:
        return [float(value) for value in self.board.returns]

    def __str__(self) -> str:
        """All that decides how the game can go on: algorithms take equal texts for equal states.

        Where pieces are only placed, that is the position. Elsewhere the ply limit makes the
        number of plies count, and draws by repetition the moves since the last placement, before
        which no position can recur.
        """
        rules = self.board.rules
        text = str(self.board.position(0))
        if rules.moving:
            text += f" ply {self.board.ply}"
        if rules.repetition and (since := int(self.board.state.counters[stepping.SINCE, 0])):
            moves = (action_names(rules)[action] for action in self.history()[-since:])
            text += f" after {' '.join(moves)}"
        return text


class PlanesObserver:
    """Observations as OpenSpiel asks for them."""

    def __init__(self, template: SingleGame) -> None:
        self._shape = template.observation_shape
        self.tensor = np.zeros(int(np.prod(self._shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._shape)}

    def set_from(self, state: NestlineState, player: int) -> None:
        """Write the planes as a player sees them into the tensor."""
        self.dict["observation"][:] = state.board.planes(player)

    def string_from(self, state: NestlineState, player: int) -> str:
        return str(state)


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(_GAME_TYPE, NestlineGame)
