"""What each key of a rule set's file may hold, and which keys contradict each other.

An error names the file, the key, and what is allowed. `ruleset` reads files and handles
inheritance.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from nestline.errors import RuleSetError
from nestline.rules.law import MAX_BOARD, MAX_SIZES, PLACE_ONTO


class Field(NamedTuple):
    """One key: a sentence on what is allowed, and a function that returns the value or None.

    A key with a default may be omitted, so that files older than the key stay valid.
    """

    allowed: str
    read: Callable[[Any], Any]
    default: Any = None

    def check(self, file: str, key: str, value: Any) -> Any:
        result = self.read(value)
        if result is None:
            raise RuleSetError(
                f"{file}: {key}: {_shown(value)} is not allowed; it takes {self.allowed}"
            )
        return result


def _shown(value: Any) -> str:
    """The value as a TOML file writes it, near enough for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value).replace("'", '"')


def _whole_number(low: int, high: int, *extra: int) -> Callable[[Any], int | None]:
    def read(value: Any) -> int | None:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return value if is_number and (low <= value <= high or value in extra) else None

    return read


def _one_of(*words: str, default: str | None = None) -> Field:
    allowed = " or ".join(f'"{word}"' for word in words)

    def read(value: Any) -> str | None:
        return value if isinstance(value, str) and value in words else None

    return Field(allowed, read, default)


def _yes_no(default: bool | None = None) -> Field:
    return Field("true or false", lambda value: value if isinstance(value, bool) else None, default)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() and value.isprintable() else None


def _pair(pattern: str) -> Callable[[Any], tuple[str, str] | None]:
    def read(value: Any) -> tuple[str, str] | None:
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            return None
        if not all(isinstance(item, str) and re.fullmatch(pattern, item) for item in value):
            return None
        return (value[0], value[1]) if value[0].lower() != value[1].lower() else None

    return read


def _stock(value: Any) -> tuple[int, ...] | None:
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= MAX_SIZES:
        return None
    counts = [_whole_number(1, MAX_BOARD * MAX_BOARD)(item) for item in value]
    return None if None in counts else tuple(value)


VISIBILITIES = ("open", "peek", "memory")
"""Covered pieces are shown; may be looked at under own pieces; have to be remembered."""

FIELDS: dict[str, Field] = {
    "title": Field("a text of one line", _text),
    "summary": Field("a text of one line", _text),
    "board": Field(f"a whole number from 1 to {MAX_BOARD}", _whole_number(1, MAX_BOARD)),
    "line": Field("a whole number from 1 to the side of the board", _whole_number(1, MAX_BOARD)),
    "stock": Field(
        f"a list of one to {MAX_SIZES} whole numbers, the pieces of size 1, 2, …, "
        "each at least 1 and at most the squares of the board",
        _stock,
    ),
    "reserve": _one_of("loose", "nested"),
    "place_onto": _one_of(*PLACE_ONTO),
    "moving": _yes_no(),
    "same_square": _yes_no(),
    "both_lines": _one_of("opponent", "mover"),
    "no_move": _one_of("loses", "draw"),
    "repetition": Field(
        "0 (no such rule) or a whole number from 2 to 100", _whole_number(2, 100, 0)
    ),
    "draw_all_placed": _yes_no(),
    "draw_board_full": _yes_no(),
    "draw_agreement": _yes_no(),
    "touch_move": _yes_no(),
    "peek": _yes_no(),
    "visibility": _one_of(*VISIBILITIES, default="open"),
    "person_begins": _yes_no(default=False),
    "take_back_after_end": _yes_no(default=True),
    "players": Field(
        "a list of two different names of letters, digits and single blanks, none like a square",
        _pair(r"(?!.*\b[a-dA-D][1-4]\b)[^\W_]+(?:[ '-][^\W_]+)*"),
    ),
    "symbols": Field("a list of two different single letters", _pair(r"[A-Za-z]")),
    "labels": _one_of("numbers", "letters"),
    "colours": Field('a list of two different colours like "#d1495b"', _pair(r"#[0-9a-fA-F]{6}")),
}
"""Every key of a rule set's file, in the order in which it is written and shown."""

OUTSIDE_PLAY = frozenset(
    ("title", "summary", "visibility", "person_begins", "take_back_after_end", "players",
     "symbols", "labels", "colours")
)  # fmt: skip
"""Keys that affect no move and no result: names, looks, and how people set a game up."""

_CONTRADICTIONS: tuple[tuple[str, Callable[[dict[str, Any]], bool], str], ...] = (
    ("line", lambda v: v["line"] > v["board"],
     "{line} is longer than the board's side {board}; it takes a whole number from 1 to {board}"),
    ("stock", lambda v: max(v["stock"]) > v["board"] ** 2,
     "{stock} has more pieces of one size than the board has squares; each is at most {squares}"),
    ("stock", lambda v: v["reserve"] == "nested" and len(set(v["stock"])) > 1,
     '{stock} does not nest; with reserve = "nested" every size has the same number'),
    ("same_square", lambda v: v["same_square"] and not v["moving"],
     "true contradicts moving = false: pieces that never move cannot return"),
    ("repetition", lambda v: v["repetition"] > 0 and not v["moving"],
     "{repetition} contradicts moving = false: positions cannot repeat; it takes 0 there"),
    ("draw_all_placed", lambda v: v["draw_all_placed"] and 2 * max(v["stock"]) > v["board"] ** 2,
     "true contradicts stock = {stock}: the board has no room for all of them"),
    ("touch_move", lambda v: v["touch_move"] and not v["moving"],
     "true contradicts moving = false: no piece on the board can be played"),
    ("peek", lambda v: v["peek"] and len(v["stock"]) == 1,
     "true contradicts stock = {stock}: with one size nothing is ever covered"),
    ("peek", lambda v: v["peek"] and v["touch_move"],
     "true contradicts touch_move = true: a lifted piece has been touched and must be played"),
    ("visibility", lambda v: v["visibility"] == "peek" and not v["peek"],
     '"peek" contradicts peek = false: nobody may look under pieces'),
    ("visibility", lambda v: v["visibility"] != "open" and len(v["stock"]) == 1,
     "{visibility} contradicts stock = {stock}: with one size nothing is ever covered"),
)  # fmt: skip


def check_consistency(file: str, values: dict[str, Any]) -> None:
    """Refuse values that are fine one by one but impossible together."""
    for key, contradicts, message in _CONTRADICTIONS:
        if contradicts(values):
            shown = {
                name: _shown(list(v) if isinstance(v, tuple) else v) for name, v in values.items()
            }
            raise RuleSetError(
                f"{file}: {key}: {message.format(squares=values['board'] ** 2, **shown)}"
            )
