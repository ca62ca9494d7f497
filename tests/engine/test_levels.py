"""The levels: they err as people do, never absurdly, and the same seed errs the same way."""

import random

import pytest

from nestline import Game, Move, Position, rule_set_names
from nestline.engine.players.level_names import LEVEL_NAMES
from nestline.engine.players.levels import ALIASES, LEVELS, LevelPlayer, make_player
from support.helpers import random_positions

NUMBERED = list(LEVELS)


def test_there_are_ten_levels_and_the_old_names_are_among_them() -> None:
    assert [str(number) for number in range(1, 11)] == NUMBERED
    strengths = [NUMBERED.index(ALIASES[name]) for name in ("easy", "medium", "hard")]
    assert strengths == sorted(set(strengths))


@pytest.mark.parametrize("level", NUMBERED)
@pytest.mark.parametrize("rules", rule_set_names())
def test_every_level_plays_whole_games_of_every_rule_set(level: str, rules: str) -> None:
    plies = 60 if int(level) < 8 else 8
    game = Game(rules, ply_limit=plies)
    players = [make_player(level, seed) for seed in (1, 2)]
    while not game.outcome:
        game.play(players[game.turn].choose(game), by=game.turn)


@pytest.mark.parametrize("level", NUMBERED[2:])
def test_from_level_three_on_a_win_in_one_is_taken(level: str) -> None:
    player = make_player(level, seed=4)
    taken = 0
    for rules in ("gobblers", "gobblet", "gobblet-house"):
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


@pytest.mark.parametrize("level", NUMBERED[:8])
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
        for level in ("1", "2", "8", "10")
    }
    assert lifted["8"] == lifted["10"] == 0
    assert lifted["1"] + lifted["2"] > 0


def test_a_touched_piece_is_played_by_all() -> None:
    game = Game("gobblet")
    for move in ("4a1", "4b2", "4c3", "4d1"):
        game.play(move)
    game.touch("c3")
    for level in NUMBERED[:8]:
        assert make_player(level, seed=1).choose(game).origin == "c3"


def test_levels_do_not_disturb_the_game_they_look_at() -> None:
    game = Game("gobblet-house")
    chance = random.Random(3)
    for _ in range(6):
        game.play(chance.choice(game.legal_moves()))
    before = (game.position, game.moves, game.outcome)
    for level in NUMBERED[:8]:
        make_player(level, seed=1).choose(game)
    assert (game.position, game.moves, game.outcome) == before


def test_every_name_has_its_level() -> None:
    """The names are kept apart, so that asking for them does not load the compiler."""
    assert ("random", *LEVELS, "perfect") == LEVEL_NAMES
    assert set(ALIASES.values()) <= set(LEVELS)
