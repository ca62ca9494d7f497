"""Draw the pictures of the documentation: `make pictures`."""

from pathlib import Path

from nestline import Position
from nestline.draw import svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

PICTURES = {
    "game": ("gobblers-official", "b2,b3,w3/b1,b1w2,x/w1b2w3,x,w1 b", "2b2"),
    "gobblet": ("gobblet", "x2,w3,x/w3b4,w4,b3,x/x,b4,w2w4,x/w4,x,b3,b4 w", "a4d1"),
}
"""For each picture the rule set, the position, and the last move."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, (rules, text, last_move) in PICTURES.items():
        picture = svg(Position(text, rules=rules), last_move=last_move, size=400)
        (FOLDER / f"{name}.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
