"""What each key of a rule set's file may hold, and which keys contradict each other.

An error names the file, the key, and what is allowed. `ruleset` reads files and handles
inheritance.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from nestline.errors import RuleSetError
from nestline.rules.law import COVER, LINE_SIZES, MAX_BOARD, MAX_SIZES, PLACE_ONTO, REVEAL


class Field(NamedTuple):
    """One key: a sentence on what is allowed, and a function that returns the value or None.

    A key with a default may be omitted, so that files older than the key stay valid.
    """

    allowed: str
    read: Callable[[Any], Any]
    default: Any = None
    kind: str = "text"
    """What a form asks for: a choice, a number, counts of pieces, a pair of texts, or a text."""
    choices: tuple[Any, ...] = ()
    """The values of a choice or a number."""
    pattern: str = ""
    """What each text of a pair looks like."""

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


def _number(allowed: str, low: int, high: int, *extra: int) -> Field:
    choices = (*extra, *range(low, high + 1))
    return Field(allowed, _whole_number(low, high, *extra), kind="number", choices=choices)


def _one_of(*words: str, default: str | None = None) -> Field:
    allowed = " or ".join(f'"{word}"' for word in words)

    def read(value: Any) -> str | None:
        return value if isinstance(value, str) and value in words else None

    return Field(allowed, read, default, "choice", words)


def _yes_no(default: bool | None = None) -> Field:
    def read(value: Any) -> bool | None:
        return value if isinstance(value, bool) else None

    return Field("true or false", read, default, "choice", (True, False))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() and value.isprintable() else None


def _pair(allowed: str, pattern: str) -> Field:
    def read(value: Any) -> tuple[str, str] | None:
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            return None
        if not all(isinstance(item, str) and re.fullmatch(pattern, item) for item in value):
            return None
        return (value[0], value[1]) if value[0].lower() != value[1].lower() else None

    return Field(allowed, read, kind="pair", pattern=pattern)


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
    "board": _number(f"a whole number from 1 to {MAX_BOARD}", 1, MAX_BOARD),
    "line": _number("a whole number from 1 to the side of the board", 1, MAX_BOARD),
    "line_sizes": _one_of(*LINE_SIZES, default="any"),
    "wrap": _yes_no(default=False),
    "misere": _yes_no(default=False),
    "stock": Field(
        f"a list of one to {MAX_SIZES} whole numbers, the pieces of size 1, 2, …, "
        "each at least 1 and at most the squares of the board",
        _stock,
        kind="counts",
    ),
    "reserve": _one_of("loose", "nested"),
    "place_onto": _one_of(*PLACE_ONTO),
    "cover": _one_of(*COVER, default="any"),
    "moving": _yes_no(),
    "same_square": _yes_no(),
    "reveal": _one_of(*REVEAL, default="loses"),
    "both_lines": _one_of("opponent", "mover", "draw"),
    "no_move": _one_of("loses", "draw"),
    "repetition": _number("0 (no such rule) or a whole number from 2 to 100", 2, 100, 0),
    "draw_all_placed": _yes_no(),
    "draw_board_full": _yes_no(),
    "draw_agreement": _yes_no(),
    "touch_move": _yes_no(),
    "peek": _yes_no(),
    "visibility": _one_of(*VISIBILITIES, default="open"),
    "person_begins": _yes_no(default=False),
    "take_back_after_end": _yes_no(default=True),
    "players": _pair(
        "a list of two different names of letters, digits and single blanks, none like a square",
        r"(?!.*(?<!\w)[a-dA-D][1-4](?!\w))[^\W_]+(?:[ '-][^\W_]+)*",
    ),
    "symbols": _pair("a list of two different single letters", r"[A-Za-z]"),
    "labels": _one_of("numbers", "letters"),
    "colours": _pair('a list of two different colours like "#d1495b"', r"#[0-9a-fA-F]{6}"),
}
"""Every key of a rule set's file, in the order in which it is written and shown."""

OUTSIDE_PLAY = frozenset(
    ("title", "summary", "visibility", "person_begins", "take_back_after_end", "players",
     "symbols", "labels", "colours")
)  # fmt: skip
"""Keys that affect no move and no result: names, looks, and how people set a game up."""


def covers(values: dict[str, Any]) -> bool:
    """Whether a piece can be covered at all."""
    return len(values["stock"]) > 1 and values["cover"] != "none"


