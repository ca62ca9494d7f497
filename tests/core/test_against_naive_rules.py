"""The package and the naive rules play the same games and must agree about every position.

The naive rules (`naive_rules.py`) keep lists of stacks and were written from the documents alone;
so whatever the two have in common is the rules, not the same mistake made twice.
"""

import random
from pathlib import Path

import pytest

import naive_rules as naive
from nestline.errors import IllegalMove
from nestline.game import Game
from nestline.position import Position, Side
from nestline.rules import RuleSet, load_rules
from support.helpers import (
    FIVE_NAMES,
    as_pair,
    naive_rules_of,
    random_position,
    random_rules,
    walked_position,
)

GAMES = {
    "tictactoe": 400,
    "gobblers": 250,
    "gobblers-official": 250,
    "gobblet": 120,
    "gobblet-house": 120,
}
FULL_GAMES = 5000
LONGEST = 60
"""A ply limit for random games: two of the sets have no draw by repetition."""

CUSTOM_SETS = 90
FULL_CUSTOM_SETS = 3000


def test_the_rules_are_those_of_the_documents() -> None:
    """The naive rules' table was typed by hand from the rule book, field by field."""
    for name, fields in naive.FIVE.items():
        loaded = load_rules(name).fields()
        assert {key: loaded[key] for key in fields} == fields


def compare(rules: RuleSet, state: naive.State, position: Position) -> list[str]:
    """Everything both can tell about one position; returns the legal moves."""
    fields = naive_rules_of(rules)
    assert str(position) == naive.text_of(fields, state)
    assert position.turn == state.turn
    end = naive.outcome(fields, state)
    assert as_pair(position.outcome()) == as_pair(end), position
    moves = [] if end else naive.possible_moves(fields, state)
    assert sorted(map(str, position.legal_moves())) == moves, position
    return moves


def compare_closely(rules: RuleSet, state: naive.State, position: Position) -> None:
    """What takes more time: stacks, reserves, lines, and the fate of every move."""
    fields = naive_rules_of(rules)
    for index, name in enumerate(rules.square_names):
        assert [tuple(piece) for piece in position.stack(name)] == state.board[index]
        top = position.top(name)
        assert (top is None) == (not state.board[index])
        assert top is None or tuple(top) == state.board[index][-1]
    for side in Side:
        left = [size for stack in state.reserves[side] for size in stack]
        counts = {size: left.count(size) for size in range(1, rules.sizes + 1)}
        assert position.reserve(side) == counts
        tops = sorted(stack[-1] for stack in state.reserves[side] if stack)
        assert list(position.reserve_tops(side)) == tops
        lines = {frozenset(line) for line in naive.full_lines(fields, state.board, side)}
        named = [frozenset(map(rules.square_index, line)) for line in position.lines(side)]
        assert set(named) == lines
        assert len(named) == len(lines)
    for move in naive.legal_moves(fields, state):
        after = naive.apply(fields, state, move)
        played = position.play(move)
        assert str(played) == naive.text_of(fields, after)
        end = naive.outcome_of_move(fields, state, move)
        assert as_pair(played.outcome()) == as_pair(end), (position, move)
        assert position.is_losing_reveal(move) == naive.loses_by_reveal(fields, state, move)


def every_move(rules: RuleSet) -> list[str]:
    """All texts that could be a move on this board, most of them always illegal."""
    squares = rules.square_names
    placing = [f"{size}{target}" for size in range(1, rules.sizes + 1) for target in squares]
    return placing + [origin + target for origin in squares for target in squares]


def compare_refusals(rules: RuleSet, position: Position) -> None:
    """`play` accepts exactly the moves that `legal_moves` lists."""
    legal = {str(move) for move in position.legal_moves()}
    for move in every_move(rules):
        try:
            position.play(move)
            refusal = ""
        except IllegalMove as error:
            refusal = str(error)
        assert refusal.startswith(f"{move}: ") == (move not in legal)


def play_one_game(rules: RuleSet, chance: random.Random, close: float) -> naive.Outcome | None:
    """A random game, compared after every move; some positions are compared closely."""
    fields = naive_rules_of(rules)
    game = Game(rules)
    ours = naive.NaiveGame(fields)
    # A third of the games prefer new pieces and moves that end nothing, so that boards fill up.
    patient = chance.random() < 0.3
    while True:
        moves = compare(rules, ours.state, game.position)
        if chance.random() < close:
            compare_closely(rules, ours.state, game.position)
        assert game.repetitions == ours.repetitions
        if not moves or 0 < rules.repetition <= ours.repetitions or game.ply == LONGEST:
            end = ours.outcome()
            assert as_pair(game.outcome) == as_pair(end)
            assert (game.legal_moves() == ()) == (end is not None)
            return end
        assert game.outcome is None
        move = chance.choice(moves)
        if patient:
            few = chance.choices(moves, k=4)
            few.sort(key=lambda text: text[0] > "4")
            move = next((text for text in few if not game.position.play(text).outcome()), move)
        if chance.random() < 0.1:
            loses = naive.loses_by_reveal(fields, ours.state, move)
            assert game.position.is_losing_reveal(move) == loses
        game.play(move)
        ours.state = naive.apply(fields, ours.state, move)
        ours.history.append(ours.text)


