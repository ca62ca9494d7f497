"""The wooden board of an SVG picture: where everything goes, its squares, and the two trays.

It knows the layout of a picture, but puts no piece on a square; `vector` does.
"""

from dataclasses import dataclass
from math import cos, sin

from nestline.draw.pieces import groove, piece_name, piece_radius
from nestline.draw.scene import Scene, is_endless
from nestline.draw.shapes import ID, box, circle, frame, glyphs, gradient, number
from nestline.position import Piece, Side
from nestline.rules import RuleSet

# Lengths in the picture's own units.
SQUARE, PITCH = 100.0, 106.0  # a square, and from one square to the next
MARGIN, MARGIN_WITH_COORDINATES = 20.0, 34.0
CORNER, SQUARE_CORNER = 22.0, 12.0
TRAY_HEIGHT, TRAY_GAP = 78.0, 14.0  # high enough for a finger on a phone
TRAY_ENDS = 56.0  # kept free of pieces, for the round ends and the mark of the player to move
LARGEST_TRAY_SCALE = 0.7  # of pieces in a tray to those on the board
SLOT_GAP = 12.0  # between two places in a tray
MOST_SHOWN = 4  # more loose pieces of one size are drawn once, with their number
COUNT_GLYPH, COUNT_GAP = 26.0, 12.0  # a character of that number, and the space after it

# Walnut and linen: light and dark pieces, red and blue ones stand out from both.
WOOD_LIGHT, WOOD, WOOD_DARK = "#8a5f43", "#704a34", "#5a3928"
GRAIN, GROOVE, TRAY = "#2e1a10", "#3d2518", "#4b2f20"
LINEN_LIGHT, LINEN = "#e6d5b5", "#d6c096"
LETTERING = "#f0dfc2"
GOLD = "#ffc93c"


@dataclass(frozen=True)
class Layout:
    """Where things are in a picture."""

    rules: RuleSet
    flip: bool
    coordinates: bool
    reserves: bool

    @property
    def margin(self) -> float:
        return MARGIN_WITH_COORDINATES if self.coordinates else MARGIN

    @property
    def squares_width(self) -> float:
        return (self.rules.board - 1) * PITCH + SQUARE

    @property
    def width(self) -> float:
        return self.squares_width + 2 * self.margin

    @property
    def top(self) -> float:
        """The upper edge of the squares."""
        return TRAY_HEIGHT + 2 * TRAY_GAP if self.reserves else self.margin

    @property
    def height(self) -> float:
        below = TRAY_HEIGHT + TRAY_GAP if self.reserves else 0.0
        return self.top + self.squares_width + self.margin + below

    def corner(self, square: str) -> tuple[float, float]:
        """The upper left corner of a square."""
        row, column = divmod(self.rules.square_index(square), self.rules.board)
        last = self.rules.board - 1
        right, down = (last - column, row) if self.flip else (column, last - row)
        return self.margin + right * PITCH, self.top + down * PITCH

    def centre(self, square: str) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + SQUARE / 2, y + SQUARE / 2


def furniture_definitions(layout: Layout) -> str:
    outline = box(0, 0, layout.width, layout.height, CORNER, "")
    return (
        f'<clipPath id="{ID}board">{outline}</clipPath>'
        + gradient(
            "wood", (0, 0), (0.6, 1), (0, WOOD_LIGHT, 1), (0.5, WOOD, 1), (1, WOOD_DARK, 1)
        )
        + gradient("linen", (0, 0), (1, 1), (0, LINEN_LIGHT, 1), (1, LINEN, 1))
        + gradient(
            "bevel", (0.3, 0), (0.7, 1),
            (0, GRAIN, 0.4), (0.4, GRAIN, 0.05), (0.7, "#ffffff", 0.08), (1, "#ffffff", 0.32),
        )
        + gradient(
            "hollow", (0, 0), (0, 1), (0, GRAIN, 1), (0.5, GRAIN, 0.3), (1, "#ffffff", 0.16)
        )
    )  # fmt: skip


def wooden_board(layout: Layout) -> str:
    """The board without anything on it."""
    width, height = layout.width, layout.height
    parts = [
        box(0, 0, width, height, CORNER, f'fill="url(#{ID}wood)"'),
        _grain(width, height),
        frame(0, 0, width, height, CORNER, 2, f'stroke="{GROOVE}"'),
        frame(2, 2, width - 4, height - 4, CORNER - 2, 2, 'stroke="#fff" stroke-opacity=".16"'),
    ]
    for square in layout.rules.square_names:
        x, y = layout.corner(square)
        parts += [
            box(x - 1.5, y - 1.5, SQUARE + 3, SQUARE + 3, SQUARE_CORNER + 1.5, f'fill="{GROOVE}"'),
            box(x, y, SQUARE, SQUARE, SQUARE_CORNER, f'fill="url(#{ID}linen)"'),
            frame(x, y, SQUARE, SQUARE, SQUARE_CORNER, 2.2, f'stroke="url(#{ID}bevel)"'),
        ]
        column, row = square[0], square[1]
        centre_x, centre_y = layout.centre(square)
        if layout.coordinates and column == "a":
            parts.append(glyphs(row, layout.margin / 2, centre_y, 12, LETTERING))
        if layout.coordinates and row == "1":
            bottom = layout.top + layout.squares_width + layout.margin / 2
            parts.append(glyphs(column, centre_x, bottom, 12, LETTERING))
    return "".join(parts)


