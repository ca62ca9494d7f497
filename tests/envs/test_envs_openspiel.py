"""The OpenSpiel game: OpenSpiel's own tests, golden playthroughs, the same games as everywhere."""

import copy
import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyspiel
    from absl import flags
    from open_spiel.python.observation import make_observation

from nestline.action_space import action_count, action_names
from nestline.envs.openspiel import SHORT_NAME, NestlineGame, longest_game
from nestline.errors import GameError
from nestline.observations import observation_shape
from nestline.rules import load_rules
from support.env_games import PLY_LIMIT, played_games
from support.helpers import FIVE_NAMES, custom_rules
from support.make_playthroughs import FOLDER, game_of


def load(name: str, ply_limit: int = PLY_LIMIT) -> pyspiel.Game:
    return pyspiel.load_game(f"{SHORT_NAME}(rules={name},ply_limit={ply_limit})")


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_openspiels_simulations(name: str) -> None:
    game = pyspiel.load_game(f"python_nestline(rules={name})")
    pyspiel.random_sim_test(game, num_sims=30, serialize=True, verbose=False)


API_TEST = """
import sys, unittest
import nestline.envs.openspiel
from absl import flags
from open_spiel.integration_tests import api_test
flags.FLAGS(["api_test", "--test_only_games=python_nestline"])
assert "python_nestline" in api_test._GAMES_TO_TEST
api_test._GAMES_TO_TEST |= {f"python_nestline(rules={name})" for name in sys.argv[1:]}
suite = api_test.load_tests(unittest.TestLoader(), None, None)
outcome = unittest.TextTestRunner(verbosity=0).run(suite)
assert outcome.testsRun >= 5 * (1 + len(sys.argv[1:])), outcome.testsRun
sys.exit(not outcome.wasSuccessful())
"""


def test_openspiels_api_test() -> None:
    """As `api_test.py --test_only_games=python_nestline` runs it, and for the other rule sets."""
    finished = subprocess.run(
        [sys.executable, "-c", API_TEST, *FIVE_NAMES], capture_output=True, text=True
    )
    assert finished.returncode == 0, finished.stderr
    assert "\nOK\n" in finished.stderr


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_playthroughs_are_replayed(name: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # takes seconds

    flags.FLAGS.mark_as_parsed()
    original, replayed = generate_playthrough.replay(str(FOLDER / f"{name}.txt"))
    assert f"game: {game_of(name)}\n" in original
    assert replayed == original


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_games_run_like_everywhere(name: str) -> None:
    game = load(name)
    observation = make_observation(game)
    for played in played_games(name):
        state = game.new_initial_state()
        for ply, action in enumerate(played.actions):
            now = played.plies[ply]
            assert state.current_player() == now.turn
            assert state.legal_actions() == list(now.legal)
            assert str(state).split(" ply ")[0] == now.position
            assert state.string_to_action(action_names(name)[action]) == action
            for player in (0, 1):
                observation.set_from(state, player)
                planes = state.board.planes(player)
                assert (observation.tensor == planes.ravel()).all()
            state.apply_action(action)
        assert state.is_terminal()
        assert state.returns() == list(played.returns)
        assert state.legal_actions() == []
        assert str(state).split(" ply ")[0] == played.plies[-1].position


def test_facts_of_the_games() -> None:
    for name in FIVE_NAMES:
        game = load(name, 77)
        assert game.num_distinct_actions() == action_count(name)
        assert game.observation_tensor_shape() == list(observation_shape(name))
        assert game.max_game_length() == (9 if name == "tictactoe" else 77)
        assert game.get_parameters() == {"rules": name, "ply_limit": 77}
    assert longest_game(load_rules("tictactoe"), 5) == 5
    assert isinstance(pyspiel.load_game("python_nestline"), NestlineGame)


def test_states_can_be_copied_in_every_way() -> None:
    """Each copy continues independently, with the history that repetition needs."""
    game = load("gobblers")
    state = game.new_initial_state()
    names = action_names("gobblers")
    for move in ("3a1", "3c3", "a1a2", "c3c2", "a2a1", "c2c3"):
        state.apply_action(names.index(move))
    assert str(state) == "x2,b3/x3/w3,x2 w ply 6 after a1a2 c3c2 a2a1 c2c3"
    copies = [
        state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state)),
        game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state.board)),
    ]  # fmt: skip
    for twin in copies:
        play = twin.play if hasattr(twin, "play") else twin.apply_action
        for move in ("a1a2", "c3c2", "a2a1", "c2c3"):
            play(names.index(move))
        outcome = (twin if hasattr(twin, "play") else twin.board).outcome
        assert str(outcome) == "1/2-1/2 (repetition)"
    assert str(state) == "x2,b3/x3/w3,x2 w ply 6 after a1a2 c3c2 a2a1 c2c3"


