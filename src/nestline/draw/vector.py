"""A board as a self-contained SVG picture: no scripts, no fonts, nothing to fetch.

The same arguments give the same bytes on every machine. `furniture` draws the board, `pieces` draws
the pieces, and `scene` decides which stacks and words there are.
"""

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from hashlib import sha256
from html import escape
from math import pi

from nestline.draw.furniture import (
    GOLD,
    SQUARE,
    SQUARE_CORNER,
    Layout,
    furniture_definitions,
    trays,
    wooden_board,
)
from nestline.draw.pieces import (
    piece_definition,
    piece_gradients,
    piece_name,
    piece_radius,
    ring,
)
from nestline.draw.scene import Scene, View, check_squares, make_scene, scene_in_words
from nestline.draw.shapes import ID, box, circle, frame, number
from nestline.errors import NestlineError
from nestline.position import Move, Piece, Position, Side

SMALLEST_PICTURE, LARGEST_PICTURE = 16, 8192  # pixels
GOLD_SHADE, GOLD_LIGHT, SILVER = "#8a5a00", "#fff2c4", "#efe6d6"
HINT, HINT_CASING = "#1b8163", "#f2fff6"


def svg(
    position: Position,
    *,
    view: View | None = None,
    size: int = 480,
    last_move: Move | str | None = None,
    targets: Iterable[Move | str] = (),
    flip: bool = False,
    covered: bool = True,
    coordinates: bool = True,
    reserves: bool = True,
) -> str:
    """The position as an SVG document.

    `size` is the width in pixels; the picture is square without `reserves` and taller with them.
    `view` replaces the stacks of the position with what a viewer may see of them; `covered=False`
    hides covered pieces altogether. `flip` turns the board for the second player. `targets` are the
    squares, or moves to them, to mark as possible. Completed lines are always marked.
    """
    check_size(size)
    scene = make_scene(position, view, last_move)
    if not covered:
        tops = {square: stack[-1:] for square, stack in scene.stacks.items()}
        scene = replace(scene, stacks=tops)
    squares = {target if isinstance(target, str) else target.target for target in targets}
    check_squares(squares, scene.rules)
    layout = Layout(scene.rules, flip, coordinates, reserves)
    title, description = scene_in_words(scene)
    body = "\n".join(
        [
            f'<title id="{ID}title">{as_xml(title)}</title>',
            f'<desc id="{ID}description">{as_xml(description)}</desc>',
            f"<defs>{definitions([scene], layout)}</defs>",
            wooden_board(layout),
            contents(scene, layout, squares),
        ]
    )
    # Two pictures on one page must not share ids, unless they are the same picture.
    prefix = f"nestline-{sha256(body.encode()).hexdigest()[:10]}-"
    height = round(size * layout.height / layout.width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{height}" '
        f'viewBox="0 0 {number(layout.width)} {number(layout.height)}" role="img" '
        f'aria-labelledby="{prefix}title {prefix}description">\n'
        f"{body.replace(ID, prefix)}\n</svg>\n"
    )


def check_size(size: int) -> None:
    """Refuse a width that no picture can have."""
    if not SMALLEST_PICTURE <= size <= LARGEST_PICTURE:
        raise NestlineError(
            f"a picture cannot be {size} pixels wide; "
            f"{SMALLEST_PICTURE} to {LARGEST_PICTURE} are allowed"
        )


def definitions(scenes: Sequence[Scene], layout: Layout) -> str:
    """What the contents of some scenes refer to."""
    rules = scenes[0].rules
    kinds = {stack[-1] for scene in scenes for stack in scene.stacks.values()}
    if layout.reserves:
        kinds |= {
            Piece(side, size)
            for scene in scenes
            for side in Side
            for size in scene.reserve_tops[side]
        }
    pieces = "".join(piece_definition(kind, rules) for kind in sorted(kinds))
    return furniture_definitions(layout) + piece_gradients(rules) + pieces


def contents(scene: Scene, layout: Layout, targets: AbstractSet[str] = frozenset()) -> str:
    """What lies on the wooden board."""
    return "\n".join(
        [
            _last_move(scene, layout),
            _lines(scene, layout),
            _targets(scene, layout, targets),
            _pieces(scene, layout),
            trays(layout, scene) if layout.reserves else "",
        ]
    )


