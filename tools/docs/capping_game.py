"""Draw how the bound of a proof works, by playing the capping game: `make pictures`.

The game is that of `engine/prove/bound.py` in its simplest form: caps stay where they are, and the
defender has no smaller pieces. His answers are found by solving it.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nestline import Position, load_rules
from nestline.draw import svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

RULES = load_rules("gobblet")
LINES = [frozenset(line) for line in RULES.line_squares]
Squares = frozenset[str]

POSITION = Position("x4/x2,b4,x/x4/w4,w4,x2 w", rules="gobblet")
ATTACK = ("b2", "b3", "a2", "a3")
"""What the attacker adds to the ledger, one square in each turn."""
SPARE = RULES.stock[-1]
"""The defender's largest pieces: the one on the board covers nothing. The last can only pass."""

BOARD, CELL, GAP = 152, 38, 30
STYLE = (
    "text{font:500 11px system-ui,sans-serif;fill:#6b5f55;text-anchor:middle}"
    "@media(prefers-color-scheme:dark){text{fill:#c9bfb4}}"
    ".cell{fill:#fffdf8;stroke:#b9aca0}.line{stroke:#a4432f;stroke-width:5;opacity:.35;"
    "stroke-linecap:round}.shown{fill:#a4432f}.new{fill:none;stroke:#a4432f;stroke-width:2.5}"
    ".cap{fill:#2b3a55}"
)


def gaps(ledger: Squares, live: frozenset[Squares]) -> set[str]:
    """The squares that alone are missing from a live line."""
    return {min(line - ledger) for line in live if len(line - ledger) == 1}


def answers(ledger: Squares, live: frozenset[Squares], spare: int) -> Iterator[str]:
    """What the defender may do: the square he caps, or nothing for a pass."""
    must = gaps(ledger, live)
    if not must:
        yield ""
    if len(must) <= 1 and spare > 1:
        yield from must or sorted({square for line in live for square in line - ledger})


@cache
def holds(ledger: Squares, live: frozenset[Squares], moves: int, spare: int) -> bool:
    """Whether the defender survives with the attacker to move, who has this many moves."""
    near = {line for line in live if len(line - ledger) <= moves}
    targets = {square for line in near for square in line - ledger}
    return all(answer(ledger | {each}, live, moves - 1, spare) is not None for each in targets)


@cache
def answer(ledger: Squares, live: frozenset[Squares], moves: int, spare: int) -> str | None:
    """The square that the defender caps, nothing for a pass, or None if he is lost."""
    if any(line <= ledger for line in live):
        return None
    for square in answers(ledger, live, spare):
        left = frozenset(line for line in live if square not in line)
        if holds(ledger, left, moves, spare - bool(square)):
            return square
    return None


def centre(square: str) -> tuple[float, float]:
    return (ord(square[0]) - ord("a") + 0.5) * CELL, (4 - int(square[1]) + 0.5) * CELL


def grid(ledger: Squares, caps: Squares, near: set[Squares], new: str) -> str:
    """The ledger as dots, caps as filled squares, and the lines within reach."""
    parts = []
    for square in RULES.square_names:
        x, y = centre(square)
        style = "cap" if square in caps else "cell"
        corner = f'x="{x - CELL / 2:g}" y="{y - CELL / 2:g}"'
        parts.append(f'<rect class="{style}" {corner} width="{CELL}" height="{CELL}"/>')
    for line in sorted(map(sorted, near)):
        (x, y), (to_x, to_y) = centre(line[0]), centre(line[-1])
        parts.append(f'<path class="line" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>')
    for square in sorted(ledger):
        x, y = centre(square)
        parts.append(f'<circle class="shown" cx="{x:g}" cy="{y:g}" r="7"/>')
        if square == new:
            parts.append(f'<circle class="new" cx="{x:g}" cy="{y:g}" r="12"/>')
    return "".join(parts)


def shown_by_the_attacker() -> Squares:
    tops = ((square, POSITION.top(square)) for square in RULES.square_names)
    return frozenset(square for square, top in tops if top and top.side == POSITION.turn)


def panels() -> Iterator[tuple[str, str, str]]:
    """Each picture with the two lines below it."""
    picture = svg(POSITION, size=BOARD, reserves=False, coordinates=False)
    moves, spare = len(ATTACK), SPARE
    yield picture, f"White has {moves} moves,", f"Black {spare} largest pieces"
    ledger, live = shown_by_the_attacker(), frozenset(LINES)
    caps: Squares = frozenset()
    assert holds(ledger, live, moves, spare)
    for new in ATTACK:
        ledger, moves = ledger | {new}, moves - 1
        square = answer(ledger, live, moves, spare)
        assert square is not None
        caps, spare = caps | ({square} if square else set()), spare - bool(square)
        live = frozenset(line for line in live if square not in line)
        near = {line for line in live if len(line - ledger) <= moves}
        reply = f"Black caps {square}" if square else "Black passes"
        yield grid(ledger, caps, near, new), f"White adds {new}", reply if near else "nothing in reach"
        if not near:
            return


def main() -> None:
    parts = []
    for number, (picture, above, below) in enumerate(panels()):
        x = number * (BOARD + GAP)
        middle = x + BOARD / 2
        parts.append(f'<g transform="translate({x} 1)">{picture}</g>')
        parts.append(f'<text x="{middle:g}" y="{BOARD + 22}">{above}</text>')
        parts.append(f'<text x="{middle:g}" y="{BOARD + 40}">{below}</text>')
    width = (BOARD + GAP) * (number + 1) - GAP
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 0 {width + 2} {BOARD + 48}" '
        f'width="{width}" role="img"><title>The capping game: each cap takes lines away, until '
        f"none is within reach</title><style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )
    (FOLDER / "capping.svg").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
