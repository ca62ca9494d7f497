"""Draw how alpha-beta search leaves out answers that no longer matter: `make pictures`.

The tree is that of a real search, in miniature: of the answers to a move that has turned out worse
than another one, only the first is looked at.
"""

from pathlib import Path
from typing import NamedTuple

from nestline import Move, Position, Side
from nestline.draw import svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

RULES, OPENING = "tictactoe", ("a1", "c3", "c1", "b1", "b2", "a3")
"""X is to move and must stop the line of O's in the last row."""
BEST_BEFORE = "b3"
"""The best move of the last, shallower search, which the transposition table remembers."""

BOARD, GAP, ROW, TOP = 92, 26, 176, 6
WORDS = {-1: "lost", 0: "draw", 1: "won"}
STYLE = (
    "text{font:500 12px system-ui,sans-serif;fill:#6b5f55;text-anchor:middle}"
    "@media(prefers-color-scheme:dark){text{fill:#c9bfb4}}"
    ".edge{fill:none;stroke:#b9aca0;stroke-width:2}.best-word{fill:#23956f}"
    ".edge.best{stroke:#23956f;stroke-width:4}.edge.cut{stroke-dasharray:4 5}"
    ".edge.bar{stroke:#c2543d;stroke-width:4}"
    ".unseen{fill:none;stroke:#b9aca0;stroke-width:2;stroke-dasharray:4 5}"
)


class Node(NamedTuple):
    """A position of the tree, its value for X, and its moves with what was found, None if unseen."""

    position: Position
    value: int
    moves: "list[tuple[Move, Node | None]]"


def search(position: Position, alpha: int, beta: int, killers: dict[int, Move], depth: int) -> Node:
    """Alpha-beta search to the end of the game; values are those for the player to move."""
    outcome = position.outcome()
    if outcome:
        winner = outcome.winner
        return Node(position, 0 if winner is None else 1 if winner == position.turn else -1, [])
    first = killers.get(depth)
    best = -2
    found: list[tuple[Move, Node | None]] = []
    for move in sorted(position.legal_moves(), key=lambda move: (move != first, str(move))):
        if best >= beta:
            found.append((move, None))
            continue
        node = search(position.play(move), -beta, -max(alpha, best), killers, depth + 1)
        found.append((move, node))
        best = max(best, -node.value)
        if best >= beta:
            killers[depth] = move
    return Node(position, best, found)


def board(node: Node, x: float, y: float, word: str, style: str = "") -> str:
    picture = svg(node.position, size=BOARD, reserves=False, coordinates=False)
    middle = x + BOARD / 2
    return (
        f'<g transform="translate({x:g} {y:g})">{picture}</g>'
        f'<text class="{style}" x="{middle:g}" y="{y + BOARD + 18:g}">{word}</text>'
    )


def edge(start: float, end: float, y: float, move: Move, style: str) -> str:
    """From the word below a board to the board below it."""
    top, bottom = y + BOARD + 26, y + ROW - 4
    x = (start + end) / 2 + (16 if end >= start else -16)
    y = (top + bottom) / 2 + (4 if abs(end - start) < BOARD else -8)
    text = f'<text x="{x:g}" y="{y:g}">{str(move)[1:]}</text>'
    return f'<path class="edge {style}" d="M{start:g} {top:g}L{end:g} {bottom:g}"/>{text}'


def draw(root: Node) -> str:
    slot = BOARD + GAP
    width = slot * sum(len(node.moves) for _, node in root.moves if node) - GAP
    parts = [board(root, (width - BOARD) / 2, TOP, "X to move: draw", "best-word")]
    x = 0.0
    for move, node in root.moves:
        assert node is not None
        is_best = -node.value == root.value and move == root.moves[0][0]
        middle = x + (len(node.moves) * slot - GAP) / 2
        parts.append(edge(width / 2, middle, TOP, move, "best" if is_best else ""))
        word = WORDS[-node.value] + ("" if is_best else ": worse")
        style = "best-word" if is_best else ""
        parts.append(board(node, middle - BOARD / 2, TOP + ROW, word, style))
        for number, (answer, after) in enumerate(node.moves):
            centre = x + BOARD / 2
            style = "cut" if after is None else "best" if is_best and number == 0 else ""
            parts.append(edge(middle, centre, TOP + ROW, answer, style))
            y = TOP + 2 * ROW
            if after is None:
                box = f'x="{x:g}" y="{y}" width="{BOARD}" height="{BOARD}"'
                parts.append(f'<rect class="unseen" {box} rx="8"/>')
                parts.append(f'<text x="{centre:g}" y="{y + BOARD / 2 + 5:g}">not searched</text>')
                across, level = middle + (centre - middle) / 4, TOP + ROW + BOARD + 40
                parts.append(f'<path class="edge bar" d="M{across - 9:g} {level}h18"/>')
            else:
                parts.append(board(after, x, y, WORDS[after.value]))
            x += slot
    height = TOP + 2 * ROW + BOARD + 26
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        'role="img"><title>A search tree: after one move is known to draw, a single answer that '
        f"wins is enough to drop another move</title><style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


def main() -> None:
    position = Position.start(RULES)
    for move in OPENING:
        position = position.play(move)
    assert position.turn == Side.FIRST
    first = next(move for move in position.legal_moves() if str(move)[1:] == BEST_BEFORE)
    root = search(position, -1, 1, {0: first}, 0)
    (FOLDER / "search.svg").write_text(draw(root), "utf-8")


if __name__ == "__main__":
    main()
