"""The simple players that others are measured against."""

import random
from pathlib import Path

import numpy as np
import pytest

from nestline import Game, GameError, Move, Position, Side, load_rules, rule_set_names
from nestline.engine.players.baselines import (
    THREAT_WORTH,
    WON,
    GreedyPlayer,
    MonteCarloPlayer,
    is_decided_soon,
    judge,
    score_two_plies,
)
from nestline.engine.search.engine import Limits, Stop
from support.helpers import at, random_rules, walked_position

WIN_IN_ONE = "x3/x,b3,x/w3,w3,x w"
LOSS_TO_AVOID = "x3/x,w1,x/b3,b3,x w"


def naive_judgement(position: Position, side: Side) -> int:
    """`judge` again, from the stacks."""
    score = 0
    for owner, sign in ((side, 1), (side.other, -1)):
        shown = {name: stack[-1] for name, stack in position.stacks.items()}
        own = {name for name, piece in shown.items() if piece.side == owner}
        threatening = set()
        for line in position.rules.line_squares:
            if len(own.intersection(line)) == len(line) - 1:
                threatening |= own.intersection(line)
        score += sign * THREAT_WORTH * len(threatening)
        score += sign * sum(shown[name].size for name in own)
    return score


def naive_score(position: Position, move: Move) -> int:
    """`score_two_plies` again, for one move, by trying every reply."""
    me, after = position.turn, position.play(move)

    def finished(reached: Position, worth: int) -> int | None:
        outcome = reached.outcome()
        if outcome is None:
            return None
        return 0 if outcome.winner is None else worth if outcome.winner == me else -worth

    if (score := finished(after, WON)) is not None:
        return score
    replies = [after.play(reply) for reply in after.legal_moves()]
    scores = [(finished(reached, WON - 1), reached) for reached in replies]
    return min(naive_judgement(end, me) if score is None else score for score, end in scores)


