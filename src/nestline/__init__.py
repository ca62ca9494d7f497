"""nestline: the Gobblet family of games, from tic-tac-toe to Gobblet, as one set of rules.

The names below are loaded on first use, so that a program that only asks for the version does not
wait for the compiler.
"""

from typing import TYPE_CHECKING

from nestline.lazy import lazy_names

if TYPE_CHECKING:
    from nestline.errors import (
        EngineFailure,
        GameError,
        IllegalMove,
        MissingExtra,
        NestlineError,
        NotationError,
        PositionError,
        RuleSetError,
        ShapeError,
        TableError,
    )
    from nestline.game import Game, Seat, Status
    from nestline.position import Position
    from nestline.record import Record, read_record, read_records, write_record, write_records
    from nestline.rules import RuleSet, load_rules, rule_set_names
    from nestline.values import Move, Outcome, Piece, Side

__version__ = "0.1.0"

__all__ = [
    "EngineFailure",
    "Game",
    "GameError",
    "IllegalMove",
    "MissingExtra",
    "Move",
    "NestlineError",
    "NotationError",
    "Outcome",
    "Piece",
    "Position",
    "PositionError",
    "Record",
    "RuleSet",
    "RuleSetError",
    "Seat",
    "ShapeError",
    "Side",
    "Status",
    "TableError",
    "load_rules",
    "read_record",
    "read_records",
    "rule_set_names",
    "write_record",
    "write_records",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nestline.errors": (
            "EngineFailure GameError IllegalMove MissingExtra NestlineError NotationError "
            "PositionError RuleSetError ShapeError TableError"
        ),
        # Where notebooks learn to show them.
        "nestline.draw.notebook": "Game Position",
        "nestline.game": "Seat Status",
        "nestline.values": "Move Outcome Piece Side",
        "nestline.record": "Record read_record read_records write_record write_records",
        "nestline.rules": "RuleSet load_rules rule_set_names",
    },
    modules=("tables",),
)
