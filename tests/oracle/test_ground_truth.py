"""Values, regret and best responses against a naive computation on small games.

`morris` is a small game of its own: three pieces of one size each, which then move anywhere, so
that games can go round in circles.
"""

import random
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive_rules as naive
from nestline import (
    GameError,
    IllegalMove,
    Position,
    PositionError,
    ShapeError,
    TableError,
    tables,
)
from nestline.action_space import action_of, move_of
from nestline.engine.players.levels import make_player
from nestline.oracle import (
    ILLEGAL,
    Oracle,
    Policy,
    one_ply_policy,
    player_policy,
    random_policy,
    reachable,
    regret,
)
from nestline.oracle.positions import legal_masks, observe
from nestline.rules import RuleSet
from support.helpers import custom_rules, naive_rules_of, walked_position


def lowest_policy(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Always the first legal action; it does not treat the images of a position alike."""
    return masks.argmax(axis=1)


def policy_named(name: str, oracle: Oracle) -> Policy:
    return {
        "random": random_policy,
        "one ply": one_ply_policy(oracle.rules),
        "lowest": lowest_policy,
        "perfect": oracle.policy,
    }[name]


@pytest.fixture(scope="module")
def tictactoe(standard_tables: Path) -> Oracle:
    return Oracle("tictactoe", standard_tables)


@pytest.fixture(scope="module")
def gobblers(standard_tables: Path) -> Oracle:
    return Oracle("gobblers", standard_tables)


@pytest.fixture(scope="module")
def morris(tmp_path_factory: pytest.TempPathFactory) -> Oracle:
    folder = tmp_path_factory.mktemp("morris")
    rules = custom_rules(folder, "tictactoe", stock=[3], moving=True, draw_board_full=False)
    tables.build(rules, folder)
    return Oracle(rules, folder)


class Node(NamedTuple):
    """A position, in naive form, and what each action leads to."""

    over: float | None
    """The value for the player to move, if the game is over."""
    after: dict[int, str]


def as_chances(answer: np.ndarray) -> dict[int, float]:
    """A policy's answer, an action or probabilities, as the probabilities of actions."""
    if answer.shape == ():
        return {int(answer): 1.0}
    return {action: float(answer[action]) for action in np.flatnonzero(answer).tolist()}


class Tree:
    """All reachable positions and their values, found the slow way."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.fields = naive_rules_of(rules)
        self.nodes: dict[str, Node] = {}
        self.asked: dict[Policy, dict[str, dict[int, float]]] = {}
        self.start = naive.text_of(self.fields, naive.start(self.fields))
        waiting = [self.start]
        while waiting:
            text = waiting.pop()
            if text not in self.nodes:
                self.nodes[text] = self._node(text)
                waiting.extend(self.nodes[text].after.values())
        self.values = self._solve(lambda node, values: max(-values[t] for t in node.after.values()))

    def _node(self, text: str) -> Node:
        state = naive.parse(self.fields, text)
        end = naive.outcome(self.fields, state)
        if end is not None:
            value = 0.0 if end.winner is None else 1.0 if end.winner == state.turn else -1.0
            return Node(value, {})
        moves = naive.legal_moves(self.fields, state)
        after = {
            action_of(move, self.rules): naive.text_of(
                self.fields, naive.apply(self.fields, state, move)
            )
            for move in moves
        }
        return Node(None, dict(sorted(after.items())))

    def _solve(self, best: Any) -> dict[str, float]:
        """Value iteration until nothing changes; what never ends is a draw."""
        values = {text: node.over or 0.0 for text, node in self.nodes.items()}
        changed = True
        while changed:
            changed = False
            for text, node in self.nodes.items():
                if node.after:
                    value = best(node, values)
                    changed |= value != values[text]
                    values[text] = value
        return values

    def chances(self, policy: Policy, text: str) -> dict[int, float]:
        """The probability with which the policy plays each action."""
        if policy not in self.asked:
            texts = [text for text, node in self.nodes.items() if node.after]
            words = np.array([Position(text, self.rules).words for text in texts])
            owns, opps = words[:, 0].copy(), words[:, 1].copy()
            masks = legal_masks(owns, opps, self.rules)
            answers = np.asarray(policy(observe(owns, opps, self.rules), masks))
            self.asked[policy] = dict(zip(texts, map(as_chances, answers), strict=True))
        return self.asked[policy][text]

    def lost(self, policy: Policy, text: str) -> tuple[float, float]:
        """The regret of the policy, and the probability of a mistake."""
        worth = {action: -self.values[after] for action, after in self.nodes[text].after.items()}
        best = max(worth.values())
        chances = self.chances(policy, text)
        value = sum(chance * (best - worth[action]) for action, chance in chances.items())
        return value, sum(chance for action, chance in chances.items() if worth[action] < best)

    def best_response(self, policy: Policy, responder: int) -> float:
        """The value of the best response for the responder, by value iteration."""
        mixed = {
            text: self.chances(policy, text)
            for text, node in self.nodes.items()
            if node.after and (text[-1] == "b") != responder
        }

        def judge(node: Node, values: dict[str, float], chances: dict[int, float] | None) -> float:
            if chances is None:
                return -min(values[after] for after in node.after.values())
            return -sum(chance * values[node.after[action]] for action, chance in chances.items())

        values = {text: node.over or 0.0 for text, node in self.nodes.items()}
        for _ in range(300):
            now = {
                text: judge(node, values, mixed.get(text)) if node.after else values[text]
                for text, node in self.nodes.items()
            }
            change = max(abs(now[text] - values[text]) for text in now)
            values = now
            if change < 1e-12:
                break
        return values[self.start] if responder == 0 else -values[self.start]


@cache
def tree_of(rules: RuleSet) -> Tree:
    return Tree(rules)


# Values.


def test_every_action_of_many_positions_has_the_tables_value(gobblers: Oracle) -> None:
    chance = random.Random("values of actions")
    positions = [walked_position(gobblers.rules, chance, chance.randint(0, 14)) for _ in range(60)]
    found = gobblers.of_positions(positions)
    assert found.values.shape == found.distances.shape == (60, 108)
    names = {"win": 1, "draw": 0, "loss": -1}
    for position, values, distances, best in zip(positions, *found, found.best, strict=True):
        probes = gobblers.table.moves(position)
        actions = [action_of(probe.move, gobblers.rules) for probe in probes]
        assert np.flatnonzero(values != ILLEGAL).tolist() == sorted(actions)
        for probe, action in zip(probes, actions, strict=True):
            expected = -1 if probe.distance is None else probe.distance
            assert (values[action], distances[action]) == (names[probe.value], expected)
        first = [
            action
            for action, probe in zip(actions, probes, strict=True)
            if probe[1:] == probes[0][1:]
        ]
        assert np.flatnonzero(best).tolist() == sorted(first)


def test_finished_positions_have_no_actions(gobblers: Oracle) -> None:
    found = gobblers.of_positions(["w1,w2,w3/x3/x3 b", "start"])
    assert (found.values[0] == ILLEGAL).all()
    assert not found.best[0].any()
    assert (found.values[1] != ILLEGAL).sum() == 27
    assert found.distances[1].max() > 0
    assert gobblers.of_positions([]).values.shape == (0, 108)


def test_positions_are_valued_in_batches(tictactoe: Oracle) -> None:
    tree = tree_of(tictactoe.rules)
    texts = list(tree.nodes)
    words = np.array([Position(text, tictactoe.rules).words for text in texts])
    values, _ = tictactoe.values(words[:, 0].copy(), words[:, 1].copy())
    assert values.tolist() == [tree.values[text] for text in texts]


def test_perfect_play_keeps_the_value_and_hurries(gobblers: Oracle) -> None:
    position = Position.start("gobblers")
    plies = 0
    while not position.outcome():
        best = gobblers.of_positions([position]).best[0]
        position = position.play(move_of(int(best.argmax()), "gobblers"))
        plies += 1
    assert plies == 13


# Regret.


@pytest.mark.parametrize(
    ("game", "name"),
    [("tictactoe", "random"), ("tictactoe", "one ply"), ("tictactoe", "perfect"),
     ("morris", "random")],
)  # fmt: skip
def test_regret_over_all_positions(game: str, name: str, request: pytest.FixtureRequest) -> None:
    oracle: Oracle = request.getfixturevalue(game)
    policy = policy_named(name, oracle)
    tree = tree_of(oracle.rules)
    classes = {}
    for text, node in tree.nodes.items():
        if node.after:
            images = naive.symmetries(tree.fields, text)
            # The colour of the player to move does not matter: to him it is one position.
            seen = (image if image[-1] == "w" else exchanged(image) for image in images)
            classes.setdefault(min(seen), text)
    lost = [tree.lost(policy, text) for text in classes.values()]
    found = oracle.regret(policy)
    assert found.positions == len(classes)
    assert found.mean == pytest.approx(sum(value for value, _ in lost) / len(lost))
    assert found.mistakes == pytest.approx(sum(chance for _, chance in lost) / len(lost))
    assert found.is_exact
    assert found.per_game is None
    assert (found.mean == 0) == (name == "perfect")


def exchanged(text: str) -> str:
    """The same position with the colours swapped."""
    board, turn = text.split(" ")
    swapped = board.translate(str.maketrans("wb", "bw"))
    return f"{swapped} {'b' if turn == 'w' else 'w'}"


def play_out(
    tree: Tree, policy: Policy, against: Policy, seat: int, counted: tuple[int, ...]
) -> tuple[float, float, float]:
    """The average positions, regret and mistakes per game, by following every game."""
    present = {tree.start: 1.0}
    visits = thrown = mistakes = 0.0
    ply = 0
    while present:
        following: dict[str, float] = {}
        for text, weight in present.items():
            player = policy if ply % 2 == seat else against
            if ply % 2 in counted:
                value, mistake = tree.lost(player, text)
                visits, thrown = visits + weight, thrown + weight * value
                mistakes += weight * mistake
            for action, chance in tree.chances(player, text).items():
                after = tree.nodes[text].after[action]
                if tree.nodes[after].after:
                    following[after] = following.get(after, 0.0) + weight * chance
        present = following
        ply += 1
    return visits, thrown, mistakes


@pytest.mark.parametrize("policy", [random_policy, lowest_policy])
def test_regret_over_own_play(tictactoe: Oracle, policy: Policy) -> None:
    tree = tree_of(tictactoe.rules)
    visits, thrown, mistakes = play_out(tree, policy, policy, 0, (0, 1))
    found = tictactoe.regret(policy, "play")
    assert found.mean == pytest.approx(thrown / visits)
    assert found.per_game == pytest.approx(thrown)
    assert found.mistakes == pytest.approx(mistakes / visits)
    assert found.is_exact


def test_regret_against_another_policy(tictactoe: Oracle) -> None:
    tree = tree_of(tictactoe.rules)
    halves = [play_out(tree, lowest_policy, random_policy, seat, (seat,)) for seat in (0, 1)]
    visits, thrown, mistakes = (sum(parts) / 2 for parts in zip(*halves, strict=True))
    found = tictactoe.regret(lowest_policy, "play", against=random_policy)
    assert found.mean == pytest.approx(thrown / visits)
    assert found.per_game == pytest.approx(thrown)
    assert found.mistakes == pytest.approx(mistakes / visits)


def test_regret_against_several_after_random_openings(tictactoe: Oracle) -> None:
    """Opening moves are random and do not count; every pairing has the same weight."""
    tree = tree_of(tictactoe.rules)

    def play(against: Policy, seat: int) -> tuple[float, float]:
        present, visits, thrown = {tree.start: 1.0}, 0.0, 0.0
        for ply in range(9):
            following: dict[str, float] = {}
            for text, weight in present.items():
                mover = lowest_policy if ply % 2 == seat else against
                if ply >= 2 and ply % 2 == seat:
                    visits += weight
                    thrown += weight * tree.lost(lowest_policy, text)[0]
                chances = tree.chances(random_policy if ply < 2 else mover, text)
                for action, chance in chances.items():
                    after = tree.nodes[text].after[action]
                    if tree.nodes[after].after:
                        following[after] = following.get(after, 0.0) + weight * chance
            present = following
        return visits, thrown

    others = [random_policy, lowest_policy]
    parts = [play(other, seat) for other in others for seat in (0, 1)]
    visits, thrown = (sum(part) / 4 for part in zip(*parts, strict=True))
    found = tictactoe.regret(lowest_policy, "play", against=others, opening=2)
    assert found.per_game == pytest.approx(thrown)
    assert found.mean == pytest.approx(thrown / visits)
    options: Any = {"against": others, "opening": 2, "sample": 4000}
    sampled = tictactoe.regret(lowest_policy, "play", **options)
    assert abs(sampled.mean - found.mean) < 4 * sampled.error


def test_what_is_reachable_is_kept_for_the_next_process(
    morris: Oracle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reachable, "cache_folder", lambda: tmp_path)
    law = morris.rules.law
    found = reachable.find_reachable(law)
    (path,) = tmp_path.iterdir()
    solved = []
    real = reachable.solve
    monkeypatch.setattr(reachable, "solve", lambda *a, **k: solved.append(1) or real(*a, **k))
    again = reachable.find_reachable(law)
    assert (again.bits == found.bits).all()
    assert not solved
    whole = path.read_bytes()
    for damaged in (whole[:-1], b"", b"\xff" + whole[1:]):
        path.write_bytes(damaged)
        assert (reachable.find_reachable(law).bits == found.bits).all()
        assert solved.pop() == 1
        assert path.read_bytes() == whole
    monkeypatch.setattr(reachable, "cache_folder", lambda: path / "a file is no folder")
    assert (reachable.find_reachable(law).bits == found.bits).all(), "only slower"


def test_samples_come_near_the_truth(tictactoe: Oracle) -> None:
    for options in ({"over": "all"}, {"over": "play"}, {"over": "play", "against": lowest_policy}):
        exact = tictactoe.regret(random_policy, **options)
        sampled = tictactoe.regret(random_policy, **options, sample=4000, seed=1)
        assert not sampled.is_exact
        assert 0 < sampled.error < 0.03
        assert abs(sampled.mean - exact.mean) < 4 * sampled.error
        again = tictactoe.regret(random_policy, **options, sample=4000, seed=1)
        assert again == sampled
        assert tictactoe.regret(random_policy, **options, sample=4000, seed=2) != sampled


def test_play_that_spreads_too_far_is_sampled(
    gobblers: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regret, "MOST_POSITIONS", 5000)
    with pytest.raises(GameError, match="give the number of games as `sample`"):
        gobblers.regret(random_policy, "play")
    assert gobblers.regret(random_policy, "play", sample=50).per_game > 1
    assert gobblers.regret(gobblers.policy, "play", sample=50).mean == 0


def test_players_of_the_engine_are_policies(tictactoe: Oracle) -> None:
    weak = player_policy(make_player("random", seed=1), "tictactoe")
    strong = player_policy(make_player("6", seed=1), "tictactoe")
    sample = {"sample": 60, "seed": 1}
    assert tictactoe.regret(strong, **sample).mean < tictactoe.regret(weak, **sample).mean
    assert tictactoe.regret(strong, "play").per_game <= 1


# Best responses.


@pytest.mark.parametrize(
    ("game", "name"),
    [("tictactoe", "random"), ("tictactoe", "one ply"), ("tictactoe", "lowest"),
     ("tictactoe", "perfect"), ("morris", "random"), ("morris", "lowest")],
)  # fmt: skip
def test_the_best_response(game: str, name: str, request: pytest.FixtureRequest) -> None:
    oracle: Oracle = request.getfixturevalue(game)
    policy = policy_named(name, oracle)
    tree = tree_of(oracle.rules)
    found = oracle.exploit(policy)
    assert found.is_exact
    for seat, bounds in enumerate((found.as_first, found.as_second)):
        expected = tree.best_response(policy, seat)
        assert bounds.lower == pytest.approx(expected, abs=1e-6)
        assert bounds.upper == pytest.approx(expected, abs=1e-6)
    if name == "perfect":
        assert found.lower == pytest.approx(0, abs=1e-6), "there is nothing to gain"


def test_bounds_close_in_with_more_positions(tictactoe: Oracle) -> None:
    few, more = (tictactoe.exploit(random_policy, positions=count) for count in (20, 500))
    whole = tictactoe.exploit(random_policy)
    assert few.lower <= more.lower <= whole.lower == whole.upper <= more.upper <= few.upper
    assert not few.is_exact
    assert few.as_first.positions <= 20


def test_a_perfect_agent_is_proved_to_win(gobblers: Oracle) -> None:
    def first_best(planes: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return gobblers.policy(planes, masks).argmax(axis=1)

    found = gobblers.exploit(first_best)
    assert found.is_exact
    assert (found.as_first.lower, found.as_second.lower) == (1, -1)


# Bad input.


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda masks: masks.argmax(axis=1)[:-1], ShapeError, "whole numbers of shape"),
        (lambda masks: masks, ShapeError, "not with bool of shape"),
        (lambda masks: masks * 1.0, ShapeError, "sum to 1"),
        (lambda masks: np.full(masks.shape, np.nan), ShapeError, "sum to 1"),
        (lambda masks: masks.argmin(axis=1), IllegalMove, "where it is illegal"),
        (lambda masks: np.full(len(masks), 99), IllegalMove, "there is no action 99"),
        (lambda masks: np.full(masks.shape, 1 / 9), IllegalMove, "where it is illegal"),
        (lambda masks: None, ShapeError, "not with object"),
    ],
)
def test_answers_that_make_no_sense_are_refused(
    tictactoe: Oracle, answer: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        tictactoe.regret(lambda planes, masks: answer(masks))


def test_questions_that_make_no_sense_are_refused(tictactoe: Oracle) -> None:
    zeros = np.zeros(3, np.int64)
    for owns, opps in ((zeros, zeros[:2]), (zeros[:, None], zeros[:, None]), ([0.5], [0.5])):
        with pytest.raises(ShapeError, match=r"two int64 arrays of the same shape \(n,\), not"):
            tictactoe.action_values(owns, opps)
    with pytest.raises(PositionError, match="are no position"):
        tictactoe.values(zeros + 1, zeros + 1)
    with pytest.raises(PositionError, match="a position of gobblet cannot be judged"):
        tictactoe.of_positions([Position.start("gobblet")])
    for options, message in (
        ({"over": "some"}, "not 'some'"),
        ({"sample": 1}, "a sample has at least 2"),
        ({"against": random_policy}, "belong to"),
        ({"opening": 2}, "belong to"),
        ({"over": "play", "opening": -1}, "an opening has 0 moves or more, not -1"),
        ({"over": "play", "opening": 9}, "beyond its opening"),
    ):
        with pytest.raises(GameError, match=message):
            tictactoe.regret(random_policy, **options)
    with pytest.raises(GameError, match="at least 1 position"):
        tictactoe.exploit(random_policy, positions=0)
    with pytest.raises(ShapeError, match="observations of tictactoe have the shape"):
        tictactoe.policy(np.zeros((1, 2, 3, 3), np.int8), np.ones((1, 9), np.bool_))


def test_a_rule_set_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="there is no tablebase of gobblers"):
        Oracle("gobblers", tmp_path)
    with pytest.raises(TableError, match="too large to be solved"):
        Oracle("gobblet", tmp_path)
