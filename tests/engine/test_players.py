"""The computer's players: legal, reproducible, and as strong as their level promises."""

import random

import pytest

from nestline import Game, GameError, Move, Outcome, Position, Side, rule_set_names
from nestline.engine.players.level_names import LEVEL_NAMES, MAXIMUM_SECONDS
from nestline.engine.players.levels import make_player
from nestline.engine.players.player import EnginePlayer, RandomPlayer
from nestline.engine.search.engine import Engine, Limits

pytestmark = pytest.mark.usefixtures("unhurried_levels")

ALL_LEVELS = [
    level
    for level in LEVEL_NAMES
    if level not in ("13", "14", "15", "16", "perfect", *MAXIMUM_SECONDS)
]


def random_game(rules: str, plies: int, seed: int) -> Game:
    """An unfinished game after some random moves."""
    chance = random.Random(seed)
    while True:
        game = Game(rules)
        for _ in range(plies):
            if game.outcome:
                break
            game.play(chance.choice(game.legal_moves()))
        if not game.outcome:
            return game


def wins_within(position: Position, plies: int) -> bool:
    """Whether the player to move can force a win: every move tried, nothing memoized."""
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome:
            if outcome.winner == position.turn:
                return True
        elif plies > 2 and loses_within(after, plies - 1):
            return True
    return False


def loses_within(position: Position, plies: int) -> bool:
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome:
            if outcome.winner != position.turn.other:
                return False
        elif not wins_within(after, plies - 1):
            return False
    return True


@pytest.mark.parametrize("rules", rule_set_names())
@pytest.mark.parametrize("level", ["random", "easy", "medium"])
def test_players_finish_games_of_every_rule_set(rules: str, level: str) -> None:
    game = Game(rules, ply_limit=60)
    players = [make_player(level, seed) for seed in (1, 2)]
    while not game.outcome:
        game.play(players[game.turn].choose(game), by=game.turn)
    assert game.ply <= 60


@pytest.mark.parametrize("level", ["random", "easy", "medium"])
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    games = []
    for _ in range(2):
        game = Game("gobblers", ply_limit=12)
        player = make_player(level, seed=7)
        while not game.outcome:
            game.play(player.choose(game))
        games.append(game.moves)
    assert games[0] == games[1]


@pytest.mark.parametrize("side", list(Side))
def test_full_strength_never_loses_at_tictactoe(side: Side) -> None:
    """Every reply an opponent can make is tried."""
    player = EnginePlayer(Limits(depth=9), seed=3, tables=False)
    open_games: list[tuple[Move, ...]] = [()]
    seen = set()
    while open_games:
        moves = open_games.pop()
        game = Game("tictactoe")
        for move in moves:
            game.play(move)
        if game.position in seen:
            continue
        seen.add(game.position)
        if game.outcome:
            assert game.outcome.winner != side.other
        elif game.turn == side:
            open_games.append((*moves, player.choose(game)))
        else:
            open_games.extend((*moves, move) for move in game.legal_moves())
    assert len(seen) > 50


@pytest.mark.parametrize("level", ["medium", "hard"])
@pytest.mark.parametrize("seed", range(10))
def test_a_win_in_one_is_taken(level: str, seed: int) -> None:
    rules = ("gobblers", "gobblet-house")[seed % 2]
    while True:
        game = random_game(rules, 6, seed)
        if wins_within(game.position, 1):
            break
        seed += 100
    game.play(make_player(level, seed).choose(game))
    assert game.outcome is not None
    assert game.outcome.winner == game.turn.other


@pytest.mark.parametrize("seed", range(12))
def test_search_agrees_with_trying_everything_three_plies_deep(seed: int) -> None:
    """A search of depth 3 sees forced wins within 3 plies: all of them, and no others."""
    game = random_game("gobblers", 3 + seed % 4, seed)
    thought = Engine("gobblers", tables=False).think(game, Limits(depth=3))
    within = thought.plies_to_win
    assert (within is not None and within <= 3) == wins_within(game.position, 3)


WINS_IN_SEVEN = (
    "w3,x,b2/x2,w1b2/x,w3,x w",
    "x3/x2,w3/x,b2w3,b2 w",
    "x3/x,w2b3,x/b1w2,x2 b",
    "x3/x2,w1b2/w1,x,b2 w",
    "b2,w1b2,x/x,w1,x/x3 w",
    "w2,x2/b2,w1b3,x/x,w3,x w",
    "w1,x2/w3,x,b2/x,b3,x b",
    "x2,w2/x,b3,x/x2,w1b2w3 b",
)


@pytest.mark.parametrize("text", WINS_IN_SEVEN)
def test_a_forced_win_in_seven_plies_is_found_and_carried_out(text: str) -> None:
    game = Game(start=Position(text, rules="gobblers"))
    winner = game.turn
    engine = Engine("gobblers", seed=1, tables=False)
    assert engine.think(game, Limits(depth=7)).plies_to_win == 7
    chance = random.Random(0)
    while not game.outcome:
        plays = chance.choice(game.legal_moves())
        if game.turn == winner:
            plays = engine.think(game, Limits(depth=7)).move
        game.play(plays)
    assert game.outcome.winner == winner
    assert game.ply <= 7


def test_a_drawing_repetition_is_seen() -> None:
    """The third occurrence is a draw by the game's history, which the position does not show."""
    game = Game(start=Position("x3/x3/w3,b1,w3 w", rules="gobblers"))
    there_and_back = ("c1b2", "b1a3", "b2c1", "a3b1")
    for move in there_and_back + there_and_back[:3]:
        game.play(move)
    engine = Engine("gobblers", seed=1, tables=False)
    without_history = engine.think(Game(start=game.position), Limits(depth=6))
    assert without_history.score < 0
    thought = engine.think(game, Limits(depth=6))
    assert (str(thought.move), thought.score) == ("a3b1", 0)
    game.play(thought.move)
    assert game.outcome == Outcome(None, "repetition")


def test_a_touched_piece_is_played() -> None:
    game = Game("gobblet")
    for move in ("4a1", "4b2", "4c3", "4d1"):
        game.play(move)
    game.touch("c3")
    for level in ALL_LEVELS:
        assert make_player(level, seed=1).choose(game).origin == "c3"


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(GameError, match="no level 'godlike'; levels are random, child-1, "):
        make_player("godlike")


def test_a_finished_game_has_no_move_to_choose() -> None:
    game = Game("gobblers")
    game.resign(Side.FIRST)
    for player in (RandomPlayer(1), make_player("easy", 1)):
        with pytest.raises(GameError, match="P2 wins: P1 resigned"):
            player.choose(game)


def test_easy_is_weaker_than_hard() -> None:
    """On 4x4, because on 3x3 the first player wins against anybody if he finds the way."""
    wins = {Side.FIRST: 0, Side.SECOND: 0}
    for seed in range(6):
        game = Game("gobblet", ply_limit=100)
        hard_side = Side(seed % 2)
        players = {hard_side: make_player("hard", seed), hard_side.other: make_player("easy", seed)}
        while not game.outcome:
            game.play(players[game.turn].choose(game))
        if game.outcome.winner is not None:
            wins[Side(game.outcome.winner != hard_side)] += 1
    assert wins[Side.FIRST] >= 5
    assert wins[Side.SECOND] == 0