_CONTRADICTIONS: tuple[tuple[str, Callable[[dict[str, Any]], bool], str], ...] = (
    ("line", lambda v: v["line"] > v["board"],
     "{line} is longer than the board's side {board}; it takes a whole number from 1 to {board}"),
    ("line_sizes", lambda v: v["line_sizes"] == "equal" and max(v["stock"]) < v["line"],
     '"equal" contradicts stock = {stock}: nobody has {line} pieces of one size'),
    ("line_sizes", lambda v: v["line_sizes"] == "rising" and len(v["stock"]) < v["line"],
     '"rising" contradicts stock = {stock}: a line of {line} needs {line} sizes'),
    ("line_sizes", lambda v: v["line_sizes"] == "rising" and v["wrap"] and v["line"] == v["board"],
     '"rising" contradicts wrap = true: a line that goes round the board has no end to rise to'),
    ("wrap", lambda v: v["wrap"] and (v["board"] < 3 or v["line"] == 1),
     "true contradicts board = {board}, line = {line}: going over the edge adds no line there"),
    ("stock", lambda v: max(v["stock"]) > v["board"] ** 2,
     "{stock} has more pieces of one size than the board has squares; each is at most {squares}"),
    ("stock", lambda v: v["reserve"] == "nested" and len(set(v["stock"])) > 1,
     '{stock} does not nest; with reserve = "nested" every size has the same number'),
    ("place_onto", lambda v: v["place_onto"] != "empty" and v["cover"] == "none",
     '{place_onto} contradicts cover = "none": nothing may be covered; it takes "empty"'),
    ("place_onto", lambda v: v["place_onto"] == "threat" and v["cover"] == "own",
     '"threat" contradicts cover = "own": it would cover pieces of the opponent\'s'),
    ("reveal", lambda v: v["reveal"] != "loses" and not v["moving"],
     "{reveal} contradicts moving = false: pieces that never move reveal nothing"),
    ("reveal", lambda v: v["reveal"] != "loses" and not (covers(v) and v["cover"] != "own"),
     "{reveal} contradicts stock = {stock}, cover = {cover}: no piece of the opponent's is ever "
     "covered"),
    ("both_lines", lambda v: v["both_lines"] != "mover" and v["reveal"] == "ignored",
     '{both_lines} contradicts reveal = "ignored": only the line of the mover counts; it takes '
     '"mover"'),
    ("same_square", lambda v: v["same_square"] and not v["moving"],
     "true contradicts moving = false: pieces that never move cannot return"),
    ("repetition", lambda v: v["repetition"] > 0 and not v["moving"],
     "{repetition} contradicts moving = false: positions cannot repeat; it takes 0 there"),
    ("draw_all_placed", lambda v: v["draw_all_placed"] and 2 * max(v["stock"]) > v["board"] ** 2,
     "true contradicts stock = {stock}: the board has no room for all of them"),
    ("draw_all_placed", lambda v: v["draw_all_placed"] and v["cover"] == "none"
     and 2 * sum(v["stock"]) > v["board"] ** 2,
     'true contradicts stock = {stock}, cover = "none": the board has no room for all of them'),
    ("touch_move", lambda v: v["touch_move"] and not v["moving"],
     "true contradicts moving = false: no piece on the board can be played"),
    ("peek", lambda v: v["peek"] and len(v["stock"]) == 1,
     "true contradicts stock = {stock}: with one size nothing is ever covered"),
    ("peek", lambda v: v["peek"] and not covers(v),
     'true contradicts cover = "none": nothing is ever covered'),
    ("peek", lambda v: v["peek"] and v["touch_move"],
     "true contradicts touch_move = true: a lifted piece has been touched and must be played"),
    ("visibility", lambda v: v["visibility"] == "peek" and not v["peek"],
     '"peek" contradicts peek = false: nobody may look under pieces'),
    ("visibility", lambda v: v["visibility"] != "open" and len(v["stock"]) == 1,
     "{visibility} contradicts stock = {stock}: with one size nothing is ever covered"),
    ("visibility", lambda v: v["visibility"] != "open" and not covers(v),
     '{visibility} contradicts cover = "none": nothing is ever covered'),
)  # fmt: skip


def contradictions(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The keys whose values are fine one by one but impossible together, each with the reason."""
    for key, contradicts, message in _CONTRADICTIONS:
        if contradicts(values):
            shown = {
                name: _shown(list(v) if isinstance(v, tuple) else v) for name, v in values.items()
            }
            yield key, message.format(squares=values["board"] ** 2, **shown)


def check_consistency(file: str, values: dict[str, Any]) -> None:
    """Refuse values that contradict each other."""
    for key, message in contradictions(values):
        raise RuleSetError(f"{file}: {key}: {message}")
