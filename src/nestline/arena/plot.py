"""Ratings with their error bars as an SVG picture, one row per player.

Text uses the reader's own sans-serif font: names may be in any script.
"""

from xml.sax.saxutils import escape

from nestline.arena.results import Results
from nestline.draw.shapes import box, circle, number

ROW, TOP, BOTTOM, MARGIN = 34.0, 62.0, 46.0, 24.0
SCALE_WIDTH, LETTER = 460.0, 7.6
INK, FAINT, GRID, MARK, PAPER = "#2b211b", "#6b5f55", "#e4ddd3", "#a4432f", "#fffdf8"
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_LINES = 9
LONGEST_NAME = 40


def ratings_plot(results: Results) -> str:
    """The picture as the text of an SVG file."""
    ratings, names = results.ratings, results.ranking
    lows = [ratings.points[name] - ratings.errors[name] for name in names]
    highs = [ratings.points[name] + ratings.errors[name] for name in names]
    low, high, step = _scale(min(lows), max(highs))
    shown = [_shortened(name) for name in names]
    left = MARGIN + LETTER * max(map(len, shown)) + 16
    width = left + SCALE_WIDTH + 130
    height = TOP + ROW * len(names) + BOTTOM

    def across(elo: float) -> float:
        return left + (elo - low) / (high - low) * SCALE_WIDTH

    rules = results.tournament.rules
    title = f"{rules.title}: ratings with 95 % intervals, {len(results.games)} games"
    parts = [box(0, 0, width, height, 0, f'fill="{PAPER}"'), _text(title, MARGIN, 34, INK, 16)]
    bottom = TOP + ROW * len(names)
    for count in range(round((high - low) / step) + 1):
        elo = low + count * step
        x = number(across(elo))
        parts.append(f'<path d="M{x} {number(TOP - 8)}V{number(bottom + 4)}" stroke="{GRID}"/>')
        parts.append(_text(f"{elo:g}", across(elo), bottom + 22, FAINT, 12, "middle"))
    for row, (name, label) in enumerate(zip(names, shown, strict=True)):
        y = TOP + ROW * (row + 0.5)
        parts.append(_text(label, left - 14, y + 5, INK, 14, "end"))
        ends = number(across(lows[row])), number(across(highs[row]))
        parts.append(
            f'<path d="M{ends[0]} {number(y)}H{ends[1]}'
            f'M{ends[0]} {number(y - 5)}v10M{ends[1]} {number(y - 5)}v10" '
            f'fill="none" stroke="{MARK}" stroke-width="2"/>'
        )
        parts.append(circle(5, f'fill="{MARK}"', across(ratings.points[name]), y))
        figure = f"{ratings.points[name]:+.0f} ± {ratings.errors[name]:.0f}"
        parts.append(_text(figure, left + SCALE_WIDTH + 18, y + 5, FAINT, 13))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" '
        f'height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}" '
        f'font-family="sans-serif" role="img"><title>{escape(title)}</title>{"".join(parts)}'
        "</svg>\n"
    )


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Round ends for the axis, and the spacing of its grid lines."""
    step = next((step for step in STEPS if high - low <= MOST_LINES * step), STEPS[-1])
    first, last = low // step * step, -(-high // step) * step
    return first, max(last, first + step), step


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _text(text: str, x: float, y: float, colour: str, size: int, anchor: str = "start") -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" fill="{colour}" font-size="{size}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )
