"""The Gymnasium environments: Gymnasium's own check, and the same games as everywhere else."""

import copy
import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from nestline import Game, GameError, IllegalMove, Move, Position, ShapeError, TableError
from nestline.action_space import action_of, move_of
from nestline.draw import text_board
from nestline.engine.players.player import RandomPlayer
from nestline.envs.batch import Batch
from nestline.envs.batch.stepping import END_REASONS
from nestline.envs.gymnasium import ID, NestlineEnv, NestlineVectorEnv
from support.env_games import PLY_LIMIT, STYLES, Played, played_games
from support.helpers import FIVE_NAMES


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_gymnasiums_own_check(name: str) -> None:
    check_env(gymnasium.make(ID, rules=name).unwrapped)
    env = gymnasium.make(ID, rules=name, opponent="2", hide_covered=True, side="second")
    check_env(env.unwrapped, skip_render_check=True)


def test_it_is_found_by_the_modules_name() -> None:
    env = gymnasium.make("nestline.envs.gymnasium:nestline/Nestline-v1", rules="gobblet")
    assert env.action_space.n == 320
    assert env.observation_space.shape == (25, 4, 4)
    many = gymnasium.make_vec(ID, num_envs=3, rules="gobblet")
    assert isinstance(many, NestlineVectorEnv)
    assert many.observation_space.shape == (3, 25, 4, 4)
    assert many.action_space.nvec.tolist() == [320] * 3


class Replaying:
    """A player who replays earlier moves."""

    name = "replaying"

    def __init__(self, played: Played) -> None:
        self.played = played
        self.by_ply = dict(enumerate(played.actions))
        self.ply = 0

    def choose(self, game: Game) -> Move:
        assert str(game.position) == self.played.plies[self.ply].position
        return move_of(self.by_ply[self.ply], self.played.rules)


def replays(name: str) -> Iterator[tuple[Played, int]]:
    for number, played in enumerate(played_games(name)):
        yield played, number // len(STYLES)


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_games_run_like_everywhere(name: str) -> None:
    for played, side in replays(name):
        player = Replaying(played)
        env = NestlineEnv(
            name, opponent=player, side=("first", "second")[side], ply_limit=PLY_LIMIT
        )
        planes, info = env.reset(seed=1)
        assert info["side"] == ("first", "second")[side]
        for ply in range(side, len(played.actions), 2):
            now = played.plies[ply]
            assert str(env.game.position(0)) == now.position
            assert np.flatnonzero(info["action_mask"]).tolist() == list(now.legal)
            assert np.flatnonzero(env.action_masks()).tolist() == list(now.legal)
            assert planes in env.observation_space
            player.ply = ply + 1
            planes, reward, terminated, truncated, info = env.step(played.actions[ply])
            over = ply + 2 >= len(played.actions)
            assert reward == (played.returns[side] if over else 0)
            assert terminated == (over and not played.truncated)
            assert truncated == (over and played.truncated)
            assert info.get("reason") == (played.reason if over else None)
        assert str(env.game.position(0)) == played.plies[-1].position
        assert not info["action_mask"].any()
        with pytest.raises(GameError, match=r"reset\(\) begins another one"):
            env.step(0)


class ReplayingMany:
    """The opponent of many games, each replayed as it was played before."""

    def __init__(self, games: tuple[Played, ...]) -> None:
        self.games = games

    def seed(self, seed: int) -> None:
        pass

    def actions(self, batch: Batch, where: np.ndarray) -> np.ndarray:
        plies = batch.plies.tolist()
        return np.array([
            played.actions[plies[number]] if where[number] else -1
            for number, played in enumerate(self.games)
        ])  # fmt: skip


