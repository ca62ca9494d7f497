"""The tree search does what a naive one does, node for node, and plays tic-tac-toe perfectly."""

import math
from typing import Any

import numpy as np
import pytest

from nestline import Game, GameError, Position, ShapeError
from nestline.action_space import action_of, legal_actions, move_of
from nestline.envs.batch import Batch
from nestline.envs.tree.gumbel import considered_visits
from nestline.envs.tree.search import TreeSearch
from nestline.observations import observation_shape, write_observation
from support.helpers import in_cuda_simulator

EXPLORATION = 1.25


def evaluate(planes: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Some values and policies that depend on everything in an observation."""
    flat = planes.reshape(len(planes), -1).astype(np.int64)
    mixed = (flat * (np.arange(flat.shape[1]) * 7919 % 1000 + 1)).sum(axis=1)
    values = (mixed % 17 - 8) / 16
    weights = 1 + (mixed[:, None] + np.arange(masks.shape[1]) * 31) % 13
    return values.astype(np.float32), weights.astype(np.float32)


class Node:
    """A node of the naive tree, with the whole game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.visits = 0
        self.value = 0.0
        self.edges: dict[int, Any] = {}


class Edge:
    def __init__(self, prior: np.float32) -> None:
        self.prior, self.visits, self.total = prior, 0, np.float32(0)
        self.child: Node | None = None


def play(game: Game, action: int) -> Game:
    twin = Game(start=game.positions[0], ply_limit=game.ply_limit, touch_move=False)
    for move in (*game.moves, move_of(action, game.rules)):
        twin.play(move)
    return twin


def naive_value(node: Node, evaluator: Any) -> float:
    """Expand a leaf and return what it is worth to the player to move."""
    game = node.game
    if game.outcome:
        winner = game.outcome.winner
        return 0.0 if winner is None else 1.0 if winner == game.position.turn else -1.0
    actions = legal_actions(game.position)
    value, weights = 0.0, np.ones(len(actions), np.float32)
    if evaluator:
        shape = observation_shape(game.rules)
        rows = np.zeros((1, int(np.prod(shape))), np.int8)
        law = game.rules.law
        write_observation(*game.position.words, game.repetitions, law, 0, 0, rows)
        masks = np.zeros((1, 400), np.bool_)
        values, policies = evaluator(rows.reshape(1, *shape), masks)
        value, weights = float(values[0]), policies[0][actions]
    total = sum(map(float, weights))
    node.edges = {
        action: Edge(np.float32(float(weight) / total))
        for action, weight in zip(actions, weights, strict=True)
    }
    return value


def improved_scores(node: Node) -> dict[int, float]:
    """The scores behind the improved policy of the paper."""
    edges = node.edges.values()
    tried = [edge for edge in edges if edge.visits]
    visits = sum(edge.visits for edge in tried)
    mixed = node.value
    if tried:
        prior = sum(float(edge.prior) for edge in tried)
        mean = sum(float(edge.prior) * float(edge.total) / edge.visits for edge in tried) / prior
        mixed = (node.value + visits * mean) / (1 + visits)
    values = {
        action: float(edge.total) / edge.visits if edge.visits else mixed
        for action, edge in node.edges.items()
    }
    weight = 50 + max(edge.visits for edge in edges)
    return {
        action: math.log(float(edge.prior)) + weight * (1 + values[action]) / 2
        for action, edge in node.edges.items()
    }


def gumbel_choice(
    node: Node, noise: np.ndarray | None, considered: list[int] | None
) -> tuple[int, Edge]:
    """The edge that the paper's rules follow, at the root and below it."""
    scores = improved_scores(node)
    if noise is not None and considered is not None:
        wanted = considered[node.visits - 1]
        total = {
            action: scores[action] + float(noise[number])
            for number, (action, edge) in enumerate(node.edges.items())
            if edge.visits == wanted
        }
    else:
        highest = max(scores.values())
        weights = {action: math.exp(score - highest) for action, score in scores.items()}
        total = {
            action: weights[action] / sum(weights.values()) - edge.visits / node.visits
            for action, edge in node.edges.items()
        }
    action = max(total, key=lambda action: total[action])
    return action, node.edges[action]


def naive_search(
    game: Game, simulations: int, evaluator: Any, noise: np.ndarray | None = None,
    considered: list[int] | None = None,
) -> dict[int, int]:  # fmt: skip
    """The visits of the root's actions; by Gumbel's method if there is noise."""
    root = Node(game)
    for _ in range(simulations):
        node, path = root, []
        while node.edges:
            reach = EXPLORATION * math.sqrt(node.visits)

            def score(edge: Edge, reach: float = reach) -> float:
                value = float(edge.total) / edge.visits if edge.visits else 0.0
                return value + reach * float(edge.prior) / (1 + edge.visits)

            action, edge = max(node.edges.items(), key=lambda item: score(item[1]))
            if noise is not None:
                at_root = node is root
                action, edge = gumbel_choice(
                    node, noise if at_root else None, considered if at_root else None
                )
            path.append((node, edge))
            edge.child = edge.child or Node(play(node.game, action))
            node = edge.child
        value = naive_value(node, evaluator)
        node.value = value
        node.visits += 1
        for parent, edge in reversed(path):
            value = -value
            edge.visits += 1
            edge.total += np.float32(value)
            parent.visits += 1
    return {action: edge.visits for action, edge in root.edges.items()}


BACK_AND_FORTH = "3a1 3c3 a1a2 c3c2 a2a1 c2c3 a1a2 c3c2"


@pytest.mark.parametrize("evaluator", [None, evaluate])
@pytest.mark.parametrize(
    ("name", "moves", "ply_limit"),
    [("tictactoe", "1b2", 200), ("gobblers", BACK_AND_FORTH, 200), ("gobblers", "3b2", 4),
     ("gobblet", "4a1", 30)],
)  # fmt: skip
def test_visits_are_those_of_a_naive_search(
    name: str, moves: str, ply_limit: int, evaluator: Any
) -> None:
    game = Game(name, ply_limit=ply_limit, touch_move=False, visibility="open")
    batch = Batch(name, 2, ply_limit=ply_limit, auto_reset=False)
    for move in moves.split():
        game.play(move)
        assert not batch.step([action_of(move, name)] * 2).illegal.any()
    before = batch.state.words.copy()
    found = TreeSearch(batch, 40).run(batch, evaluator)
    expected = naive_search(game, 40, evaluator)
    for row in found.visits:
        assert {int(a): int(row[a]) for a in np.flatnonzero(row)} == {
            action: visits for action, visits in expected.items() if visits
        }
    assert (batch.state.words == before).all()
    assert found.actions[0] == max(expected, key=lambda action: (expected[action], -action))
    assert found.policies.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("name", ["tictactoe", "gobblers"])
@pytest.mark.parametrize("considered", [1, 4, 16])
def test_a_gumbel_search_follows_the_paper(name: str, considered: int) -> None:
    batch = Batch(name, 2, auto_reset=False)
    search = TreeSearch(batch, 40, gumbel=considered, seed=5)
    found = search.run(batch, evaluate)
    game = Game(name, touch_move=False, visibility="open")
    moves = len(game.legal_moves())
    for number in range(2):
        noise = search._tree.gumbels[number]
        table = considered_visits(considered, 40)[min(considered, moves)].tolist()
        expected = naive_search(game, 40, evaluate, noise, table)
        row = found.visits[number]
        assert {int(a): int(row[a]) for a in np.flatnonzero(row)} == {
            action: visits for action, visits in expected.items() if visits
        }
        assert len(np.flatnonzero(row)) <= considered
        assert row[found.actions[number]] == row.max()
    assert found.policies.sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_sequential_halving() -> None:
    """Four moves and 16 simulations: two visits each, then the better two share the rest."""
    table = considered_visits(4, 16)
    assert table[4].tolist() == [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]
    assert table[1].tolist() == list(range(16))


def solved(position: Position, known: dict[Position, int]) -> int:
    """Brute force: the value for the player to move."""
    if position not in known:
        outcome = position.outcome()
        if outcome:
            winner = outcome.winner
            known[position] = 0 if winner is None else 1 if winner == position.turn else -1
        else:
            after = (position.play(move).canonical() for move in position.legal_moves())
            known[position] = max(-solved(child, known) for child in after)
    return known[position]


def test_every_position_of_tic_tac_toe_is_played_perfectly() -> None:
    known: dict[Position, int] = {}
    solved(Position.start("tictactoe"), known)
    positions = [position for position in known if not position.outcome()]
    assert len(positions) == 627
    batch = Batch("tictactoe", len(positions), auto_reset=False)
    batch.set_positions(positions)
    found = TreeSearch(batch, 3000).run(batch)
    chosen = [found, TreeSearch(batch, 3000, gumbel=9, seed=1).run(batch)]
    for actions in (search.actions for search in chosen):
        for position, action in zip(positions, actions, strict=True):
            after = position.play(move_of(int(action), "tictactoe")).canonical()
            assert -known[after] == known[position], position
    decided = np.array([known[position] for position in positions])
    assert (np.sign(found.values.round(1))[decided != 0] == decided[decided != 0]).mean() > 0.95


def test_threads_change_nothing_and_memory_is_used_again() -> None:
    batch = Batch("gobblers", 30, seed=1, auto_reset=False)
    batch.random_steps(4)
    shared = Batch("gobblers", 30, seed=1, auto_reset=False, threads=3)
    shared.random_steps(4)
    search = TreeSearch(batch, 50)
    first = search.run(batch, evaluate)
    other = TreeSearch(shared, 50).run(shared, evaluate)
    again = search.run(batch, evaluate)
    for ours, theirs, third in zip(first, other, again, strict=True):
        assert (ours == theirs).all()
        assert (ours == third).all()
    over = batch.ends > 0
    assert (first.actions[over] == -1).all()
    assert (first.visits[~over].sum(axis=1) == 49).all()


def test_noise_is_drawn_with_the_seed() -> None:
    batch = Batch("gobblet", 4)
    plain = TreeSearch(batch, 30).run(batch)
    noisy = [TreeSearch(batch, 30, noise=(0.3, 0.5), seed=seed).run(batch) for seed in (1, 1, 2)]
    assert (noisy[0].visits == noisy[1].visits).all()
    assert (noisy[0].visits != noisy[2].visits).any()
    assert (noisy[0].visits != plain.visits).any()
    search = TreeSearch(batch, 1, noise=(0.3, 0.5), seed=1)
    search.run(batch)
    moves = int(batch.legal_action_mask()[0].sum())
    assert search._tree.priors[:, :moves].sum(axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: (np.zeros(n), np.ones((n, 9))), "not with .* and"),
        (lambda n: (np.zeros(n), np.ones((n, 107))), r"policies \(2, 108\)"),
        (lambda n: (np.full(n, np.nan), np.ones((n, 108))), "values are numbers"),
        (lambda n: (np.zeros(n), -np.ones((n, 108))), "from 0 on"),
    ],
)
def test_answers_that_make_no_sense_are_refused(answer: Any, message: str) -> None:
    batch = Batch("gobblers", 2)
    with pytest.raises(ShapeError, match=message):
        TreeSearch(batch, 5).run(batch, lambda planes, masks: answer(len(planes)))