def _grain(width: float, height: float) -> str:
    """Fine lines along the wood; angles that never repeat bend each one differently."""
    strokes = []
    lines = round(height / 9)
    for index in range(1, lines):
        y = index * height / lines + 2.5 * sin(index * 2.4)
        bend, swing = 5 * sin(index * 0.9), 5 * cos(index * 0.53)
        strokes.append(
            f"M0 {number(y)}C{number(width / 3)} {number(y + bend)} {number(width * 2 / 3)} "
            f"{number(y + swing)} {number(width)} {number(y + (bend - swing) / 2)}"
        )
    return (
        f'<path clip-path="url(#{ID}board)" d="{"".join(strokes)}" fill="none" '
        f'stroke="{GRAIN}" stroke-opacity=".13" stroke-width="1.4"/>'
    )


def trays(layout: Layout, scene: Scene) -> str:
    """The reserves: the nearer tray belongs to the player at the bottom of the board."""
    upper, lower = (Side.FIRST, Side.SECOND) if layout.flip else (Side.SECOND, Side.FIRST)
    bottom = layout.height - TRAY_GAP - TRAY_HEIGHT
    return _tray(layout, scene, upper, TRAY_GAP) + _tray(layout, scene, lower, bottom)


def _tray(layout: Layout, scene: Scene, side: Side, top: float) -> str:
    left, width = TRAY_GAP, layout.width - 2 * TRAY_GAP
    middle, corner = top + TRAY_HEIGHT / 2, TRAY_HEIGHT / 2
    parts = [
        box(left, top, width, TRAY_HEIGHT, corner, f'fill="{TRAY}"'),
        frame(left, top, width, TRAY_HEIGHT, corner, 2.5, f'stroke="url(#{ID}hollow)"'),
    ]
    if scene.turn == side and not scene.finished:
        parts += [
            '<g class="turn">',
            frame(left, top, width, TRAY_HEIGHT, corner, 3, f'stroke="{GOLD}"'),
            circle(5, f'fill="{GOLD}"', left + 18, middle),
            "</g>",
        ]
    slots = _slots(scene, side)
    total = sum(slot.width for slot in slots)
    scale = min(LARGEST_TRAY_SCALE, (width - TRAY_ENDS) / total)
    x = (layout.width - total * scale) / 2
    for slot in slots:
        parts.append(
            f'<g transform="translate({number(x)} {number(middle)}) scale({number(scale)})">'
            f"{slot.drawing(scene.rules)}</g>"
        )
        x += slot.width * scale
    return "".join(parts)


@dataclass(frozen=True)
class _Slot:
    """A place in a tray, in board units."""

    radius: float
    piece: Piece | None
    note: str = ""
    room: int = 0
    """Room for a note of this many characters; it stays the same when the note gets shorter."""

    @property
    def width(self) -> float:
        return 2 * self.radius + SLOT_GAP + self._note_width + (COUNT_GAP if self.room else 0)

    @property
    def _note_width(self) -> float:
        return COUNT_GLYPH * self.room

    @property
    def centre(self) -> float:
        return self.radius + SLOT_GAP / 2

    def drawing(self, rules: RuleSet) -> str:
        x = self.centre
        parts = [circle(self.radius, f'fill="{GROOVE}"', x)]
        if self.piece:
            side, size = self.piece
            parts.append(f'<use href="#{piece_name(self.piece)}" x="{number(x)}"/>')
            if rules.reserve == "nested" and size > 1:
                inside = "".join(groove(Piece(side, less), rules) for less in range(1, size))
                parts.append(f'<g transform="translate({number(x)})">{inside}</g>')
        if self.note:
            note_x = 2 * self.radius + SLOT_GAP + self._note_width / 2
            parts.append(glyphs(self.note, note_x, 0, 30, LETTERING))
        return "".join(parts)


def _slots(scene: Scene, side: Side) -> list[_Slot]:
    """The places of a tray from left to right; they do not move when pieces leave."""
    rules, tops = scene.rules, scene.reserve_tops[side]
    if rules.reserve == "nested":
        socket = piece_radius(rules.sizes, rules)
        shown = [_Slot(socket, Piece(side, size)) for size in reversed(tops)]
        return shown + [_Slot(socket, None)] * (rules.stock[0] - len(shown))
    slots = []
    for size, stock in enumerate(rules.stock, start=1):
        socket, piece, count = piece_radius(size, rules), Piece(side, size), tops.count(size)
        if is_endless(rules):
            slots.append(_Slot(socket, piece))
        elif stock > MOST_SHOWN:
            room = len(f"x{stock}")
            slots.append(_Slot(socket, piece if count else None, f"x{count}", room))
        else:
            slots += [_Slot(socket, piece)] * count + [_Slot(socket, None)] * (stock - count)
    return slots
