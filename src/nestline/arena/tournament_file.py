"""Tournaments in TOML files, validated when they are read.

An error names the file, the key, and what is allowed. `tournament` says what the keys mean for the
games.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from nestline.arena.contestant import (
    MOST_DEPTH,
    MOST_MILLISECONDS,
    MOST_NODES,
    limits_from,
)
from nestline.arena.descriptions import LONGEST, read_contestant
from nestline.arena.openings import MOST_PLIES, read_openings
from nestline.arena.sprt import Sprt
from nestline.arena.tournament import (
    MOST_ROUNDS,
    PLY_LIMIT,
    USUAL_LIMITS,
    Entry,
    Pairing,
    Tournament,
    all_pairings,
)
from nestline.errors import NestlineError
from nestline.rules import load_rules

LARGEST_FILE = 1_000_000
"""The maximum size of a tournament file, in bytes."""

ALL, FIRST = "all", "first"
"""Pairings: round robin; gauntlet, the first player against each of the others."""


class _Key(NamedTuple):
    """What is allowed, in words, and how to parse it; `read` returns None for anything else."""

    allowed: str
    read: Callable[[Any], Any]


def _number(low: int, high: int) -> _Key:
    def read(value: Any) -> int | None:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return value if is_number and low <= value <= high else None

    return _Key(f"a whole number from {low} to {high}", read)


def _text(value: Any) -> str | None:
    is_text = isinstance(value, str) and value.strip() and value.isprintable()
    return value if is_text and len(value) <= LONGEST else None


def _yes_no(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _elo(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and -10_000 <= value <= 10_000 else None


def _two_numbers(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    low, high = map(_elo, value)
    return None if low is None or high is None else (low, high)


def _pairings(value: Any) -> Any:
    if value in (ALL, FIRST):
        return value
    if not isinstance(value, list) or not value:
        return None
    is_list = all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair)
        for pair in value
    )
    return [tuple(pair) for pair in value] if is_list else None


def _table(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


_TEXT = _Key("a text of one line", _text)

_KEYS = {
    "rules": _Key("a rule set's name, or the path of its .toml file", _text),
    "players": _Key('a table with a player for each name, like strong = "engine"', _table),
    "pairings": _Key(
        f'"{ALL}", "{FIRST}" (the first player against the others), or a list of pairs of names',
        _pairings,
    ),
    "rounds": _number(1, MOST_ROUNDS),
    "limits": _Key("a table with some of movetime (milliseconds), nodes, depth", _table),
    "seed": _number(0, 2**63 - 1),
    "openings": _Key("a table with file, or some of plies, balanced", _table),
    "ply_limit": _number(1, 10_000),
    "anchor": _Key("the name of a player", _text),
    "anchor_rating": _Key("a number", _elo),
    "sprt": _Key("a list of two Elo values, the lower one first", _two_numbers),
}
_LIMITS = {
    "movetime": _number(1, MOST_MILLISECONDS),
    "nodes": _number(1, MOST_NODES),
    "depth": _number(1, MOST_DEPTH),
}
_OPENINGS = {
    "file": _Key("the path of a file with an opening on each line", _text),
    "plies": _number(0, MOST_PLIES),
    "balanced": _Key("true or false", _yes_no),
}
_NEEDED = ("rules", "players", "rounds")


def load_tournament(path: Path) -> Tournament:
    """Read a tournament file; paths in it are relative to its folder."""
    table = _read(path)
    values = _checked(str(path), "", table, _KEYS)
    for key in _NEEDED:
        if key not in values:
            allowed = _KEYS[key].allowed
            raise NestlineError(f"{path}: the key {key!r} is missing; it takes {allowed}")
    limits = _checked(str(path), "limits.", values.get("limits", {}), _LIMITS)
    openings = _checked(str(path), "openings.", values.get("openings", {}), _OPENINGS)
    entries = {}
    for name in values["players"]:
        if _text(name) is None:
            raise NestlineError(f"{path}: players: {name!r} is not a name of one line")
    for name, text in _checked(
        str(path), "players.", values["players"], dict.fromkeys(values["players"], _TEXT)
    ).items():
        with _place(path, f"players.{name}"):
            entries[name] = Entry(text, read_contestant(text, path.parent))
    reference = values["rules"]
    if reference.endswith(".toml"):
        reference = str(path.parent / reference)
    with _place(path, "rules"):
        rules = load_rules(reference)
    with _place(path, "openings.file"):
        file = openings.get("file")
        given = read_openings(path.parent / file, rules) if file else ()
    with _place(path, "sprt"):
        sprt = Sprt(*values["sprt"]) if "sprt" in values else None
    with _place(path):
        return Tournament(
            rules=rules,
            entries=entries,
            pairings=_pairings_of(values.get("pairings", ALL), entries),
            rounds=values["rounds"],
            limits=limits_from(limits) or USUAL_LIMITS,
            seed=values.get("seed", 0),
            opening_plies=openings.get("plies"),
            balanced=openings.get("balanced", False),
            openings=given,
            ply_limit=values.get("ply_limit", PLY_LIMIT),
            anchor=values.get("anchor"),
            anchor_rating=values.get("anchor_rating", 0.0),
            sprt=sprt,
        )


@contextmanager
def _place(path: Path, key: str = "") -> Iterator[None]:
    """Prefix the message of an error with the file and the key."""
    try:
        yield
    except NestlineError as error:
        raise NestlineError(f"{path}: {key + ': ' if key else ''}{error}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise NestlineError(f"{path}: the tournament cannot be read: not an ordinary file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise NestlineError(f"{path}: a tournament has at most {LARGEST_FILE:,} bytes")
        return tomllib.loads(content.decode("utf-8-sig"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NestlineError(f"{path}: the tournament cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise NestlineError(f"{path}: the tournament is not UTF-8 text") from None
    except NestlineError:
        raise
    except (ValueError, RecursionError) as error:
        raise NestlineError(f"{path}: not valid TOML: {error}") from None


def _checked(
    file: str, place: str, table: Mapping[str, Any], keys: Mapping[str, _Key]
) -> dict[str, Any]:
    """The values of a TOML table, each checked as its key demands."""
    found = {}
    for key, value in table.items():
        if key not in keys:
            known = ", ".join(keys)
            raise NestlineError(f"{file}: unknown key {place + key!r}; allowed are {known}")
        read = keys[key].read(value)
        if read is None:
            raise NestlineError(
                f"{file}: {place}{key}: {value!r} is not allowed; it takes {keys[key].allowed}"
            )
        found[key] = read
    return found


def _pairings_of(value: Any, entries: Mapping[str, Entry]) -> tuple[Pairing, ...]:
    if value == ALL:
        return all_pairings(entries)
    if value == FIRST:
        names = list(entries)
        return tuple((names[0], other) for other in names[1:])
    return tuple(value)
