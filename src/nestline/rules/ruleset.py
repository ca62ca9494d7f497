"""The fields of a rule set, and how they are read from a TOML file and checked.

Every difference between the games of the family is one field here; nothing else in the package asks
which game is being played. The kernel applies the fields to a position.
"""

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nestline.errors import RuleSetError, did_you_mean
from nestline.rules.design import design_file
from nestline.rules.law import (
    COVER,
    LINE_SIZES,
    MAX_BOARD,
    MAX_SIZES,
    PLACE_ONTO,
    REVEAL,
    Law,
    line_starts,
)
from nestline.rules.schema import FIELDS, OUTSIDE_PLAY, check_consistency, covers

COLUMNS = "abcd"
LARGEST_FILE = 65_536
"""The maximum size of a rule set's file in bytes; two thousand are enough."""


@dataclass(frozen=True)
class RuleSet:
    """One game of the family. The fields carry the names of the keys in the TOML file."""

    name: str
    reference: str
    """What `load_rules` takes to load this rule set again: its name, or the path of its file."""
    title: str
    summary: str
    board: int
    line: int
    line_sizes: str
    """Which sizes a line needs: any, equal ones, or ones that rise from one end to the other."""
    wrap: bool
    """Whether lines go on at the opposite edge."""
    misere: bool
    """Whether a line loses for its player instead of winning."""
    stock: tuple[int, ...]
    """Pieces per player of size 1, 2, …"""
    reserve: str
    place_onto: str
    cover: str
    """Whose pieces may be covered."""
    moving: bool
    same_square: bool
    reveal: str
    """What becomes of a move that uncovers a line of the opponent's."""
    both_lines: str
    no_move: str
    repetition: int
    draw_all_placed: bool
    draw_board_full: bool
    draw_agreement: bool
    touch_move: bool
    peek: bool
    visibility: str
    """Who sees covered pieces, unless a game says otherwise: open, peek or memory."""
    person_begins: bool
    """Whether a person who plays the computer has the first side."""
    take_back_after_end: bool
    """Whether undo can reopen a finished game."""
    players: tuple[str, str]
    symbols: tuple[str, str]
    labels: str
    """How the rows of the board are labelled: with numbers, or with letters like the columns."""
    colours: tuple[str, str]
    sources: Mapping[str, str]
    """For each field, the place in the document it comes from, or "ours: …" with the reason."""

    def __repr__(self) -> str:
        return f"load_rules({self.quoted_reference})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleSet):
            return NotImplemented
        # A rule set is loaded once, so this is mostly the same object; positions compare often.
        return self is other or (self.name == other.name and self.fields() == other.fields())

    def __hash__(self) -> int:
        return hash((self.name, self.law))

    def __reduce__(self) -> tuple[Any, ...]:
        # The mapping of sources is a read-only view, which cannot be pickled as it is.
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["sources"] = dict(self.sources)
        return _unpickle, (values,)

    def fields(self) -> dict[str, Any]:
        """The fields of the TOML file in its order: everything but name, reference, sources."""
        return {key: getattr(self, key) for key in FIELDS}

    @property
    def quoted_reference(self) -> str:
        """The reference as Python source, whatever characters are in the path."""
        return json.dumps(self.reference, ensure_ascii=False)

    @property
    def sizes(self) -> int:
        """How many sizes of pieces there are; the largest size is this number."""
        return len(self.stock)

    @property
    def squares(self) -> int:
        return self.board * self.board

    @cached_property
    def square_names(self) -> tuple[str, ...]:
        """The names of the squares in the order of their numbers: a1, b1, …, a2, …"""
        rows, columns = range(1, self.board + 1), COLUMNS[: self.board]
        return tuple(f"{column}{row}" for row in rows for column in columns)

    def square_index(self, name: str) -> int:
        """The number of a square on this board; `KeyError` for an unknown name."""
        return self._square_numbers[name]

    def square_name(self, index: int) -> str:
        return self.square_names[index]

    @cached_property
    def _square_numbers(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.square_names)}

    @cached_property
    def line_squares(self) -> tuple[tuple[str, ...], ...]:
        """All lines of this board, each as the names of its squares, without duplicates."""
        lines: dict[frozenset[int], tuple[str, ...]] = {}
        for across, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            starts = line_starts(self.board, self.line, across, up, self.wrap)
            for start in range(self.squares):
                if starts >> start & 1:
                    row, column = divmod(start, self.board)
                    squares = [
                        (row + index * up) % self.board * self.board
                        + (column + index * across) % self.board
                        for index in range(self.line)
                    ]
                    names = tuple(self.square_names[square] for square in squares)
                    lines.setdefault(frozenset(squares), names)
        return tuple(lines.values())

    @cached_property
    def law(self) -> Law:
        """The rule set as the numbers the kernel works with."""
        stock = self.stock + (0,) * (MAX_SIZES - self.sizes)
        return Law(
            board=self.board,
            line=self.line,
            sizes=self.sizes,
            stock=(stock[0], stock[1], stock[2], stock[3]),
            nested=int(self.reserve == "nested"),
            place_onto=PLACE_ONTO.index(self.place_onto),
            moving=int(self.moving),
            same_square=int(self.same_square),
            mover_wins_both=int(self.both_lines == "mover"),
            no_move_draws=int(self.no_move == "draw"),
            draw_all_placed=int(self.draw_all_placed),
            draw_board_full=int(self.draw_board_full),
            both_lines_draw=int(self.both_lines == "draw"),
            reveal=REVEAL.index(self.reveal),
            cover=COVER.index(self.cover),
            line_sizes=LINE_SIZES.index(self.line_sizes),
            wrap=int(self.wrap),
            misere=int(self.misere),
            all_squares=(1 << self.squares) - 1,
            row_starts=line_starts(self.board, self.line, 1, 0, self.wrap),
            column_starts=line_starts(self.board, self.line, 0, 1, self.wrap),
            rising_starts=line_starts(self.board, self.line, 1, 1, self.wrap),
            falling_starts=line_starts(self.board, self.line, -1, 1, self.wrap),
        )

    def makes_line(self, sizes: Sequence[int]) -> bool:
        """Whether visible pieces of these sizes, from one end to the other, make a line."""
        if self.line_sizes == "equal":
            return len(set(sizes)) == 1
        if self.line_sizes == "rising":
            return list(sizes) in (sorted(set(sizes)), sorted(set(sizes), reverse=True))
        return True

    @property
    def covers(self) -> bool:
        """Whether a piece can be covered at all."""
        return covers(self.fields())