@pytest.mark.parametrize("seed", range(16))
def test_two_plies_are_scored_as_by_trying_everything(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    rules = load_rules("gobblers") if seed % 2 else random_rules(tmp_path, chance)
    position = walked_position(rules, chance, chance.randint(0, 6))
    own, opp = position.words
    assert judge(own, opp, rules.law) == naive_judgement(position, position.turn)
    moves = position.legal_moves()
    scores = score_two_plies(position, moves, np.zeros(len(moves), np.int64))
    assert scores.tolist() == [naive_score(position, move) for move in moves]


def test_greedy_takes_a_win_and_avoids_a_loss_at_once() -> None:
    for seed in range(5):
        game = at(WIN_IN_ONE)
        game.play(GreedyPlayer(seed).choose(game))
        assert game.outcome is not None
        assert game.outcome.winner == Side.FIRST
        game = at(LOSS_TO_AVOID)
        game.play(GreedyPlayer(seed).choose(game))
        assert not any(
            (outcome := game.position.play(reply).outcome()) and outcome.winner == Side.SECOND
            for reply in game.legal_moves()
        )


def test_greedy_sees_a_draw_by_repetition() -> None:
    """Better drawn than lost: the position after the move is as bad as it was twice before."""
    game = at("x3/x3/w3,b1,w3 w")
    there_and_back = ("c1b2", "b1a3", "b2c1", "a3b1")
    for move in there_and_back + there_and_back[:3]:
        game.play(move)
    moves = game.legal_moves()
    drawn = np.array([str(move) == "a3b1" for move in moves], np.int64)
    scores = score_two_plies(game.position, moves, drawn)
    assert scores[moves.index(Move("a3b1"))] == 0
    assert (
        scores[moves.index(Move("a3b1"))]
        != score_two_plies(game.position, moves, np.zeros(len(moves), np.int64))[
            moves.index(Move("a3b1"))
        ]
    )


def test_decided_positions_are_told_apart() -> None:
    assert is_decided_soon(Position(WIN_IN_ONE, "gobblers"))
    assert not is_decided_soon(Position.start("gobblers"))
    assert not is_decided_soon(Position(LOSS_TO_AVOID, "gobblers"))
    # Two lines of three threaten at once in a game where nothing can be covered.
    assert is_decided_soon(Position("w1,x,b1/x,w1,b1/w1,x2 b", "tictactoe"))
    assert is_decided_soon(Position("w1,w1,w1/b1,b1,x/x3 b", "tictactoe"))


@pytest.mark.parametrize("text", [WIN_IN_ONE, "x3/x2,w3/x,b2w3,b2 w"])
def test_monte_carlo_finds_near_wins(text: str) -> None:
    """A win in one, and one in seven that is easy for it."""
    for seed in range(3):
        player = MonteCarloPlayer(Limits(nodes=4000), seed)
        game = at(text)
        winner = game.turn
        if text == WIN_IN_ONE:
            game.play(player.choose(game))
        while not game.outcome:
            game.play((player if game.turn == winner else GreedyPlayer(seed)).choose(game))
        assert game.outcome.winner == winner


def test_monte_carlo_is_reproducible_and_counts_its_games() -> None:
    def visits(seed: int, nodes: int) -> tuple[Move, list[int]]:
        player = MonteCarloPlayer(Limits(nodes=nodes), seed)
        move = player.choose(Game("gobblers-official"))
        assert player._tree is not None
        count = int(player._tree.children[0])
        return move, player._tree.visits[1 : 1 + count].tolist()

    assert visits(1, 1000) == visits(1, 1000) != visits(2, 1000)
    for nodes in (1, 63, 64, 65, 1000):
        assert sum(visits(1, nodes)[1]) == nodes


def test_monte_carlo_knows_what_each_result_is_worth() -> None:
    """With every node of the tree visited often, its averages are the values of tic-tac-toe."""
    game = at("b1,w1,b1/w1,b1,w1/w1,x2 b", "tictactoe")
    player = MonteCarloPlayer(Limits(nodes=20_000), 1)
    assert str(player.choose(game)) == "1c1"
    tree = player._tree
    assert tree is not None
    averages = {int(tree.move[node]): tree.points[node] / tree.visits[node] for node in (1, 2)}
    assert sorted(averages.values()) == [0.5, 1.0]  # b1 leads to a draw, c1 wins
    assert tree.visits[0] == 20_000


def test_a_full_tree_grows_no_further() -> None:
    player = MonteCarloPlayer(Limits(nodes=3000), 1, tree_nodes=1000)
    game = Game("gobblet")
    assert player.choose(game) in game.legal_moves()
    tree = player._tree
    assert tree is not None
    assert 500 < tree.control[0] <= 1000
    assert tree.visits[0] == 3000


def test_monte_carlo_needs_a_limit_it_understands() -> None:
    for limits in (Limits(), Limits(depth=3), Limits(depth=3, nodes=10)):
        with pytest.raises(GameError, match="a limit of time or of nodes"):
            MonteCarloPlayer(limits)


def test_monte_carlo_stops_in_time() -> None:
    game = Game("gobblet")
    assert MonteCarloPlayer(Limits(seconds=0.02), 1).choose(game) in game.legal_moves()


def test_monte_carlo_stops_when_asked() -> None:
    game, stop = Game("gobblet"), Stop()
    stop.ask()
    assert MonteCarloPlayer(Limits(seconds=600), 1).choose(game, stop) in game.legal_moves()


@pytest.mark.parametrize("rules", rule_set_names())
def test_baselines_play_whole_games(rules: str) -> None:
    for seed in range(4):
        game = Game(rules, ply_limit=100)
        players = [GreedyPlayer(seed), MonteCarloPlayer(Limits(nodes=100), seed)]
        if seed % 2:
            players.reverse()
        while not game.outcome:
            game.play(players[game.turn].choose(game))


def test_baselines_play_any_rules(tmp_path: Path) -> None:
    for seed in range(30):
        game = Game(random_rules(tmp_path, random.Random(seed)), ply_limit=40)
        players = [GreedyPlayer(seed), MonteCarloPlayer(Limits(nodes=50), seed)]
        while not game.outcome:
            game.play(players[game.turn].choose(game))


def test_a_touched_piece_is_played() -> None:
    game = Game("gobblet")
    for move in ("4a1", "4b2", "4c3", "4d1"):
        game.play(move)
    game.touch("c3")
    for player in (GreedyPlayer(1), MonteCarloPlayer(Limits(nodes=100), 1)):
        assert player.choose(game).origin == "c3"


def test_a_finished_game_has_no_move_to_choose() -> None:
    game = Game("gobblers")
    game.resign(Side.FIRST)
    for player in (GreedyPlayer(1), MonteCarloPlayer(Limits(nodes=1), 1)):
        with pytest.raises(GameError, match="no move to choose"):
            player.choose(game)
