"""Pictures of games for the environments: text, an array of pixels, or text on the terminal.

The drawing itself is in `draw`. Pictures show everything, including what the players may not see.
"""

import io
import sys
from typing import Any

import numpy as np

from nestline.draw import png, text_board
from nestline.errors import GameError
from nestline.position import Move, Position

RENDER_MODES = ("ansi", "rgb_array", "human")
PIXELS = 480
"""Width of a picture."""


def check_mode(mode: str | None) -> str | None:
    """The render mode of that name; `GameError` if there is none."""
    if mode is not None and mode not in RENDER_MODES:
        raise GameError(f"render modes are {', '.join(RENDER_MODES)} and None, not {mode!r}")
    return mode


def render(position: Position, mode: str | None, last_move: Move | None = None) -> Any:
    """The picture in one of the modes; `human` prints it and returns None."""
    if mode == "ansi":
        return text_board(position, last_move=last_move)
    if mode == "rgb_array":
        return _pixels(png(position, size=PIXELS, last_move=last_move))
    if mode == "human":
        colour = sys.stdout.isatty()
        print(text_board(position, colour=colour, last_move=last_move), end="\n\n", flush=True)
    return None


def _pixels(picture: bytes) -> Any:
    """A transparent PNG over white, as an array (height, width, 3) of bytes."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        white = Image.new("RGBA", image.size, "white")
        white.alpha_composite(image.convert("RGBA"))
        return np.asarray(white.convert("RGB"), np.uint8)
