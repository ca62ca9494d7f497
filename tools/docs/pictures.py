"""Draw the boards in the documentation: `make pictures`."""

from pathlib import Path
from typing import NamedTuple

from nestline import Game, Position
from nestline.draw import svg

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
SECONDS_A_MOVE, SECONDS_AT_THE_END = 1.2, 3.0
WIDTH = 240


def animation(rules: str, moves: str) -> str:
    """A game as one picture that moves by itself; the end alone, where motion is unwelcome."""
    game = Game(rules, visibility="open")
    frames = [svg(game.position, size=WIDTH)]
    for move in moves.split():
        game.play(move)
        frames.append(svg(game.position, last_move=game.last_move, size=WIDTH))
    total = SECONDS_A_MOVE * (len(frames) - 1) + SECONDS_AT_THE_END
    head = frames[0].split(">", 1)[0].partition(" role=")[0]
    style = [
        "@media(prefers-reduced-motion:no-preference){",
        f".frame{{visibility:hidden;animation-duration:{total:g}s;animation-iteration-count:infinite;"
        "animation-timing-function:step-end}",
    ]
    for number in range(len(frames)):
        shown = 100 * SECONDS_A_MOVE * number / total
        hidden = 100 * SECONDS_A_MOVE * (number + 1) / total if number + 1 < len(frames) else 100
        style.append(
            f"@keyframes f{number}{{0%{{visibility:{'visible' if number == 0 else 'hidden'}}}"
            f"{shown:.2f}%{{visibility:visible}}{hidden:.2f}%{{visibility:hidden}}}}"
            f"#f{number}{{animation-name:f{number}}}"
        )
    inner = "".join(
        f'<g class="frame" id="f{number}">{frame}</g>' for number, frame in enumerate(frames)
    )
    return f"{head}><style>{''.join(style)}}}</style>{inner}</svg>\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "play.svg").write_text(animation(*GAME), "utf-8")
    for name, (rules, text, last_move, targets) in PICTURES.items():
        picture = svg(Position(text, rules=rules), last_move=last_move, targets=targets, size=400)
        (FOLDER / f"{name}.svg").write_text(picture, "utf-8")


if __name__ == "__main__":
    main()
