"""The strokes every SVG picture consists of: circles, boxes, gradients, and a few glyphs.

Nothing here knows what a board or a piece is.
"""

from math import cos, pi, sin

ID = "\0"
"""A placeholder before every id until the content, and with it the prefix of its ids, is known."""

# Strokes on a grid six wide and ten high, the origin top left. Pictures carry their own glyphs,
# because nobody knows which font a reader's machine would use.
GLYPHS = {
    "a": "M6 7a3 3 0 1 0-6 0a3 3 0 1 0 6 0M6 4V10",
    "b": "M0 0V10M0 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
    "c": "M5.4 5.2a3 3 0 1 0 0 3.6",
    "d": "M6 0V10M6 7a3 3 0 1 0-6 0a3 3 0 1 0 6 0",
    "0": "M3 0C5 0 6 2 6 5S5 10 3 10S0 8 0 5S1 0 3 0Z",
    "1": "M1.2 2.2L3.8 0V10",
    "2": "M.4 2.8a2.75 2.75 0 0 1 5.4 .2c0 1.8-1.5 2.9-2.9 4.3L.3 10H6",
    "3": "M.7 1.6A2.6 2.6 0 1 1 3 4.8H2.4H3A2.6 2.6 0 1 1 .4 8.2",
    "4": "M4.6 10V0L0 7H6.2",
    "5": "M5.5 0H1.3L.9 4.4C1.6 3.9 2.3 3.7 3 3.7A3.1 3.1 0 1 1 .2 8.4",
    "6": "M4.7 0C2 1.4 0 4 0 7a3 3 0 1 0 3-3C1.6 4 .5 4.8 0 6.3",
    "7": "M.2 0H6L2.2 10",
    "8": "M3 0a2.35 2.35 0 1 0 0 4.7a2.35 2.35 0 1 0 0-4.7Z"
    "M3 4.7a2.65 2.65 0 1 0 0 5.3a2.65 2.65 0 1 0 0-5.3Z",
    "9": "M1.3 10C4 8.6 6 6 6 3a3 3 0 1 0-3 3C4.4 6 5.5 5.2 6 3.7",
    "x": "M1 3.5L5 8M5 3.5L1 8",
}
GLYPH_WIDTH, GLYPH_HEIGHT, GLYPH_GAP = 6.0, 10.0, 2.6


def number(value: float) -> str:
    """A coordinate with at most two decimals: short, and the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def circle(radius: float, attributes: str, x: float = 0, y: float = 0) -> str:
    place = f'cx="{number(x)}" cy="{number(y)}" ' if x or y else ""
    return f'<circle {place}r="{number(radius)}" {attributes}/>'


def scallops(radius: float, attributes: str) -> str:
    """A circle around the origin with a wavy edge."""
    count = 2 * round(radius / 3.6) + 2
    valley = radius * 0.965 - 0.6
    points = [
        (valley * cos(2 * pi * step / count), valley * sin(2 * pi * step / count))
        for step in range(count)
    ]
    bulge = number(1.2 * valley * sin(pi / count))
    arcs = "".join(
        f"A{bulge} {bulge} 0 0 1 {number(x)} {number(y)}" for x, y in points[1:] + points[:1]
    )
    start = f"M{number(points[0][0])} {number(points[0][1])}"
    return f'<path d="{start}{arcs}Z" {attributes} stroke-linejoin="round"/>'


def box(x: float, y: float, width: float, height: float, corner: float, attributes: str) -> str:
    """A rectangle with round corners."""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}" rx="{number(corner)}" {attributes}/>'
    )


def frame(
    x: float, y: float, width: float, height: float, corner: float, stroke: float, attributes: str
) -> str:
    """The outline of a box, drawn wholly inside it."""
    half = stroke / 2
    return box(
        x + half, y + half, width - stroke, height - stroke, corner - half,
        f'fill="none" stroke-width="{number(stroke)}" {attributes}',
    )  # fmt: skip


def gradient(
    name: str,
    start: tuple[float, float],
    end: tuple[float, float],
    *stops: tuple[float, str, float],
) -> str:
    """A linear gradient; each stop is an offset, a colour and an opacity."""
    (x1, y1), (x2, y2) = start, end
    return (
        f'<linearGradient id="{ID}{name}" x1="{number(x1)}" y1="{number(y1)}" '
        f'x2="{number(x2)}" y2="{number(y2)}">{gradient_stops(*stops)}</linearGradient>'
    )


def gradient_stops(*stops: tuple[float, str, float]) -> str:
    return "".join(
        f'<stop offset="{number(offset)}" stop-color="{colour}"'
        + (f' stop-opacity="{number(opacity)}"/>' if opacity < 1 else "/>")
        for offset, colour, opacity in stops
    )


def glyphs(text: str, x: float, y: float, height: float, colour: str) -> str:
    """The characters of `GLYPHS` as strokes, centred on a point."""
    scale = height / GLYPH_HEIGHT
    advance = GLYPH_WIDTH + GLYPH_GAP
    left = x - (advance * len(text) - GLYPH_GAP) * scale / 2
    strokes = "".join(
        f'<path transform="translate({number(index * advance)})" d="{GLYPHS[character]}"/>'
        for index, character in enumerate(text)
    )
    return (
        f'<g fill="none" stroke="{colour}" stroke-width="1.5" stroke-linecap="round" '
        f'stroke-linejoin="round" transform="translate({number(left)} {number(y - height / 2)}) '
        f'scale({number(scale)})">{strokes}</g>'
    )