EXPECTED_REASONS = {
    "tictactoe": {"line", "board-full"},
    "gobblers": {"line", "reveal"},
    "gobblers-official": {"line", "reveal", "all-placed"},
    "gobblet": {"line", "reveal"},
    "gobblet-house": {"line", "reveal", "board-full"},
}
"""Endings that must occur among the games, or the comparison is incomplete."""


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_random_games(name: str) -> None:
    chance = random.Random(f"games of {name}")
    ends = [play_one_game(load_rules(name), chance, close=0.01) for _ in range(GAMES[name])]
    assert {end.reason for end in ends if end} >= EXPECTED_REASONS[name]


@pytest.mark.full
@pytest.mark.parametrize("name", FIVE_NAMES)
def test_many_random_games(name: str) -> None:
    chance = random.Random(f"many games of {name}")
    for _ in range(FULL_GAMES):
        play_one_game(load_rules(name), chance, close=0.01)


def test_a_repetition_ends_the_game_for_both() -> None:
    """Random games hardly ever repeat; two players who only step to and fro do."""
    for name in ("gobblers", "gobblet"):
        rules = load_rules(name)
        chance = random.Random(f"shuffling in {name}")
        last = rules.square_names[-1]
        for _ in range(20):
            game = Game(rules)
            ours = naive.NaiveGame(naive_rules_of(rules))
            opening = [f"{rules.sizes}a1", f"{rules.sizes}{last}"]
            corner = {"a1", "a2", "b1", "b2"}
            while ours.outcome() is None:
                moving = [move for move in ours.legal_moves() if move[0] > "4"]
                steps = [move for move in moving if (move[:2] in corner) == (move[2:] in corner)]
                move = opening.pop(0) if opening else chance.choice(steps)
                game.play(move)
                ours.play(move)
                assert game.repetitions == ours.repetitions
                assert as_pair(game.outcome) == as_pair(ours.outcome())
            assert as_pair(game.outcome) == (None, "repetition")


def check_custom_sets(folder: Path, chance: random.Random, count: int) -> set[str]:
    reasons = set()
    for _ in range(count):
        rules = random_rules(folder, chance)
        for _ in range(3):
            if end_of_game := play_one_game(rules, chance, close=0.1):
                reasons.add(end_of_game.reason)
        for _ in range(3):
            position = random_position(rules, chance)
            check_position(rules, position)
            if end := position.outcome():
                reasons.add(end.reason)
    return reasons


ALL_ENDS = {"line", "reveal", "both-lines", "no-move", "repetition", "all-placed", "board-full"}


def test_generated_rule_sets(tmp_path: Path) -> None:
    chance = random.Random("custom rule sets")
    # A full board without a line is too rare here; two of the five sets have it.
    assert check_custom_sets(tmp_path, chance, CUSTOM_SETS) >= ALL_ENDS - {"board-full"}


@pytest.mark.full
def test_many_generated_rule_sets(tmp_path: Path) -> None:
    chance = random.Random("many custom rule sets")
    assert check_custom_sets(tmp_path, chance, FULL_CUSTOM_SETS) >= ALL_ENDS


def check_position(rules: RuleSet, position: Position) -> None:
    fields = naive_rules_of(rules)
    state = naive.parse(fields, str(position))
    compare(rules, state, position)
    compare_closely(rules, state, position)
    compare_refusals(rules, position)
    images = [str(image) for image in position.symmetries()]
    assert images[0] == str(position)
    assert sorted(images) == sorted(naive.symmetries(fields, str(position)))


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_positions_out_of_the_blue(name: str) -> None:
    """Pieces dropped at random: positions that no game reaches, many of them finished."""
    rules = load_rules(name)
    chance = random.Random(f"positions of {name}")
    ends = set()
    for _ in range(40):
        position = random_position(rules, chance)
        check_position(rules, position)
        ends.add(as_pair(position.outcome()))
    assert None in ends
    assert len(ends) > 2


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_positions_of_the_middle_game(name: str) -> None:
    rules = load_rules(name)
    chance = random.Random(f"middle games of {name}")
    for _ in range(25):
        check_position(rules, walked_position(rules, chance, chance.randint(2, 24)))
