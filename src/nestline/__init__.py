"""nestline: the Gobblet family of games, from tic-tac-toe to Gobblet, as one set of rules.

The names below are loaded on first use, so that a program that only asks for the version does not
wait for the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nestline.errors import (
        EngineFailure,
        GameError,
        IllegalMove,
        NestlineError,
        NotationError,
        PositionError,
        RuleSetError,
        ShapeError,
        TableError,
    )
    from nestline.game import Game, Seat, Status
    from nestline.position import Move, Outcome, Piece, Position, Side
    from nestline.record import Record, read_record, write_record
    from nestline.rules import RuleSet, load_rules, rule_set_names

__version__ = "0.1.0"

_HOMES = {
    "nestline.errors": (
        "EngineFailure", "GameError", "IllegalMove", "NestlineError", "NotationError",
        "PositionError", "RuleSetError", "ShapeError", "TableError",
    ),
    "nestline.game": ("Game", "Seat", "Status"),
    "nestline.position": ("Move", "Outcome", "Piece", "Position", "Side"),
    "nestline.record": ("Record", "read_record", "write_record"),
    "nestline.rules": ("RuleSet", "load_rules", "rule_set_names"),
}  # fmt: skip

__all__ = [
    "EngineFailure",
    "Game",
    "GameError",
    "IllegalMove",
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
    "rule_set_names",
    "write_record",
]


def __getattr__(name: str) -> Any:
    if name == "tables":
        return import_module("nestline.tables")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