def test_bad_options_are_refused() -> None:
    batch = Batch("gobblers", 2)
    with pytest.raises(GameError, match="a search has 1 to"):
        TreeSearch(batch, 0)
    with pytest.raises(GameError, match="considers 1 to 320 moves, not 0"):
        TreeSearch(batch, gumbel=0)
    with pytest.raises(GameError, match="noise of its own"):
        TreeSearch(batch, gumbel=4, noise=(0.3, 0.25))
    with pytest.raises(GameError, match="exploration is a number above 0"):
        TreeSearch(batch, exploration=0)
    with pytest.raises(ShapeError, match="made for 2 games of gobblers, not for 3 of gobblers"):
        TreeSearch(batch).run(Batch("gobblers", 3))


SIMULATED = """
import numpy as np
from envs.test_tree_search import evaluate
from nestline.envs.batch import Batch
from nestline.envs.batch.cuda import CudaBatch
from nestline.envs.tree.search import TreeSearch
from nestline.envs.tree.cuda import CudaTreeSearch

def answer(planes, masks):
    return evaluate(np.asarray(planes), np.asarray(masks))

there, here = (kind("gobblers", 3, seed=2, auto_reset=False) for kind in (CudaBatch, Batch))
there.random_steps(6), here.random_steps(6)
for evaluator, options in ((None, {}), (answer, {}), (answer, {"gumbel": 4, "seed": 3})):
    ours = CudaTreeSearch(there, 12, **options).run(there, evaluator)
    theirs = TreeSearch(here, 12, **options).run(here, evaluator)
    assert theirs.visits.sum() > 0
    for a, b in zip(ours, theirs, strict=True):
        assert np.allclose(a, b), (a, b)
print("identical")
"""


@pytest.mark.full
def test_the_kernels_in_the_simulator() -> None:
    finished = in_cuda_simulator(SIMULATED)
    assert finished.stdout == "identical\n", finished.stderr