def _last_move(scene: Scene, layout: Layout) -> str:
    """A dotted border where the piece came from, a full one where it went."""
    inset, stroke = 1.0, 4.5
    side, corner = SQUARE - 2 * inset, SQUARE_CORNER - inset
    around = 4 * (side - 2 * corner) + 2 * pi * corner - pi * stroke
    # Equally many dots on each of the four sides, about eleven units apart.
    gap = around / (4 * round(around / 44))
    dots = f'stroke-dasharray="0 {number(gap)}" stroke-linecap="round"'
    parts = []
    for square, style in ((scene.origin, dots), (scene.target, "")):
        if square:
            x, y = layout.corner(square)
            parts += [
                '<g class="last-move">',
                box(x, y, SQUARE, SQUARE, SQUARE_CORNER, f'fill="{GOLD}" fill-opacity=".3"'),
                frame(
                    x + inset, y + inset, side, side, corner, stroke,
                    f'stroke="{GOLD_LIGHT}" {style}',
                ),
                "</g>",
            ]  # fmt: skip
    return "".join(parts)


def _lines(scene: Scene, layout: Layout) -> str:
    """Chains behind the pieces, so that sizes and rings stay visible: gold for the winner's lines,
    pale for a line of the other player that came too late."""
    parts = []
    owners = {line: scene.stacks[line[0]][-1].side for line in scene.lines}
    for side in sorted(Side, key=lambda side: side == scene.winner):
        chains = [line for line in scene.lines if owners[line] == side]
        metal = GOLD if side == scene.winner else SILVER
        # All the dark edges first: where chains cross or overlap, they merge into one.
        strokes = [_chain(scene, layout, line, 1.5, GOLD_SHADE) for line in chains]
        strokes += [_chain(scene, layout, line, 0.0, metal) for line in chains]
        if strokes:
            parts.append(f'<g class="line" stroke-linecap="round">{"".join(strokes)}</g>')
    return "".join(parts)


def _chain(scene: Scene, layout: Layout, line: tuple[str, ...], edge: float, colour: str) -> str:
    (x1, y1), (x2, y2) = layout.centre(line[0]), layout.centre(line[-1])
    halos = [
        circle(
            piece_radius(scene.stacks[square][-1].size, scene.rules) + 5.5 + edge,
            f'fill="{colour}"',
            *layout.centre(square),
        )
        for square in line
    ]
    return (
        f'<path d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}" stroke="{colour}" '
        f'stroke-width="{number(20 + 2 * edge)}"/>{"".join(halos)}'
    )


def _targets(scene: Scene, layout: Layout, squares: AbstractSet[str]) -> str:
    """A dot on an empty square, a ring around a piece that can be gobbled."""
    parts = []
    for square in sorted(squares):
        x, y = layout.centre(square)
        if square in scene.stacks:
            radius = piece_radius(scene.stacks[square][-1].size, scene.rules) + 5
            casing, mark = (
                circle(radius, f'fill="none" stroke="{colour}" stroke-width="{width}"', x, y)
                for colour, width in ((HINT_CASING, 8), (HINT, 5))
            )
        else:
            casing = circle(11.5, f'fill="{HINT_CASING}"', x, y)
            mark = circle(10, f'fill="{HINT}"', x, y)
        parts.append(f'<g class="target">{casing}{mark}</g>')
    return "".join(parts)


def _pieces(scene: Scene, layout: Layout) -> str:
    parts = []
    for square, stack in scene.stacks.items():
        x, y = layout.centre(square)
        rings = "".join(ring(piece, scene.rules) for piece in reversed(stack[:-1]))
        parts.append(
            f'<g transform="translate({number(x)} {number(y)})">'
            f'<use href="#{piece_name(stack[-1])}"/>{rings}</g>'
        )
    return "".join(parts)


def as_xml(text: str) -> str:
    """Text for an XML element; characters that XML does not allow are replaced."""
    unknown = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    return escape(re.sub(unknown, "\N{REPLACEMENT CHARACTER}", text))
