"""Draw the boards in the documentation: `make pictures`."""

from pathlib import Path
from typing import NamedTuple

from nestline import Position
from nestline.draw import animated_svg, svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


class Picture(NamedTuple):
    """A board with its last move, and the squares to mark as possible."""

    rules: str
    position: str
    last_move: str | None = None
    targets: tuple[str, ...] = ()


PICTURES = {
    "game": Picture("gobblers-official", "b2,b3,w3/b1,b1w2,x/w1b2w3,x,w1 b", "2b2"),
    "gobblet": Picture("gobblet", "x2,w3,x/w3b4,w4,b3,x/x,b4,w2w4,x/w4,x,b3,b4 w", "a4d1"),
    "gobble": Picture("gobblers-official", "x3/x,w1b3,x/x3 w", "3b2"),
    "reveal": Picture(
        "gobblers-official", "x2,w2/w1,x2/b1w3,b2,b2 w", last_move="2c1", targets=("b1", "c1")
    ),
    "exception": Picture(
        "gobblet", "x4/x2,b4,x/x,b4,x2/w4,w3,w4,x b", last_move="3b1", targets=("b1", "d1")
    ),
}


GAME = ("gobblers-official", "3b2 3a1 2c3 2c1 3c1 2c2 2a3")
"""The rule set and the moves of the animation."""
WIDTH = 240


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    rules, moves = GAME
    moving = animated_svg(Position.start(rules), moves.split(), size=WIDTH)
    (FOLDER / "play.svg").write_text(moving, "utf-8")
    for name, (rules, text, last_move, targets) in PICTURES.items():
        picture = svg(Position(text, rules=rules), last_move=last_move, targets=targets, size=400)
        (FOLDER / f"{name}.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
