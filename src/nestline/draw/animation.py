"""A game as one SVG picture that moves by itself: no scripts, nothing to fetch.

Where motion is unwelcome, the picture shows the end of the game.
"""

from collections.abc import Iterable
from hashlib import sha256

from nestline.draw.furniture import Layout, wooden_board
from nestline.draw.scene import make_scene, scene_in_words
from nestline.draw.shapes import ID, number
from nestline.draw.vector import as_xml, check_size, contents, definitions
from nestline.errors import NestlineError
from nestline.position import Move, Position

SECONDS_A_MOVE, SECONDS_AT_THE_END = 1.2, 3.0
MOST_MOVES = 1_000


def animated_svg(
    start: Position,
    moves: Iterable[Move | str],
    *,
    size: int = 480,
    flip: bool = False,
    coordinates: bool = True,
    reserves: bool = True,
    seconds: float = SECONDS_A_MOVE,
) -> str:
    """The moves from a position, one after another, and then again from the start.

    `seconds` is how long each position is shown; the other options are those of `svg`.
    """
    check_size(size)
    if not 0.1 <= seconds <= 60:
        raise NestlineError(
            f"a move cannot be shown for {seconds:g} seconds; 0.1 to 60 are allowed"
        )
    position, scenes = start, [make_scene(start, None, None)]
    for move in moves:
        played = position.read_move(move) if isinstance(move, str) else move
        position = position.play(played)
        scenes.append(make_scene(position, None, played))
        if len(scenes) > MOST_MOVES + 1:
            raise NestlineError(f"a picture shows at most {MOST_MOVES:,} moves")
    layout = Layout(start.rules, flip, coordinates, reserves)
    title, description = scene_in_words(scenes[-1])
    frames = [
        f'<g class="{ID}frame" id="{ID}{index}">{contents(scene, layout)}</g>'
        for index, scene in enumerate(scenes)
    ]
    body = "\n".join(
        [
            f'<title id="{ID}title">{as_xml(title)}</title>',
            f'<desc id="{ID}description">{as_xml(description)}</desc>',
            f"<style>{_style(len(scenes), seconds)}</style>",
            f"<defs>{definitions(scenes, layout)}</defs>",
            wooden_board(layout),
            *frames,
        ]
    )
    prefix = f"nestline-{sha256(body.encode()).hexdigest()[:10]}-"
    height = round(size * layout.height / layout.width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{height}" '
        f'viewBox="0 0 {number(layout.width)} {number(layout.height)}" role="img" '
        f'aria-labelledby="{prefix}title {prefix}description">\n'
        f"{body.replace(ID, prefix)}\n</svg>\n"
    )


def _style(count: int, seconds: float) -> str:
    """Shows the frames in turn; without motion the last one alone."""
    total = seconds * (count - 1) + max(seconds, SECONDS_AT_THE_END)
    rules = [
        f".{ID}frame{{visibility:hidden}}#{ID}{count - 1}{{visibility:visible}}",
        "@media(prefers-reduced-motion:no-preference){",
        f".{ID}frame{{animation:{total:g}s step-end infinite}}",
    ]
    for index in range(count):
        begin = 100 * seconds * index / total
        end = 100 * seconds * (index + 1) / total if index + 1 < count else 100
        rules.append(
            f"@keyframes {ID}k{index}{{0%{{visibility:{'hidden' if index else 'visible'}}}"
            f"{begin:.3f}%{{visibility:visible}}{end:.3f}%{{visibility:hidden}}}}"
            f"#{ID}{index}{{animation-name:{ID}k{index}}}"
        )
    return "".join([*rules, "}"])