def _unpickle(values: dict[str, Any]) -> RuleSet:
    return RuleSet(**{**values, "sources": MappingProxyType(values["sources"])})


def load_rules(reference: "str | os.PathLike[str] | RuleSet") -> RuleSet:
    """The rule set with this name, from this TOML file, or in this design.

    >>> load_rules("gobblet").players
    ('White', 'Black')
    >>> load_rules("gobblers.misere-yes.stock-3-3-3").stock
    (3, 3, 3)
    """
    if isinstance(reference, RuleSet):
        return reference
    if not isinstance(reference, (str, os.PathLike)):
        raise RuleSetError(
            f"{reference!r} is not a rule set; it takes a name, the path of a .toml file, or one "
            "that has been loaded"
        )
    text = os.fspath(reference)
    if _looks_like_a_path(text):
        return _load_file(Path(text), text, ())
    if not isinstance(reference, str):
        # When read again, a bare name would mean one of the shipped sets.
        return _load_file(Path(text), os.path.join(os.curdir, text), ())
    return _load_design(text) if is_design(text) else _load_named(text)


def is_design(text: str) -> bool:
    """Whether a text is a design, like `gobblers.stock-3-3-3`: right or wrong, but no name."""
    return (
        not _looks_like_a_path(text) and text.partition(".")[0] in _shipped_names() and "." in text
    )


@lru_cache(maxsize=512)
def _load_design(text: str) -> RuleSet:
    return _build(design_file(text), text, text, text, None, ())


@lru_cache
def rule_set_names() -> tuple[str, ...]:
    """The names of the rule sets that come with the package, simplest game first."""
    names = _shipped_names()
    rules = sorted(map(_load_named, names), key=lambda item: (item.board, item.sizes, item.name))
    return tuple(item.name for item in rules)


@lru_cache
def _shipped_names() -> list[str]:
    folder = resources.files("nestline.rules")
    return [entry.name.removesuffix(".toml") for entry in folder.iterdir()
            if entry.name.endswith(".toml")]  # fmt: skip


def _looks_like_a_path(text: str) -> bool:
    return text.endswith(".toml") or "/" in text or os.sep in text


@lru_cache
def _load_named(name: str) -> RuleSet:
    if name not in _shipped_names():
        names = rule_set_names()
        raise RuleSetError(
            f"unknown rule set {name!r}{did_you_mean(name, names)}; known are {', '.join(names)}, "
            "or the path of a .toml file"
        )
    entry = resources.files("nestline.rules") / f"{name}.toml"
    return _build(entry.read_text("utf-8"), f"{name}.toml", name, name, None, ())


def read_rules(text: str, name: str) -> RuleSet:
    """The rule set in a text like that of a file; it may inherit only from shipped sets.

    For untrusted text: no file is read, whatever the text says. To read a record of such a game
    again, the rule set's file must be beside the record, named `name` plus `.toml`.

    >>> read_rules('like = "gobblers"\\nrepetition = 0', "endless").repetition
    0
    """
    return _build(text, f"{name}.toml", name, f"{name}.toml", None, ())