def facts_of(state: Any) -> tuple[Any, ...]:
    player = max(state.current_player(), 0)
    return (
        str(state), state.history(), state.history_str(), state.move_number(),
        [(entry.player, entry.action) for entry in state.full_history()],
        state.is_initial_state(), state.current_player(), state.legal_actions(), state.returns(),
        state.information_state_string(player), list(state.observation_tensor(player)),
    )  # fmt: skip


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_actions_can_be_undone(name: str) -> None:
    """A state that went astray is the state that did not, and so are all its copies."""
    chance = random.Random(5)
    game = load(name)
    straight, astray = game.new_initial_state(), game.new_initial_state()
    while not straight.is_terminal():
        for _ in range(chance.randrange(3)):
            side_line = []
            while len(side_line) < 2 and not astray.is_terminal():
                side_line.append((astray.current_player(), chance.choice(astray.legal_actions())))
                astray.apply_action(side_line[-1][1])
            for player, action in reversed(side_line):
                astray.undo_action(player, action)
        copies = [
            astray, astray.clone(), copy.deepcopy(astray), pickle.loads(pickle.dumps(astray)),
            game.deserialize_state(astray.serialize()),
        ]  # fmt: skip
        assert [facts_of(twin) for twin in copies] == [facts_of(straight)] * len(copies)
        action = chance.choice(straight.legal_actions())
        assert facts_of(astray.child(action)) == facts_of(straight.child(action))
        for state in (straight, astray):
            state.apply_action(action)
    assert facts_of(astray) == facts_of(straight)


def test_only_the_last_action_can_be_undone() -> None:
    state = load("gobblers").new_initial_state()
    with pytest.raises(GameError, match="action 22 of player 0 was not the last to be played"):
        state.undo_action(0, 22)
    state.apply_action(22)
    state.apply_action(0)
    for player, action in ((0, 22), (0, 0), (1, 22)):
        with pytest.raises(GameError, match="not the last"):
            state.undo_action(player, action)
    assert state.history() == [22, 0]


def test_the_limit_on_plies_is_a_draw() -> None:
    chance = random.Random(3)
    state = load("gobblet", 4).new_initial_state()
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    assert len(state.history()) == 4
    assert state.returns() == [0, 0]


def test_states_of_one_text_have_one_value(tmp_path: Path) -> None:
    """OpenSpiel's value iteration and others look states up by their texts.

    On this board the ply limit decides many games, and repetition some.
    """
    rules = custom_rules(tmp_path, board=2, line=2, stock=[1, 1], repetition=2)
    game = pyspiel.load_game(SHORT_NAME, {"rules": rules.reference, "ply_limit": 6})
    values: dict[str, float] = {}

    def value(state: Any) -> float:
        if state.is_terminal():
            found = float(state.returns()[0])
        else:
            best = (max, min)[state.current_player()]
            found = best(value(state.child(action)) for action in state.legal_actions())
        assert values.setdefault(str(state), found) == found
        return found

    value(game.new_initial_state())
    assert len({text.split(" ply ")[0] for text in values}) < len(values) / 2


def test_information_states_are_the_moves_so_far() -> None:
    state = load("gobblers").new_initial_state()
    state.apply_action(22)
    assert state.information_state_string(0) == state.information_state_string(1) == "22"


def test_the_tensor_is_of_floats() -> None:
    tensor = load("gobblers").new_initial_state().observation_tensor(0)
    planes = np.array(tensor).reshape(observation_shape("gobblers"))
    assert planes[12:18].tolist() == [[[2.0] * 3] * 3] * 6
