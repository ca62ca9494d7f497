"""A board as a PNG picture: the SVG picture, rendered by resvg.

The package resvg-py brings its own binary, so no system library is needed. It is loaded only when a
PNG is asked for.
"""

from collections.abc import Iterable

from nestline.draw.scene import View
from nestline.draw.vector import svg
from nestline.position import Move, Position


def png(
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
) -> bytes:
    """The picture of `svg`, with the same arguments, as a PNG with a transparent background."""
    import resvg_py

    drawing = svg(
        position,
        view=view,
        size=size,
        last_move=last_move,
        targets=targets,
        flip=flip,
        covered=covered,
        coordinates=coordinates,
        reserves=reserves,
    )
    return resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True)
