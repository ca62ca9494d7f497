"""Values that are not text, moves or sides at all are refused with a sentence of ours too."""

from collections.abc import Callable
from typing import Any

import pytest

from nestline import Game, Move, NestlineError, Position, Side, load_rules, read_record
from support.helpers import after, snapshot

NONSENSE: list[Any] = [None, 5, 2.5, True, [], ["3b2"], {}, b"3b2", object, Position]


@pytest.mark.parametrize("value", NONSENSE, ids=repr)
def test_games_refuse_nonsense_and_stay_as_they_were(value: Any) -> None:
    game = after("4a1 4b1", "gobblet")
    before = snapshot(game)
    for act in (game.play, game.touch, lambda value: game.peek(Side.FIRST, value)):
        with pytest.raises(NestlineError) as caught:
            act(value)
        assert len(str(caught.value).splitlines()) == 1
        assert snapshot(game) == before
    if value not in (True, None):  # a side's number, and nobody in particular
        for act in (game.resign, game.offer_draw, lambda value: game.play("a1a2", by=value)):
            with pytest.raises(NestlineError, match="is not a side"):
                act(value)
            assert snapshot(game) == before


def test_what_the_sentences_say() -> None:
    for act, sentence in (
        (lambda: Game().play(None), "None is not a move; moves are written like 3c3 or a1c3"),
        (lambda: Position.start().play(7), "7 is not a move; moves are written like 3c3 or a1c3"),
        (lambda: Move(None), "None is not a move like 3b2 or a1c3"),
        (lambda: Position(None), "None is not a position; it takes a board and w or b for the "
         "player to move, like x3/x3/x3 w"),
        (lambda: Position.start().stack(None), "None is not a square; squares are written like b2"),
        (lambda: load_rules(3), "3 is not a rule set; it takes a name, the path of a .toml file, "
         "or one that has been loaded"),
        (lambda: Game(start="start"), "a game starts from a Position, not from 'start'"),
        (lambda: Game(seats=3), "a game has two seats, not 3"),
        (lambda: Game(ply_limit="9"), "a limit on plies is a whole number of at least 1, not '9'"),
        (lambda: read_record(None), "None is not the text of a record"),
    ):  # fmt: skip
        refused: Callable[[], object] = act
        with pytest.raises(NestlineError) as caught:
            refused()
        assert str(caught.value) == sentence
