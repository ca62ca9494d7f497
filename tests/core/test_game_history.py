"""The history of a game: its moves and positions, what two games share, what is kept."""

import random
from itertools import takewhile

import pytest

from nestline.errors import GameError
from nestline.game import Game
from nestline.game.game import _State
from nestline.position import Position, Side
from support.helpers import after, at


def moves_in_common(one: Game, other: Game) -> int:
    pairs = zip(one.moves, other.moves, strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def wander(game: Game, chance: random.Random, steps: int) -> None:
    """Random moves, touches and steps back; the game goes on."""
    for _ in range(steps):
        moves = game.legal_moves()
        dice = chance.random()
        if dice < 0.3 and game.can_undo:
            game.undo(agreed=True)
        elif dice < 0.5 and not game.touched:
            origins = [move.origin for move in moves if move.origin]
            if origins:
                game.touch(chance.choice(origins))
        else:
            quiet = [move for move in moves if not game.position.play(move).outcome()]
            if quiet:
                game.play(chance.choice(quiet))


@pytest.mark.parametrize("seed", range(20))
def test_common_moves(seed: int) -> None:
    chance = random.Random(seed)
    one = Game("gobblet")
    wander(one, chance, chance.randint(0, 15))
    other = one.copy()
    assert one.common_moves(other) == one.ply
    for _ in range(6):
        wander(chance.choice((one, other)), chance, chance.randint(1, 4))
        assert one.common_moves(other) == other.common_moves(one) == moves_in_common(one, other)


def test_common_moves_of_games_that_part_at_once() -> None:
    one, other = after("3b2 3a1 2c1"), after("3b1 3a1 2c1")
    assert one.common_moves(other) == other.common_moves(one) == 0
    assert one.common_moves(after("3b2 3a1 1c1")) == 2
    assert one.common_moves(Game()) == Game().common_moves(one) == 0
    assert Game().common_moves(Game()) == 0


def test_moves_come_with_their_positions() -> None:
    game = after("4a1 4d4 4b1 4c4", "gobblet")
    game.touch("a1")
    whole = list(zip(game.moves, game.positions[1:], strict=True))
    assert game.moves_and_positions() == whole
    for first in range(6):
        assert game.moves_and_positions(first) == whole[first:]
        for end in range(6):
            assert game.moves_and_positions(first, end) == whole[first:end]


def test_what_is_kept() -> None:
    game = after("3b2 3a1 2c1")
    assert game.kept_states == 4
    game.undo()
    assert (game.kept_states, str(game.last_move)) == (4, "3a1")
    game.play("2c2")
    assert game.kept_states == 4
    assert Game().last_move is None
    resigned = after("3b2")
    resigned.resign(Side.SECOND)
    assert str(resigned.last_move) == "3b2"


def test_states_do_not_change() -> None:
    with pytest.raises(AttributeError):
        _State(Position.start("gobblers"), 0).ply = 1  # type: ignore[misc]


def test_a_touched_piece_is_the_only_one_to_play() -> None:
    game = at("w4,x3/x4/x4/x3,w3 w", "gobblet")
    game.touch("a4")
    assert {move.origin for move in game.legal_moves()} == {"a4"}
    assert len(game.legal_moves()) == 15


def test_playing_on_declines_the_offer_of_the_opponent_only() -> None:
    game = after("4a1", "gobblet")
    game.offer_draw(Side.SECOND)
    game.play("4d4")
    assert game.draw_offer == Side.SECOND, "one's own offer stays"
    game.play("4b1")
    assert game.draw_offer is None


def test_a_game_has_at_least_one_ply() -> None:
    game = Game(ply_limit=1)
    game.play("3b2")
    assert game.outcome is not None
    for limit in (0, -1, 1.5, "2"):
        with pytest.raises(GameError):
            Game(ply_limit=limit)  # type: ignore[arg-type]


def test_moves_that_lose_by_a_reveal_are_legal() -> None:
    game = at("b1w3,b2,b3/x3/w1,w2,x w")
    assert "a3c1" in map(str, game.legal_moves())
    assert "a3c1" not in map(str, game.legal_moves(surviving=True))
    assert "a3b3" in map(str, game.legal_moves(surviving=True))


def test_going_back_is_no_look_where_nothing_was_lifted_or_covered() -> None:
    game = after("3b2 3a1", visibility="memory")
    assert [game.secrecy_refusal(ply) for ply in range(3)] == [None] * 3
    game.play("b2c2")
    assert "lifted" in (game.secrecy_refusal(2) or "")
    covering = after("1b2 2b2", visibility="memory")
    assert "covered" in (covering.secrecy_refusal(0) or "")
    assert covering.secrecy_refusal(2) is None
    assert after("1b2 2b2").secrecy_refusal(0) is None
