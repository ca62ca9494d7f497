"""Pictures of boards: text, SVG and PNG. This package knows no rules."""

from nestline.draw.animation import animated_svg
from nestline.draw.bitmap import png
from nestline.draw.text import text_board
from nestline.draw.vector import svg

__all__ = ["animated_svg", "png", "svg", "text_board"]
