"""The table of an atlas: one row for each game, as CSV and as Parquet.

A row is appended as soon as its game is solved, so an interrupted run resumes where it stopped.
"""

import csv
import io
import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from nestline.atlas.games import PLAY_FIELDS, Game
from nestline.errors import NestlineError, missing_extra
from nestline.rules.schema import FIELDS

FACTS = ("value", "distance", "won", "drawn", "lost", "reachable", "longest_win", "longest_loss",
         "first_moves", "stuck")  # fmt: skip
HEADER = (*PLAY_FIELDS, *FACTS)


class AtlasError(NestlineError):
    """A file is not the table of an atlas; the message says what is wrong with it."""


class Row(NamedTuple):
    """A solved game. Values are those of the player who begins, distances are in plies."""

    game: Game
    value: str
    """"win", "draw" or "loss": the result of the game when both play well."""
    distance: int | None
    """How long it takes; None for a draw."""
    won: int
    """How many placements are won for the player to move, not reduced by symmetry."""
    drawn: int
    lost: int
    reachable: int
    """How many positions can be reached, up to symmetry."""
    longest_win: int
    """The longest win among all placements; 0 if there is none."""
    longest_loss: int
    first_moves: tuple[str, ...]
    """The best first moves, one of each kind up to symmetry."""
    stuck: bool
    """Whether a player can be without a move; if not, the field `no_move` does not matter."""

    @property
    def decided(self) -> float:
        """The share of the placements that are not drawn."""
        return (self.won + self.lost) / max(1, self.won + self.drawn + self.lost)


def _text(value: Any) -> str:
    """A value in the file; stocks read like 2-2-2."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return "" if value is None else str(value)


def _cells(row: Row) -> list[str]:
    facts = {**row._asdict(), "first_moves": " ".join(row.first_moves)}
    return [_text(value) for value in row.game.values] + [_text(facts[key]) for key in FACTS]


def _line(cells: Iterable[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def table_text(rows: Iterable[Row]) -> str:
    """The whole table as CSV."""
    return _line(HEADER) + "".join(_line(_cells(row)) for row in rows)


def append_row(path: Path, row: Row) -> None:
    """Add a row to a file, which gets a header if it is new."""
    with path.open("a", encoding="utf-8", newline="") as file:
        if file.tell() == 0:
            file.write(_line(HEADER))
        file.write(_line(_cells(row)))


def cut_torn_line(path: Path) -> None:
    """Remove what an interrupted run has left of a last line."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as file:
            file.truncate(whole)


def begin_appending(path: Path) -> list[Row]:
    """Make a table ready for `append_row`, and return its rows.

    The table may have a torn last line, or columns of a version that knew fewer fields.
    """
    cut_torn_line(path)
    rows = read_table(path)
    with path.open(encoding="utf-8") as file:
        is_current = file.readline() == _line(HEADER)
    if not is_current:
        temporary = path.with_name(f".{path.name}.part")
        temporary.write_text(table_text(rows), "utf-8", newline="")
        temporary.replace(path)
    return rows


def read_table(path: "str | os.PathLike[str]") -> list[Row]:
    """The rows of a CSV file; fields it does not have yet take their default."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise AtlasError(f"{os.fspath(path)}: the table cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise AtlasError(f"{os.fspath(path)}: the table is not UTF-8 text") from None
    return parse_table(text, os.fspath(path))


def parse_table(text: str, file: str) -> list[Row]:
    """The rows of a table."""
    reader = csv.DictReader(io.StringIO(text))
    names = reader.fieldnames or []
    missing = [
        name for name in HEADER
        if name not in names and (name in FACTS or FIELDS[name].default is None)
    ]  # fmt: skip
    if missing:
        raise AtlasError(f"{file}: not a table of an atlas: the column {missing[0]!r} is missing")
    rows = []
    for number, cells in enumerate(reader, start=2):
        try:
            rows.append(_row(cells))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise AtlasError(f"{file}: line {number} is not a row of an atlas") from None
    return rows


def _row(cells: dict[str, str]) -> Row:
    values = tuple(
        _field(key, cells[key]) if key in cells else FIELDS[key].default for key in PLAY_FIELDS
    )
    if cells["value"] not in ("win", "draw", "loss"):
        raise ValueError
    return Row(
        game=Game(values),
        value=cells["value"],
        distance=int(cells["distance"]) if cells["distance"] else None,
        won=int(cells["won"]),
        drawn=int(cells["drawn"]),
        lost=int(cells["lost"]),
        reachable=int(cells["reachable"]),
        longest_win=int(cells["longest_win"]),
        longest_loss=int(cells["longest_loss"]),
        first_moves=tuple(cells["first_moves"].split()),
        stuck={"yes": True, "no": False}[cells["stuck"]],
    )


def _field(key: str, text: str) -> Any:
    """A field's value from its cell."""
    if key == "stock":
        return tuple(map(int, text.split("-")))
    number = int(text) if text.isdigit() else None
    for value in ({"yes": True, "no": False}.get(text), number, text):
        if value is not None and (read := FIELDS[key].read(value)) is not None:
            return read
    raise ValueError(text)


def write_parquet(path: Path, rows: list[Row]) -> None:
    """The same table as a Parquet file."""
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise missing_extra("writing Parquet", "data", error) from None
    columns: dict[str, list[Any]] = {name: [] for name in HEADER}
    for row in rows:
        facts = {**row.game.fields(), **row._asdict()}
        for name in HEADER:
            value = facts[name]
            columns[name].append(list(value) if isinstance(value, tuple) else value)
    parquet.write_table(pyarrow.table(columns), path, compression="zstd")
