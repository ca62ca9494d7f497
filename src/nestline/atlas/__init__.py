"""The atlas: many games of the family solved, in one table.

    from nestline.atlas import known_game

`nestline atlas` makes such a table from a grid of rules. The names below are loaded on first use.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.atlas.games import Game, read_grid, same_game
    from nestline.atlas.known import committed_atlas, known_game
    from nestline.atlas.table import Row, read_table

__all__ = [
    "Game",
    "Row",
    "committed_atlas",
    "known_game",
    "read_grid",
    "read_table",
    "same_game",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.atlas.games": "Game read_grid same_game",
        "nestline.atlas.known": "committed_atlas known_game",
        "nestline.atlas.table": "Row read_table",
    },
)
