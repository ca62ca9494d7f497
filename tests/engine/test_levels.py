"""The levels: they err as people do, never absurdly, and the same seed errs the same way."""

import random
import time
from pathlib import Path

import pytest

from nestline import Game, Move, Position, load_rules, rule_set_names
from nestline.engine.players import levels as players
from nestline.engine.players.ladders import CHILDREN, LADDERS, Level, level_for
from nestline.engine.players.level_names import (
    ALIASES,
    CHILD_LEVELS,
    HIGHEST,
    LEVEL_NAMES,
    MAXIMUM_SECONDS,
    child_levels,
    family_of,
    levels_of,
    numbered_levels,
)
from nestline.engine.players.levels import LevelPlayer, MaximumPlayer, make_player
from nestline.engine.search.engine import Limits
from nestline.rules import RuleSet
from nestline.system import cores
from support.helpers import custom_rules, random_positions

pytestmark = pytest.mark.usefixtures("unhurried_levels")

FORMER = [str(number) for number in range(1, 11)]
"""The levels of earlier versions, which every game had."""

LARGE = list(numbered_levels(load_rules("gobblet")))
EVERY = [
    (rules, level)
    for rules in rule_set_names()
    for level in (*child_levels(load_rules(rules)), *numbered_levels(load_rules(rules)))
]


@pytest.mark.parametrize("rules", rule_set_names())
def test_levels_by_their_old_names_are_known_and_grow(rules: str) -> None:
    """Old records and links name levels 1 to 10 of every game, and the aliases."""
    ladder = LADDERS[family_of(load_rules(rules))]
    assert set(FORMER) <= set(LEVEL_NAMES)
    steps = [ladder.index(level_for(name, load_rules(rules))) for name in FORMER]
    assert steps == sorted(steps)
    named = [
        ladder.index(level_for(name, load_rules(rules))) for name in ("easy", "medium", "hard")
    ]
    assert named == sorted(set(named))


def test_a_solved_game_ends_in_perfect_play_and_any_other_in_the_maximum() -> None:
    gobblers, gobblet = load_rules("gobblers"), load_rules("gobblet")
    assert levels_of(gobblers, is_solved=True)[-1] == "perfect"
    assert levels_of(gobblers, is_solved=False)[-1] == "maximum-20"
    assert levels_of(gobblet, is_solved=False) == (
        "random", *CHILD_LEVELS, *LARGE, *MAXIMUM_SECONDS
    )  # fmt: skip
    assert levels_of(load_rules("tictactoe"), is_solved=True)[1:-1] == ("1", "2", "3")


def test_the_maximum_thinks_by_the_clock_with_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(players.MAXIMUM_SECONDS, "maximum", 0.3)
    player = make_player("maximum", seed=1)
    assert isinstance(player, MaximumPlayer)
    game = Game("gobblet")
    engine = player.engine_for(game)
    assert engine.threads == cores()
    engine.think(game, Limits(depth=1))  # Loads the compiled search.
    began = time.perf_counter()
    assert player.choose(game) in game.legal_moves()
    assert 0.25 < time.perf_counter() - began < 5


def test_no_numbered_level_thinks_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """These nodes would take the better part of a minute."""
    monkeypatch.setattr(players, "MOST_SECONDS", 0.2)
    player, game = LevelPlayer(Level(nodes=200_000_000), seed=1), Game("gobblet")
    LevelPlayer(Level(nodes=100), seed=1).choose(game)  # Loads the compiled search.
    began = time.perf_counter()
    assert player.choose(game) in game.legal_moves()
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(("rules", "level"), EVERY)
def test_every_level_plays_whole_games_of_every_rule_set(rules: str, level: str) -> None:
    number = 0 if level in CHILD_LEVELS else int(level)
    plies = 60 if number < 8 else 8 if number < 12 else 2
    game = Game(rules, ply_limit=plies)
    players = [make_player(level, seed) for seed in (1, 2)]
    while not game.outcome:
        game.play(players[game.turn].choose(game), by=game.turn)


@pytest.mark.parametrize("level", LARGE[2:])
def test_from_level_three_on_a_win_in_one_is_taken(level: str) -> None:
    player = make_player(level, seed=4)
    taken = 0
    for rules in ("gobblers", "gobblet", "gobblet-house", "tictactoe"):
        for position in random_positions(rules, 60, seed=11):
            wins = winning_moves(position)
            if wins:
                assert player.choose(Game(start=position)) in wins
                taken += 1
    assert taken > 20


def winning_moves(position: Position) -> list[Move]:
    return [
        move
        for move in position.legal_moves()
        if (end := position.play(move).outcome()) and end.winner == position.turn
    ]


@pytest.mark.parametrize("level", LARGE[:8])
def test_the_same_seed_plays_the_same_moves(level: str) -> None:
    games = set()
    for _ in range(2):
        game = Game("gobblet", ply_limit=8)
        player = make_player(level, seed=7)
        while not game.outcome:
            game.play(player.choose(game))
        games.add(game.moves)
    assert len(games) == 1


