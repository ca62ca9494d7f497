"""Draw how values spread backwards from the end of a game: `make pictures`."""

from pathlib import Path
from tempfile import TemporaryDirectory

from nestline import Position, tables
from nestline.draw import svg

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

RULES, OPENING = "tictactoe", ("a1", "b1", "a3", "a2")
"""The second player went wrong at once, so the rest is forced."""
BOARDS = 4
WIDTH, GAP, CAPTION = 120, 56, 34
STYLE = (
    "text{font:600 14px system-ui,sans-serif;fill:#6b5f55;text-anchor:middle}"
    "@media(prefers-color-scheme:dark){text{fill:#c9bfb4}}"
    ".arrow{fill:none;stroke:#a4432f;stroke-width:2;marker-end:url(#tip)}"
)


def forced_line(table: tables.Table) -> list[Position]:
    """Best play by both sides from the opening to the end."""
    position = Position.start(RULES)
    for move in OPENING:
        position = position.play(move)
    line = [position]
    while not line[-1].outcome():
        line.append(line[-1].play(table.moves(line[-1])[0].move))
    return line[-BOARDS:]


def draw(line: list[Position], captions: list[str]) -> str:
    width = len(line) * (WIDTH + GAP) - GAP
    parts = []
    for number, (position, caption) in enumerate(zip(line, captions, strict=True)):
        x = number * (WIDTH + GAP)
        picture = svg(position, size=WIDTH, reserves=False, coordinates=False)
        parts.append(f'<g transform="translate({x} 0)">{picture}</g>')
        parts.append(f'<text x="{x + WIDTH / 2:g}" y="{WIDTH + 24}">{caption}</text>')
        if number:
            parts.append(f'<path class="arrow" d="M{x - 8} {WIDTH / 2:g}H{x - GAP + 10}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {WIDTH + CAPTION}" '
        f'width="{width}" role="img"><title>Values spread backwards: {", ".join(captions)}</title>'
        f'<style>{STYLE}</style><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" '
        f'style="fill:#a4432f;stroke:none"/></marker></defs>{"".join(parts)}</svg>\n'
    )


def main() -> None:
    with TemporaryDirectory() as folder:
        tables.build(RULES, folder)
        with tables.open(RULES, folder) as table:
            line = forced_line(table)
            found = [table.probe(position) for position in line]
    words = {"win": "won", "loss": "lost"}
    captions = [f"{words[each.value]} in {each.distance}" for each in found]
    (FOLDER / "backwards.svg").write_text(draw(line, captions), "utf-8")


if __name__ == "__main__":
    main()
