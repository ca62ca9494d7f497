"""Arithmetic on colours written as "#rrggbb".

The players' colours come from the rule set; this module only mixes and compares them.
"""

from functools import lru_cache
from itertools import product

LIGHT_INK, DARK_INK = "#fffaf0", "#2b211b"
_CUBE_STEPS = (0, 95, 135, 175, 215, 255)  # the levels of the 6x6x6 cube of 256-colour terminals


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0..255 each."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, other: str, share: float) -> str:
    """The colour with a share (0..1) of the other one mixed in."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def luminance(colour: str) -> float:
    """How light a colour appears, 0..1 (the relative luminance of WCAG)."""
    parts = [value / 255 for value in channels(colour)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ground: str) -> str:
    """The ink, light or dark, that is easier to read on this background."""
    # Contrast to black and to white is equal at a luminance of 0.18; people prefer light ink on
    # saturated colours well above that.
    return DARK_INK if luminance(ground) > 0.3 else LIGHT_INK


@lru_cache
def terminal_colour(colour: str) -> int:
    """The nearest of the 240 fixed colours that 256-colour terminals share (16..255)."""
    wanted = channels(colour)
    cube = {16 + index: levels for index, levels in enumerate(product(_CUBE_STEPS, repeat=3))}
    greys = {232 + step: (8 + 10 * step,) * 3 for step in range(24)}
    fixed: dict[int, tuple[int, ...]] = {**cube, **greys}

    def distance(index: int) -> int:
        red, green, blue = (a - b for a, b in zip(wanted, fixed[index], strict=True))
        # The eye is most sensitive to green and least to blue; without these weights, ivory comes
        # out pink.
        return 2 * red**2 + 4 * green**2 + blue**2

    return min(fixed, key=distance)