@pytest.mark.parametrize("level", ["1", "2"])
def test_other_seeds_play_other_moves(level: str) -> None:
    game = Game("gobblet")
    for move in ("4a1", "4b2", "4c3", "4d1"):
        game.play(move)
    assert len({make_player(level, seed).choose(game) for seed in range(20)}) > 1


def test_weak_levels_forget_covered_pieces_and_strong_ones_do_not() -> None:
    """P2's line lies under the 3 on a1; a player who has forgotten it lifts that piece."""
    position = Position("x,w2,x/x,b3,x/b1w3,b1,b2 w", rules="gobblers")
    revealing = {Move("a1a2"), Move("a1a3"), Move("a1b3"), Move("a1c2"), Move("a1c3")}
    lifted = {
        level: sum(
            LevelPlayer(level, seed).choose(Game(start=position)) in revealing for seed in range(40)
        )
        for level in ("1", "2", "3", "7")
    }
    assert lifted["7"] == 0
    assert lifted["1"] + lifted["2"] + lifted["3"] > 0


def test_weak_levels_overlook_what_the_opponent_answers_and_strong_ones_do_not() -> None:
    """Moves after which the opponent wins at once, where there are others."""
    overlooked = dict.fromkeys(("1", "4", "6", "7"), 0)
    players = {level: make_player(level, seed=1) for level in overlooked}
    for position in random_positions("gobblers", 150, seed=5):
        moves = position.legal_moves()
        losing = {move for move in moves if winning_moves(position.play(move))}
        if 0 < len(losing) < len(moves) and not winning_moves(position):
            for level, player in players.items():
                overlooked[level] += player.choose(Game(start=position)) in losing
    assert overlooked["1"] > 10
    assert overlooked["1"] > overlooked["4"] > overlooked["6"] > overlooked["7"] == 0


def test_a_small_child_beats_the_first_level() -> None:
    """The child sees its own win, and otherwise plays anything."""
    for rules in ("gobblers", "tictactoe", "gobblet", "gobblet-house"):
        won = 0.0
        first = levels_of(load_rules(rules), is_solved=True)[1]
        for seed in range(40):
            child, computer = random.Random(seed), make_player(first, seed)
            game = Game(rules, ply_limit=60)
            while not game.outcome:
                person = (game.ply + seed) % 2 == 0
                game.play(childs_move(game, child) if person else computer.choose(game))
            winner = game.outcome.winner
            won += 0.5 if winner is None else float((int(winner) + seed) % 2 == 0)
        assert won > 20, rules


def childs_move(game: Game, chance: random.Random) -> Move:
    wins = winning_moves(game.position)
    return chance.choice(wins or game.legal_moves())


def test_a_touched_piece_is_played_by_all() -> None:
    game = Game("gobblet")
    for move in ("4a1", "4b2", "4c3", "4d1"):
        game.play(move)
    game.touch("c3")
    for level in LARGE[:8]:
        assert make_player(level, seed=1).choose(game).origin == "c3"


def test_levels_do_not_disturb_the_game_they_look_at() -> None:
    game = Game("gobblet-house")
    chance = random.Random(3)
    for _ in range(6):
        game.play(chance.choice(game.legal_moves()))
    before = (game.position, game.moves, game.outcome)
    for level in LARGE[:8]:
        make_player(level, seed=1).choose(game)
    assert (game.position, game.moves, game.outcome) == before


def test_every_name_has_its_level() -> None:
    """The names are kept apart, so that asking for them does not load the compiler."""
    assert {family: len(ladder) for family, ladder in LADDERS.items()} == HIGHEST
    assert {len(children) for children in CHILDREN.values()} == {len(CHILD_LEVELS)}
    assert level_for("child-1", load_rules("gobblet")) == CHILDREN["large"][0]
    assert level_for("child-8", load_rules("gobblers")) == LADDERS["small"][0]
    for numbers in ALIASES.values():
        assert all(1 <= number <= HIGHEST[family] for family, number in numbers.items())


def test_where_new_pieces_land_decides_what_the_levels_do_on_large_boards(
    tmp_path: Path,
) -> None:
    def levels(rules: RuleSet) -> list[Level]:
        return [level_for(name, rules) for name in (*CHILD_LEVELS, *LARGE)]

    gobblet, house = load_rules("gobblet"), load_rules("gobblet-house")
    below = len(CHILD_LEVELS) + 2
    assert not set(levels(gobblet)[:below]) & set(levels(house)[:below])
    assert numbered_levels(house)[-1] == "9"
    assert level_for("14", house) == level_for("9", house)  # as records of earlier versions say
    assert level_for("easy", house) == level_for("2", house)
    for onto, same in (("smaller", house), ("threat", gobblet), ("empty", gobblet)):
        assert levels(custom_rules(tmp_path, "gobblet", place_onto=onto)) == levels(same)
    # With one size no piece is smaller than another.
    one_size = custom_rules(tmp_path, "gobblet-house", stock=[8])
    assert levels(one_size) == levels(gobblet)
    assert level_for("1", load_rules("gobblers")) == LADDERS["small"][0]
