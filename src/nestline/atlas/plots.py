"""The plots of an atlas as SVG: heat maps of stock against rules, and the longest wins.

Text uses the reader's own sans-serif font.
"""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from nestline.atlas.table import Row
from nestline.draw.shapes import box, number

INK, FAINT, PAPER = "#2b211b", "#6b5f55", "#fffdf8"
MISSING, DRAW = "#efe8de", "#d9cfc2"
WIN, LOSS = (164, 67, 47), (31, 122, 140)
"""The colours of the player who begins and of the other, darker for a faster win."""
CELL_WIDTH, CELL_HEIGHT, LETTER, TOP, MARGIN = 74.0, 26.0, 7.0, 92.0, 20.0
FASTEST, SLOWEST = 5, 25
"""The distances with the darkest and the lightest colour."""
BAR, LONGEST_BARS = 380.0, 20


def stock_text(row: Row) -> str:
    """A stock like 2-2-2, the smallest size first."""
    return "-".join(map(str, row.game.fields()["stock"]))


def heat_map(title: str, columns: Sequence[str], cells: dict[tuple[str, str], Row]) -> str:
    """The results of games by stock and by a rule; `cells` has a game for (stock, column)."""
    stocks = sorted({stock for stock, _ in cells}, key=lambda text: (sum(_counts(text)), text))
    left = MARGIN + LETTER * max([len("stock"), *map(len, stocks)]) + 14
    width = left + CELL_WIDTH * len(columns) + MARGIN
    width = max(width, MARGIN * 2 + LETTER * 1.2 * len(title))
    height = TOP + CELL_HEIGHT * len(stocks) + 44
    parts = [_text(title, MARGIN, 30, INK, 15), _text("stock", MARGIN, TOP - 10, FAINT, 12)]
    for place, column in enumerate(columns):
        x = left + CELL_WIDTH * (place + 0.5)
        for line, word in enumerate(column.split("\n")):
            parts.append(_text(word, x, TOP - 38 + 14 * line, FAINT, 12, "middle"))
    for row_number, stock in enumerate(stocks):
        y = TOP + CELL_HEIGHT * row_number
        parts.append(_text(stock, left - 12, y + 18, INK, 13, "end"))
        for place, column in enumerate(columns):
            x = left + CELL_WIDTH * place
            found = cells.get((stock, column))
            fill, ink, told = _shown(found)
            parts.append(box(x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2, 3, f'fill="{fill}"'))
            parts.append(_text(told, x + CELL_WIDTH / 2, y + 18, ink, 13, "middle"))
    legend = "red: who begins wins, in so many plies · blue: the other one wins · =: a draw"
    parts.append(_text(legend, MARGIN, height - 16, FAINT, 12))
    width = max(width, MARGIN * 2 + LETTER * 0.95 * len(legend))
    return _picture(title, width, height, parts)


def longest_wins(title: str, rows: Sequence[Row], labels: Sequence[str]) -> str:
    """The games with the longest wins as bars."""
    left = MARGIN + LETTER * max(map(len, labels)) + 14
    width, height = left + BAR + 60, 56 + CELL_HEIGHT * len(rows) + MARGIN
    most = max(row.longest_win for row in rows)
    parts = [_text(title, MARGIN, 30, INK, 15)]
    for place, (row, label) in enumerate(zip(rows, labels, strict=True)):
        y = 46 + CELL_HEIGHT * place
        length = BAR * row.longest_win / most
        parts.append(_text(label, left - 12, y + 18, INK, 13, "end"))
        fill = f'fill="{_mixed(WIN, 0.75)}"'
        parts.append(box(left, y + 4, length, CELL_HEIGHT - 8, 3, fill))
        parts.append(_text(str(row.longest_win), left + length + 8, y + 18, FAINT, 13))
    return _picture(title, width, height, parts)


def _counts(stock: str) -> list[int]:
    return [int(count) for count in stock.split("-")]


def _shown(row: Row | None) -> tuple[str, str, str]:
    """The colours of a cell and of its text, and the text."""
    if row is None:
        return MISSING, FAINT, ""
    if row.distance is None:
        return DRAW, INK, "="
    slow = (row.distance - FASTEST) / (SLOWEST - FASTEST)
    share = 1.0 - 0.7 * min(1.0, max(0.0, slow))
    colour = _mixed(WIN if row.value == "win" else LOSS, share)
    return colour, "#ffffff" if share > 0.6 else INK, str(row.distance)


def _mixed(colour: tuple[int, int, int], share: float) -> str:
    """A colour mixed with white."""
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in colour)


def _picture(title: str, width: float, height: float, parts: list[str]) -> str:
    paper = box(0, 0, width, height, 0, f'fill="{PAPER}"')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" '
        f'height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}" '
        f'font-family="sans-serif" role="img"><title>{escape(title)}</title>'
        f"{paper}{''.join(parts)}</svg>\n"
    )


def _text(text: str, x: float, y: float, colour: str, size: int, anchor: str = "start") -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" fill="{colour}" font-size="{size}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )
