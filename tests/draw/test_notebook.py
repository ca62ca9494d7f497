"""Positions and games are shown as pictures in notebooks."""

import subprocess
import sys
from xml.etree import ElementTree

from nestline import Position
from nestline.draw import svg
from support.helpers import after

SHOWN = "import nestline; print(nestline.{}()._repr_svg_()[:4])"


def described(picture: str | None) -> str:
    assert picture is not None
    root = ElementTree.fromstring(picture)
    return " ".join(element.text or "" for element in root if element.tag.endswith("desc"))


def test_positions_and_games_are_pictures() -> None:
    position = Position("x3/x,b1w3,x/w2,x2 b")
    assert position._repr_svg_() == svg(position, size=320)
    game = after("3b2 3a1")
    picture = game._repr_svg_()
    assert picture == svg(game.position, size=320, last_move="3a1")


def test_a_game_shows_what_a_spectator_may_see() -> None:
    hidden, open_game = (
        after("1a1 3a1", "gobblers-official", visibility=visibility)
        for visibility in ("peek", "open")
    )
    assert described(hidden._repr_svg_()) != described(open_game._repr_svg_())
    assert (
        hidden._repr_svg_()
        != open_game._repr_svg_()
        == svg(open_game.position, size=320, last_move="3a1")
    )


def test_nothing_else_has_to_be_imported() -> None:
    for name in ("Game", "Position.start"):
        run = subprocess.run(
            [sys.executable, "-c", SHOWN.format(name)], capture_output=True, text=True, check=True
        )
        assert run.stdout == "<svg\n"
