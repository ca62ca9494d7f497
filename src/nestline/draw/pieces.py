"""What the pieces look like, and the rings that stand for covered ones.

A piece is a cup turned upside down, seen from above: a rim on the board, a sloping wall, and a flat
top that carries the size as pips. The players differ in colour and in shape, smooth or scalloped,
so that nobody has to tell two colours apart. Everything is drawn around the origin; `vector` and
`furniture` put it in its place.
"""

from math import cos, pi, sin

from nestline.draw.palette import DARK_INK, LIGHT_INK, contrast, luminance, mix
from nestline.draw.shapes import ID, circle, gradient, gradient_stops, number, scallops
from nestline.position import Piece, Side
from nestline.rules import RuleSet

SMALLEST, LARGEST = 17.0, 44.0  # radii of four sizes on a square of 100
SIZE_STEP = 2.5  # how much larger the smallest is for each missing size
ONLY_SIZE = 37.0  # the radius where there is only one size
SHADOW = "#1d0f05"
ALMOST_BLACK = 0.06  # a luminance below which shading has to lighten instead of darken
RING_INSET = 1.5  # a ring lies just inside the edge of the piece it stands for

# Where the pips of sizes 1 to 4 sit, in units of their own radius.
PIPS = (
    ((0.0, 0.0),),
    ((-1.6, 0.0), (1.6, 0.0)),
    ((0.0, -1.7), (-1.6, 1.05), (1.6, 1.05)),
    ((-1.5, -1.5), (1.5, -1.5), (-1.5, 1.5), (1.5, 1.5)),
)


def piece_radius(size: int, rules: RuleSet) -> float:
    if rules.sizes == 1:
        return ONLY_SIZE
    smallest = SMALLEST + (4 - rules.sizes) * SIZE_STEP
    return smallest + (LARGEST - smallest) * (size - 1) / (rules.sizes - 1)


def piece_gradients(rules: RuleSet) -> str:
    """The light on the pieces of both players, for the definitions of a picture."""
    shadow = gradient_stops((0.6, SHADOW, 0.7), (0.82, SHADOW, 0.24), (1, SHADOW, 0))
    parts = [f'<radialGradient id="{ID}shadow">{shadow}</radialGradient>']
    for side in Side:
        colour = rules.colours[side]
        light, shade = _light_and_shade(colour)
        for name, lit, dim in (
            ("rim", mix(colour, light, 0.34), mix(colour, shade, 0.3)),
            ("wall", mix(colour, light, 0.3), mix(colour, shade, 0.6)),
            ("face", mix(colour, light, 0.04), mix(colour, light, 0.2)),
        ):
            parts.append(
                gradient(f"{name}{side + 1}", (0.18, 0.1), (0.82, 0.9), (0, lit, 1), (1, dim, 1))
            )
    return "".join(parts)


def _light_and_shade(colour: str) -> tuple[str, str]:
    """The colour in full light and in full shade, with the same hue."""
    lit = mix(colour, "#c9c6d6", 0.7) if luminance(colour) < ALMOST_BLACK else "#ffffff"
    return mix(lit, colour, 0.12), mix(mix(colour, "#000000", 0.72), "#2a1030", 0.2)


def piece_name(piece: Piece) -> str:
    """The id of a kind of piece within a picture."""
    return f"{ID}piece{piece.side + 1}{piece.size}"


def piece_definition(piece: Piece, rules: RuleSet) -> str:
    """One kind of piece, to be used wherever it lies."""
    colour, outer = rules.colours[piece.side], piece_radius(piece.size, rules)
    light, shade = _light_and_shade(colour)
    edge = f'stroke="{mix(colour, shade, 0.75)}" stroke-width="1.2"'
    face = outer * 0.6
    parts = [
        circle(outer * 1.05 + 6, f'fill="url(#{ID}shadow)"', 2.5, 4.5),
        _outline(piece.side, outer, f'fill="url(#{ID}rim{piece.side + 1})" {edge}'),
        circle(outer * 0.9 - 0.6, f'fill="url(#{ID}wall{piece.side + 1})"'),
        circle(face, f'fill="url(#{ID}face{piece.side + 1})"'),
        _gleam(face - 0.5, light, 0.7),
        _gleam(outer * 0.95 - 0.6, light, 0.5),
        _mark(piece, rules),
    ]
    return f'<g id="{piece_name(piece)}">{"".join(parts)}</g>'


def ring(piece: Piece, rules: RuleSet) -> str:
    """A covered piece on the board, showing through the ones above it."""
    colour = rules.colours[piece.side]
    casing = LIGHT_INK if luminance(colour) < ALMOST_BLACK else mix(colour, DARK_INK, 0.8)
    radius = piece_radius(piece.size, rules) - RING_INSET
    return (
        '<g class="ring" fill="none">'
        + _outline(piece.side, radius, f'stroke="{casing}" stroke-width="5.8"')
        + _outline(piece.side, radius, f'stroke="{colour}" stroke-width="3.8"')
        + "</g>"
    )


def groove(piece: Piece, rules: RuleSet) -> str:
    """A piece inside a larger one in the reserve: same owner, so a fine line is enough."""
    colour = rules.colours[piece.side]
    radius = piece_radius(piece.size, rules) - RING_INSET
    ink = mix(colour, contrast(colour), 0.55)
    return _outline(piece.side, radius, f'fill="none" stroke="{ink}" stroke-width="1.8"')


def _outline(side: Side, radius: float, attributes: str) -> str:
    return (circle if side == Side.FIRST else scallops)(radius, attributes)


def _gleam(radius: float, colour: str, opacity: float) -> str:
    """A highlight on an edge, from the upper left."""
    (x1, y1), (x2, y2) = (
        (radius * cos(angle), radius * sin(angle)) for angle in (1.02 * pi, 1.5 * pi)
    )
    return (
        f'<path d="M{number(x1)} {number(y1)}A{number(radius)} {number(radius)} 0 0 1 '
        f'{number(x2)} {number(y2)}" fill="none" stroke="{colour}" '
        f'stroke-opacity="{number(opacity)}" stroke-width="1.5" stroke-linecap="round"/>'
    )


def _mark(piece: Piece, rules: RuleSet) -> str:
    """The size as pips; where there is only one size, a cross or a nought."""
    colour = rules.colours[piece.side]
    ink = mix(contrast(colour), colour, 0.08)
    if rules.sizes == 1:
        attributes = f'fill="none" stroke="{ink}" stroke-width="6.5" stroke-linecap="round"'
        if piece.side == Side.FIRST:
            return f'<path d="M-9.5-9.5L9.5 9.5M9.5-9.5L-9.5 9.5" {attributes}/>'
        return circle(10.5, attributes)
    # Small enough that the pips of the largest piece fit inside the ring of the smallest.
    size = 0.205 * piece_radius(1, rules)
    return "".join(
        circle(size, f'fill="{ink}"', x * size, y * size) for x, y in PIPS[piece.size - 1]
    )
