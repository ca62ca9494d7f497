"""A board as text in the style of document 004: n characters for a piece of size n.

Colour is only added to characters that say the same without it. The caller knows whether the
terminal has colour, and what a player may see.
"""

from typing import Literal, cast

from nestline.draw.palette import contrast, terminal_colour
from nestline.draw.scene import Scene, View, is_endless, make_scene, stack_in_words
from nestline.errors import NestlineError
from nestline.position import Move, Position, Side

CELL_WIDTH, CELL_HEIGHT = 5, 3  # with one border; the piece itself is two by two characters
LEFT = 2  # the row's label and a blank
LONGEST_LIST = 12  # a loose reserve with more pieces is counted instead of listed

# Styles of single characters, as the parameters of an ANSI escape sequence.
PLAIN, FAINT, LEFT_SQUARE, LANDED_SQUARE, WINNING_SQUARE = "", "2", "33", "1;33", "1;32"

Canvas = list[list[tuple[str, str]]]


def text_board(
    position: Position,
    *,
    view: View | None = None,
    colour: bool = False,
    last_move: Move | str | None = None,
    stacks: bool = True,
    labels: Literal["letters", "numbers"] | None = None,
) -> str:
    """The board, and below it the reserves and what lies under the pieces.

    Rows are labelled as the rule set says, unless `labels` says otherwise. `view` replaces the
    stacks of the position with what a viewer may see of them. With `colour` (ANSI, 256 colours) the
    squares of the last move and of a winning line get a coloured border. The text has no trailing
    newline.

    >>> print(text_board(Position("x3/x,b1w3,x/b2,x2 w", rules="gobblers-official")))
      +----+----+----+
      |    |    |    |
    3 |    |    |    |
      +----+----+----+
      |    | RR |    |
    2 |    | R  |    |
      +----+----+----+
      | BB |    |    |
    1 |    |    |    |
      +----+----+----+
        a    b    c
    <BLANKLINE>
    Red (R) Reserve: [1, 1, 2, 2, 3]
    Blue (B) Reserve: [1, 2, 3, 3]
    <BLANKLINE>
    b2: Blue 1 under Red 3
    """
    labels = labels or cast(Literal["letters", "numbers"], position.rules.labels)
    if labels not in ("letters", "numbers"):
        raise NestlineError(f'labels can be "letters" or "numbers", not {labels!r}')
    scene = make_scene(position, view, last_move)
    letters = labels == "letters"
    lines = _rendered(_board(scene, letters), colour)
    if stacks:
        for block in (_reserves(scene, colour), _covered(scene, letters)):
            if block:
                lines += ["", *block]
    return "\n".join(lines)


def _board(scene: Scene, letters: bool) -> Canvas:
    side = scene.rules.board
    width, height = LEFT + side * CELL_WIDTH + 1, side * CELL_HEIGHT + 2
    canvas: Canvas = [[(" ", PLAIN)] * width for _ in range(height)]
    for row in range(side * CELL_HEIGHT + 1):
        for column in range(side * CELL_WIDTH + 1):
            on_row, on_column = row % CELL_HEIGHT == 0, column % CELL_WIDTH == 0
            if on_row or on_column:
                border = "+" if on_row and on_column else "-" if on_row else "|"
                canvas[row][LEFT + column] = (border, FAINT)
    for index, square in enumerate(scene.rules.square_names):
        row, column = divmod(index, side)
        row_name, column_name = _square_labels(square, letters)
        top, left = (side - 1 - row) * CELL_HEIGHT, LEFT + column * CELL_WIDTH
        canvas[top + 2][0] = (row_name, PLAIN)
        canvas[-1][left + 2] = (column_name, PLAIN)
        if square in scene.stacks:
            piece = scene.stacks[square][-1]
            symbol = scene.rules.symbols[piece.side]
            style = _player_style(scene, piece.side)
            for place in range(piece.size):
                canvas[top + 1 + place // 2][left + 2 + place % 2] = (symbol, style)
    # Stronger marks are drawn later: neighbours share their border.
    if scene.origin:
        _mark(canvas, scene, scene.origin, LEFT_SQUARE)
    if scene.target:
        _mark(canvas, scene, scene.target, LANDED_SQUARE)
    for line in scene.lines:
        for square in line:
            _mark(canvas, scene, square, WINNING_SQUARE)
    return canvas


def _mark(canvas: Canvas, scene: Scene, square: str, style: str) -> None:
    """Give the border of a square a style."""
    row, column = divmod(scene.rules.square_names.index(square), scene.rules.board)
    top, left = (scene.rules.board - 1 - row) * CELL_HEIGHT, LEFT + column * CELL_WIDTH
    for down in range(CELL_HEIGHT + 1):
        for right in range(CELL_WIDTH + 1):
            if down in (0, CELL_HEIGHT) or right in (0, CELL_WIDTH):
                character, _ = canvas[top + down][left + right]
                canvas[top + down][left + right] = (character, style)


def _rendered(canvas: Canvas, colour: bool) -> list[str]:
    """The canvas as lines without trailing blanks, each run of one style in one escape sequence."""
    lines = []
    for row in canvas:
        text, present = "", PLAIN
        last = max(index for index, (character, _) in enumerate(row) if character != " ")
        for character, style in row[: last + 1]:
            if colour and style != present:
                text += _escape(PLAIN) if present else ""
                text += _escape(style) if style else ""
                present = style
            text += character
        lines.append(text + _escape(PLAIN) if present else text)
    return lines


def _escape(style: str) -> str:
    return f"\x1b[{style or '0'}m"


def _player_style(scene: Scene, side: Side) -> str:
    """Blocks of the player's colour: they show on any background, even black on black."""
    ground = scene.rules.colours[side]
    ink = terminal_colour(contrast(ground))
    return f"1;38;5;{ink};48;5;{terminal_colour(ground)}"


def _square_labels(square: str, letters: bool) -> tuple[str, str]:
    """The labels of a square's row and column."""
    column, row = square[0], square[1]
    return (chr(ord("A") + int(row) - 1), column.upper()) if letters else (row, column)


def _reserves(scene: Scene, colour: bool) -> list[str]:
    rules = scene.rules
    if is_endless(rules):
        return []
    word = "Stacks" if rules.reserve == "nested" else "Reserve"
    lines = []
    for side in Side:
        name, symbol = rules.players[side], rules.symbols[side]
        ink = _escape(_player_style(scene, side))
        shown = f"{ink}{symbol}{_escape(PLAIN)}" if colour else symbol
        label = shown if name == symbol else f"{name} ({shown})"
        tops = scene.reserve_tops[side]
        pieces = str(list(tops))
        if rules.reserve == "loose" and len(tops) > LONGEST_LIST:
            counts = scene.reserves[side].items()
            pieces = ", ".join(f"{count} of size {size}" for size, count in counts if count)
        lines.append(f"{label} {word}: {pieces}")
    return lines


def _covered(scene: Scene, letters: bool) -> list[str]:
    lines = []
    for square, stack in scene.stacks.items():
        if len(stack) > 1:
            row, column = _square_labels(square, letters)
            lines.append(f"{column}{row}: {stack_in_words(stack, scene.rules)}")
    return lines
