"""Game records in files: written atomically, and read without touching anything else.

`record` and `game` define what a record says and means; this module handles the files, and takes
care not to damage those that are not ours.
"""

import datetime
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from nestline.errors import NestlineError
from nestline.game import Game, Seat
from nestline.record import read_records, write_record
from nestline.rules import RuleSet
from nestline.system import relative_path
from nestline.terminal.common import write_file


class Loaded(NamedTuple):
    """A game from a file, and how many games the file has."""

    game: Game
    of: int


def save_game(game: Game, name: str) -> Path:
    """Write the game's record; an existing file is replaced only if it is a record too."""
    path = _path(name)
    count = _games_in(path, name)
    if count > 1:
        raise NestlineError(
            f"{name} holds {count} games, which would be lost; append FILE adds this one to them"
        )
    write_file(path, _as_text(game, path).encode())
    return path


def append_game(game: Game, name: str) -> Path:
    """Append the game's record to those already in a file."""
    path = _path(name)
    before = ""
    if _games_in(path, name):
        before = path.read_text("utf-8-sig").rstrip() + "\n\n"
    write_file(path, (before + _as_text(game, path)).encode())
    return path


def _games_in(path: Path, name: str) -> int:
    """How many records a file to be written has, 0 if it is new; other files are refused."""
    try:
        if not path.exists():
            return 0
        _require_ordinary(path)
        content = path.read_bytes()
    except OSError as error:
        raise _unusable(name, "written", error) from None
    try:
        return len(read_records(content.decode("utf-8-sig"), path.parent)) if content else 0
    except ValueError:  # not UTF-8, or no records
        raise NestlineError(
            f"{name} already exists and is not a record; choose another name"
        ) from None


def _as_text(game: Game, path: Path) -> str:
    record = game.to_record({"Date": datetime.date.today().isoformat()})
    if game.rules.reference.endswith(".toml"):
        # The record is read again from its own folder.
        reference = relative_path(game.rules.reference, path.parent)
        record = replace(record, rules=replace(game.rules, reference=reference))
    return write_record(record)


def load_game(
    name: str,
    *,
    number: int | None = None,
    rules: RuleSet | None = None,
    seats: tuple[Seat, Seat] | None = None,
) -> Loaded:
    """A game from a file: the last one, or the one with this number.

    `rules` and `seats` are the rule set and the players if the record names none.
    """
    path = _path(name)
    try:
        if path.exists():
            _require_ordinary(path)
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise _unusable(name, "read", error) from None
    except UnicodeDecodeError:
        raise NestlineError(f"{name} is not a record: it is not UTF-8 text") from None
    try:
        records = read_records(text, path.parent, rules=rules)
        if number is not None and not 1 <= number <= len(records):
            has = "one game" if len(records) == 1 else f"{len(records)} games"
            raise NestlineError(f"there is no game {number}; the file has {has}")
        record = records[-1 if number is None else number - 1]
        game = Game.from_record(record)
    except NestlineError as error:
        raise NestlineError(f"{name}: {error}") from None
    if seats and not record.tags.keys() & {"First", "Second", "FirstLevel", "SecondLevel"}:
        game.seats = seats
    return Loaded(game, len(records))


def _path(name: str) -> Path:
    if not name or not name.isprintable():
        raise NestlineError(f"{name!r} is not the name of a file")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise NestlineError(f"{name}: {error}") from None


def _require_ordinary(path: Path) -> None:
    """Refuse folders, and devices, which could be replaced by mistake or read forever."""
    if path.is_dir():
        raise NestlineError(f"{path} is a folder; name a file")
    if not path.is_file():
        raise NestlineError(f"{path} is not an ordinary file")


def _unusable(name: str, verb: str, error: OSError) -> NestlineError:
    return NestlineError(f"{name} cannot be {verb}: {(error.strerror or str(error)).lower()}")
