"""Games in files: written whole or not at all, and read without touching anything else.

What a record says and means is for `record` and `game`; here are the files, and care for those
that are not ours.
"""

import datetime
import re
from dataclasses import replace
from pathlib import Path

from nestline.errors import NestlineError
from nestline.game import Game, Seat
from nestline.record import read_record, write_record
from nestline.system import relative_path
from nestline.terminal.common import write_file

_RECORD_BEGINS = re.compile(rb'\s*\[\s*\w+\s*"')


def save_game(game: Game, name: str) -> Path:
    """Write the game's record; a file that is there already is replaced only if it is a record."""
    path = _path(name)
    try:
        if path.exists():
            _require_ordinary(path)
            with path.open("rb") as file:
                begin = file.read(4096)
            if begin and not _RECORD_BEGINS.match(begin):
                raise NestlineError(
                    f"{name} is there already and is no record; choose another name"
                )
    except OSError as error:
        raise _unusable(name, "written", error) from None
    record = game.to_record({"Date": datetime.date.today().isoformat()})
    if game.rules.reference.endswith(".toml"):
        # The record is read again from its own folder.
        reference = relative_path(game.rules.reference, path.parent)
        record = replace(record, rules=replace(game.rules, reference=reference))
    write_file(path, write_record(record).encode())
    return path


def load_game(name: str, seats: tuple[Seat, Seat] | None = None) -> Game:
    """The game of a record's file; `seats` are the players if the record names none."""
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
        record = read_record(text, path.parent)
        game = Game.from_record(record)
    except NestlineError as error:
        raise NestlineError(f"{name}: {error}") from None
    if seats and not record.tags.keys() & {"First", "Second", "FirstLevel", "SecondLevel"}:
        game.seats = seats
    return game


def _path(name: str) -> Path:
    if not name or not name.isprintable():
        raise NestlineError(f"{name!r} is not the name of a file")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise NestlineError(f"{name}: {error}") from None


def _require_ordinary(path: Path) -> None:
    """Refuse folders, and devices, which could be replaced by mistake or read for ever."""
    if path.is_dir():
        raise NestlineError(f"{path} is a folder; name a file")
    if not path.is_file():
        raise NestlineError(f"{path} is not an ordinary file")


def _unusable(name: str, verb: str, error: OSError) -> NestlineError:
    return NestlineError(f"{name} cannot be {verb}: {(error.strerror or str(error)).lower()}")