def _load_file(path: Path, reference: str, ancestors: tuple[Path, ...]) -> RuleSet:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise RuleSetError(f"{reference}: the rule set cannot be read: not an ordinary file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise RuleSetError(f"{reference}: a rule set has at most {LARGEST_FILE:,} bytes")
        text = content.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RuleSetError(f"{reference}: the rule set cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise RuleSetError(f"{reference}: the rule set is not UTF-8 text") from None
    except RuleSetError:
        raise
    except ValueError as error:
        # A character that no path can contain.
        raise RuleSetError(f"{reference!r}: the rule set cannot be read: {error}") from None
    return _build(text, reference, path.stem, reference, path, ancestors)


def _build(
    text: str, file: str, name: str, reference: str, path: Path | None, ancestors: tuple[Path, ...]
) -> RuleSet:
    """Check a text and build the rule set from it; without a `path` it cannot name other files."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Besides its own error, tomllib raises others for huge numbers and deep nesting.
        raise RuleSetError(f"{file}: not valid TOML: {error}") from None
    parent = _parent(table.pop("like", None), file, path, ancestors)
    sources = _sources(table.pop("source", {}), file)
    values = {key: field.default for key, field in FIELDS.items() if field.default is not None}
    if parent:
        values.update(parent.fields())
    for key, value in table.items():
        if key not in FIELDS:
            known = ["like", *FIELDS, "source"]
            raise RuleSetError(
                f"{file}: unknown key {key!r}{did_you_mean(key, known)}; "
                f"allowed are {', '.join(known)}"
            )
        values[key] = FIELDS[key].check(file, key, value)
    for key in FIELDS:
        if key not in values:
            raise RuleSetError(
                f"{file}: the key {key!r} is missing; it takes {FIELDS[key].allowed}"
                ' (or inherit it with like = "gobblers")'
            )
    if parent:
        _drop_what_no_longer_fits(values, table, parent)
    check_consistency(file, values)
    inherited = parent.sources if parent else {}
    kept = {key: where for key, where in inherited.items() if values[key] == getattr(parent, key)}
    given = dict.fromkeys(table, file)
    return RuleSet(
        name=name,
        reference=reference,
        sources=MappingProxyType({**kept, **given, **sources}),
        **values,
    )


def _drop_what_no_longer_fits(
    values: dict[str, Any], given: Mapping[str, Any], parent: RuleSet
) -> None:
    """Drop inherited values that do not apply to the game in the file."""
    inherited = parent.fields()
    if "summary" not in given and any(
        values[key] != inherited[key] for key in FIELDS if key not in OUTSIDE_PLAY
    ):
        values["summary"] = ""
    can_peek = values["peek"] or values["visibility"] != "peek"
    if "visibility" not in given and not (can_peek and covers(values)):
        values["visibility"] = FIELDS["visibility"].default


def _parent(like: Any, file: str, path: Path | None, ancestors: tuple[Path, ...]) -> RuleSet | None:
    if like is None:
        return None
    if not isinstance(like, str):
        raise RuleSetError(
            f"{file}: like: {like!r} is not a name; allowed is a rule set's name or .toml file"
        )
    try:
        if _looks_like_a_path(like) and path is None:
            raise RuleSetError(
                f"{like!r} is a file, which cannot be read here; "
                f"allowed are {', '.join(rule_set_names())}"
            )
        if path is not None and _looks_like_a_path(like):
            return _load_relative(like, path.resolve(), ancestors)
        return _load_named(like)
    except RuleSetError as error:
        raise RuleSetError(f"{file}: like: {error}") from None


def _load_relative(like: str, here: Path, ancestors: tuple[Path, ...]) -> RuleSet:
    try:
        other = (here.parent / like).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        # A symbolic link to itself, or a character that no path can contain.
        raise RuleSetError(f"{like!r} is not the path of a file: {error}") from None
    if other in (*ancestors, here):
        raise RuleSetError(f"{like!r} leads back to {other.name}")
    return _load_file(other, str(other), (*ancestors, here))


def _sources(table: Any, file: str) -> dict[str, str]:
    if not isinstance(table, dict):
        raise RuleSetError(f'{file}: source: must be a table of field = "where it comes from"')
    for key, value in table.items():
        if key not in FIELDS:
            raise RuleSetError(
                f"{file}: source: unknown field {key!r}; allowed are {', '.join(FIELDS)}"
            )
        if not isinstance(value, str):
            raise RuleSetError(f"{file}: source.{key}: {value!r} is not a text")
    return table


__all__ = ["MAX_BOARD", "RuleSet", "is_design", "load_rules", "read_rules", "rule_set_names"]