@pytest.mark.parametrize("name", FIVE_NAMES)
@pytest.mark.parametrize("side", [0, 1])
def test_many_games_run_like_everywhere(name: str, side: int) -> None:
    games = played_games(name)
    env = NestlineVectorEnv(len(games), name, side=("first", "second")[side], ply_limit=PLY_LIMIT)
    env.games.opponent = ReplayingMany(games)
    planes, infos = env.reset(seed=1)
    for ply in range(side, max(len(played.actions) for played in games), 2):
        actions = np.zeros(len(games), np.int64)
        for number, played in enumerate(games):
            if ply < len(played.actions):
                now = played.plies[ply]
                assert str(env.batch.position(number)) == now.position
                assert np.flatnonzero(infos["action_mask"][number]).tolist() == list(now.legal)
                actions[number] = played.actions[ply]
        planes, rewards, terminated, truncated, infos = env.step(actions)
        assert planes in env.observation_space
        for number, played in enumerate(games):
            if ply < len(played.actions):
                over = ply + 2 >= len(played.actions)
                assert rewards[number] == (played.returns[side] if over else 0)
                assert terminated[number] == (over and not played.truncated)
                assert truncated[number] == (over and played.truncated)


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_many_games_run_like_single_ones(name: str) -> None:
    """Each of many games against a policy, beside a single environment that gets the same moves."""

    def lowest(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks.argmax(axis=1)

    count = 6
    many = NestlineVectorEnv(count, name, opponent=lowest, ply_limit=20)
    singles = [NestlineEnv(name, opponent=lowest, ply_limit=20) for _ in range(count)]
    planes, infos = many.reset(seed=4)
    chance = np.random.default_rng(5)
    over = np.zeros(count, np.bool_)

    def begin(number: int) -> np.ndarray:
        return singles[number].reset(options={"side": infos["side"][number]})[0]

    for number in range(count):
        assert (begin(number) == planes[number]).all()
    for _ in range(60):
        masks = infos["action_mask"]
        actions = np.array([
            chance.choice(np.flatnonzero(mask)) if mask.any() and chance.random() < 0.98 else 0
            for mask in masks
        ])  # fmt: skip
        before = over.copy()
        planes, rewards, terminated, truncated, infos = many.step(actions)
        for number, env in enumerate(singles):
            if before[number]:
                assert (begin(number) == planes[number]).all()
                assert (rewards[number], terminated[number], truncated[number]) == (0, 0, 0)
            else:
                seen, reward, ended, stopped, info = env.step(actions[number])
                assert (seen == planes[number]).all()
                assert reward == rewards[number]
                assert (ended, stopped) == (terminated[number], truncated[number])
                assert info["illegal"] == infos["illegal"][number]
                assert info["reason"] == infos["reason"][number]
                if not (ended or stopped):
                    assert (info["action_mask"] == infos["action_mask"][number]).all()
        over = terminated | truncated
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


def play_through(env: Any, seed: int | None, plies: int = 60) -> list[Any]:
    """What an agent sees that always plays the highest legal action."""
    seen = []
    planes, info = env.reset(seed=seed)
    for _ in range(plies):
        action = len(info["action_mask"]) - 1 - int(info["action_mask"][::-1].argmax())
        planes, reward, terminated, truncated, info = env.step(action)
        seen.append((planes.tobytes(), reward, terminated, truncated))
        if terminated or truncated:
            planes, info = env.reset()
    return seen


@pytest.mark.parametrize("opponent", ["random", "1", "easy"])
def test_a_seed_decides_everything(opponent: str) -> None:
    first, second = (NestlineEnv("gobblers", opponent=opponent) for _ in range(2))
    assert play_through(first, 1) == play_through(second, 1)
    assert play_through(first, 2) != play_through(second, 3)
    assert play_through(first, 1) == play_through(second, 1), "also a second time"


def test_many_games_with_a_seed() -> None:
    envs = [NestlineVectorEnv(50, "gobblers") for _ in range(3)]
    seen = []
    for env, seed in zip(envs, (1, 1, 2), strict=True):
        planes, infos = env.reset(seed=seed)
        for _ in range(20):
            planes, *_, infos = env.step(infos["action_mask"].argmax(axis=1))
        seen.append(planes.tobytes())
    assert seen[0] == seen[1] != seen[2]
    assert set(infos["side"].tolist()) == {"first", "second"}, "sides are drawn by lot"


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_infos_are_the_same_in_all_vector_modes(mode: str) -> None:
    envs = gymnasium.make_vec(ID, 3, vectorization_mode=mode, rules="tictactoe", side="first")
    expected = {
        "action_mask": (np.int8, (3, 9)),
        "side": (object, (3,)),
        "illegal": (np.bool_, (3,)),
        "reason": (object, (3,)),
    }
    _, infos = envs.reset(seed=1)
    reasons, illegal = set(), 0
    for step in range(20):
        for name, (kind, shape) in expected.items():
            assert (infos[name].dtype, infos[name].shape) == (kind, shape)
            assert infos[f"_{name}"].all()
        assert set(infos) == set(expected) | {f"_{name}" for name in expected}
        assert infos["side"].tolist() == ["first"] * 3
        actions = infos["action_mask"].argmax(axis=1)
        if step == 5:
            actions[:] = -1
        _, _, terminated, _, infos = envs.step(actions)
        if step == 5:
            illegal = int(infos["illegal"].sum())
            assert infos["illegal"].tolist() == terminated.tolist()
        reasons |= set(infos["reason"][terminated].tolist())
        assert set(infos["reason"][~terminated].tolist()) <= {None}
    assert illegal > 0
    assert {"line", None} <= reasons <= {"line", "board-full", None}
    envs.close()


@pytest.mark.parametrize("many", [False, True])
def test_options_of_a_reset(many: bool) -> None:
    env: Any = NestlineVectorEnv(3, opponent="1") if many else NestlineEnv(opponent="1")
    start = Position("x3/x,w3,x/b3,x2 w", rules="gobblers")
    board = env.batch if many else env.game
    _, info = env.reset(seed=1, options={"side": "first", "start": str(start)})
    assert np.all(info["side"] == "first")
    assert board.position(0) == start, "the agent is to move"
    _, info = env.reset(options={"side": "second", "start": start})
    assert board.position(0) != start, "the opponent has moved"
    assert np.all(info["side"] == "second")
    assert board.position(0) in [start.play(move) for move in start.legal_moves()]
    env.reset(options={"side": "first"})
    assert board.position(0) == Position.start("gobblers"), "a start is for one game"
    for options, message in (
        ({"sides": "first"}, "reset has the options side, start, not sides"),
        ({"side": "white"}, "a side is first, second or None"),
        ({"start": Position.start("gobblet")}, "from a position of gobblet"),
        ({"start": "w1,w2,w3/x3/x3 b"}, "a position that is over"),
    ):
        with pytest.raises(GameError, match=message):
            env.reset(options=options)


# Opponents.


def test_the_perfect_opponent_wins_as_first(
    standard_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NESTLINE_TABLES", str(standard_tables))
    env = NestlineVectorEnv(40, "gobblers", opponent="perfect", side="second", hide_covered=True)
    _, infos = env.reset(seed=1)
    over = np.zeros(40, np.bool_)
    chance = np.random.default_rng(1)
    for _ in range(8):
        actions = [chance.choice(np.flatnonzero(m)) if m.any() else 0 for m in infos["action_mask"]]
        _, rewards, terminated, _, infos = env.step(np.array(actions))
        assert (rewards[terminated & ~over] == -1).all()
        over |= terminated
        if over.all():
            break
    assert over.all()
    single = NestlineEnv("tictactoe", opponent="perfect", side="first")
    assert all(reward <= 0 for _, reward, *_ in play_through(single, 1))


def test_opponents_of_every_kind_in_many_games() -> None:
    def even(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert planes.shape[1:] == (19, 3, 3)
        return masks / masks.sum(axis=1, keepdims=True)

    for opponent in ("random", "1", RandomPlayer(3), even):
        env = NestlineVectorEnv(4, "gobblers", opponent=opponent)
        _, infos = env.reset(seed=1)
        ended = 0
        for _ in range(30):
            _, _, terminated, truncated, infos = env.step(infos["action_mask"].argmax(axis=1))
            ended += int((terminated | truncated).sum())
        assert ended > 0


def test_a_mixed_opponent_plays_by_its_chances() -> None:
    def biased(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        chances = np.zeros(masks.shape)
        chances[:, 0], chances[:, 8] = 0.25, 0.75
        return chances

    env = NestlineVectorEnv(4000, "tictactoe", opponent=biased, side="second")
    planes, _ = env.reset(seed=1)
    corner = planes[:, 2, 0, 0].mean()
    assert 0.22 < corner < 0.28
    assert (planes[:, 2].sum(axis=(1, 2)) == 1).all()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("opponent", ["random", "3", RandomPlayer(3)])
def test_copies_go_on_by_themselves(copied: Any, opponent: Any) -> None:
    env = NestlineEnv("gobblers", opponent=opponent, side="second")
    env.reset(seed=1)
    twin = copied(env)
    seen = twin.step(np.flatnonzero(twin.action_masks())[-1])
    assert twin.game.ply == 3
    assert env.game.ply == 1
    again = env.step(np.flatnonzero(env.action_masks())[-1])
    assert (again[0] == seen[0]).all()
    assert again[1:4] == seen[1:4]


# Pictures.


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    env = NestlineEnv("tictactoe", render_mode="ansi", side="first")
    env.reset(seed=1)
    assert env.render() == text_board(Position.start("tictactoe"))
    env = NestlineEnv("tictactoe", render_mode="human", side="first")
    env.reset(seed=1)
    env.step(4)
    assert capsys.readouterr().out.count("a    b    c") == 2
    many = NestlineVectorEnv(2, "tictactoe", render_mode="rgb_array")
    many.reset()
    pictures = many.render()
    assert pictures is not None
    assert [picture.shape[2] for picture in pictures] == [3, 3]
    assert NestlineVectorEnv(2).render() is None


# Bad input.


def test_an_illegal_action_loses() -> None:
    env = NestlineEnv("gobblers", side="first")
    env.reset(seed=1)
    before = env.game.position(0)
    _, reward, terminated, truncated, info = env.step(action_of("a1a2", "gobblers"))
    assert (reward, terminated, truncated, info["illegal"]) == (-1, True, False, True)
    assert env.game.position(0) == before
    many = NestlineVectorEnv(3, "gobblers", side="first")
    many.reset(seed=1)
    _, rewards, terminated, _, infos = many.step(np.array([0, 107, 10**9]))
    assert rewards.tolist() == [0, -1, -1]
    assert terminated.tolist() == infos["illegal"].tolist() == [False, True, True]
    _, rewards, terminated, _, infos = many.step(np.array([26, 0, 0]))
    assert terminated.tolist() == [False] * 3, "the others have begun anew"
    assert many.batch.plies.tolist() == [4, 0, 0]


class Stubborn:
    """A player who always places his large piece in the middle."""

    name = "stubborn"

    def choose(self, game: Game) -> Move:
        return Move("3b2")


def always_the_middle(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.full(len(masks), action_of("3b2", "gobblers"))


@pytest.mark.parametrize(
    ("opponent", "message"),
    [(Stubborn(), "b2 shows a size 3"), (always_the_middle, "the policy plays 3b2")],
)
def test_an_opponent_who_breaks_the_rules_is_found_out(opponent: Any, message: str) -> None:
    for make in (NestlineEnv, partial(NestlineVectorEnv, 3)):
        env = make("gobblers", opponent=opponent, side="second")
        env.reset(seed=1)
        actions = [action_of("3a1", "gobblers")] * 3
        with pytest.raises(IllegalMove, match=message):
            env.step(actions[0] if make is NestlineEnv else np.array(actions))


def test_what_is_no_action_is_refused() -> None:
    env = NestlineEnv()
    env.reset(seed=1)
    with pytest.raises(ShapeError, match="an action is a whole number"):
        env.step(1.5)  # type: ignore[arg-type]
    many = NestlineVectorEnv(3)
    many.reset(seed=1)
    with pytest.raises(ShapeError, match=r"of shape \(3,\), not"):
        many.step(np.zeros((3, 1), np.int64))


def test_an_opponent_that_cheats_is_not_the_agents_fault() -> None:
    env = NestlineEnv(opponent=lambda planes, masks: np.full(len(masks), 107), side="first")
    env.reset()
    with pytest.raises(IllegalMove, match="the policy plays c3c3"):
        env.step(0)


@pytest.mark.parametrize("make", [NestlineEnv, NestlineVectorEnv])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "stockfish"}, "there is no opponent 'stockfish'; it takes random, child-1, "),
        ({"opponent": 3}, "an opponent is a name, a player or a function, not 3"),
        ({"side": "third"}, "a side is first, second or None"),
        ({"render_mode": "smoke"}, "render modes are"),
        ({"ply_limit": 0}, "a limit has"),
    ],
)
def test_impossible_options_are_refused(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        make(**options)


def test_options_that_many_games_do_not_have() -> None:
    with pytest.raises(GameError, match="many games are not printed"):
        NestlineVectorEnv(2, render_mode="human")
    with pytest.raises(TableError, match="too large to be solved"):
        NestlineEnv("gobblet", opponent="perfect")


def test_ends_are_told_by_their_reason() -> None:
    env = NestlineEnv("gobblers", ply_limit=1, side="first")
    env.reset()
    *_, terminated, truncated, info = env.step(0)
    assert (terminated, truncated) == (False, True)
    assert info["reason"] == END_REASONS[-1] == "unfinished"
