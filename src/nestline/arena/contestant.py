"""Contestants: what the players of a match are before the games begin, and the kinds there are.

This module also has the options that descriptions of players share. The kinds of this package are
in `builtin_contestants`; `descriptions` finds out which of them a text describes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from nestline.engine.players.player import Player
from nestline.engine.search.engine import Limits
from nestline.errors import NestlineError
from nestline.rules import RuleSet


class Contestant(ABC):
    """A player as described, not yet made: all that a worker needs, perhaps on another machine.

    It is pickled, so files are read when the description is.
    """

    threads = 1
    """How many cores it uses."""
    needs_table = False
    """Whether it plays by the tablebase of a solved rule set."""
    is_foreign = False
    """Whether it is an external program, which can fail without a fault of ours."""
    digest: str | None = None
    """What distinguishes contestants with the same description, such as a checksum of a file."""

    @abstractmethod
    def make(self, rules: RuleSet, limits: Limits, seed: int) -> Player:
        """The player for one game, closed after it."""


class Kind(NamedTuple):
    """A kind of player: how it is written, and how its arguments are parsed.

    `read` gets the text after the colon (empty without one) and the folder that relative paths
    start from; it raises `NestlineError` for what it cannot use.
    """

    usage: str
    read: Callable[[str, Path], Contestant]


def read_options(text: str, allowed: Mapping[str, Callable[[str], Any]]) -> dict[str, Any]:
    """The options of a text like `nodes=1000,threads=2`, each parsed by its function.

    >>> read_options("nodes=1000", {"nodes": whole_number(1, 10_000)})
    {'nodes': 1000}
    """
    found: dict[str, Any] = {}
    for item in text.split(",") if text else []:
        key, equals, value = (part.strip() for part in item.partition("="))
        if key not in allowed:
            raise NestlineError(f"unknown option {key!r}; allowed are {', '.join(allowed)}")
        if not equals or not value:
            raise NestlineError(f"{key} needs a value, like {key}=…")
        if key in found:
            raise NestlineError(f"{key} stands twice")
        try:
            found[key] = allowed[key](value)
        except NestlineError as error:
            raise NestlineError(f"{key}: {error}") from None
    return found


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A function that reads a whole number within bounds."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and low <= int(text[:20]) <= high:
            return int(text)
        raise NestlineError(f"{text!r} is not a whole number from {low} to {high}")

    return read


def yes_or_no(text: str) -> bool:
    """Read `yes` or `no`."""
    if text not in ("yes", "no"):
        raise NestlineError(f"{text!r} is neither yes nor no")
    return text == "yes"


MOST_NODES, MOST_DEPTH, MOST_MILLISECONDS = 10**12, 60, 10**7

LIMIT_OPTIONS: dict[str, Callable[[str], int]] = {
    "movetime": whole_number(1, MOST_MILLISECONDS),
    "nodes": whole_number(1, MOST_NODES),
    "depth": whole_number(1, MOST_DEPTH),
}
"""The limits on thinking about a move; `movetime` in milliseconds."""


def limits_from(options: Mapping[str, Any]) -> Limits | None:
    """The limits among these options; None if there are none."""
    if not options.keys() & LIMIT_OPTIONS.keys():
        return None
    milliseconds = options.get("movetime")
    return Limits(
        seconds=None if milliseconds is None else milliseconds / 1000,
        depth=options.get("depth"),
        nodes=options.get("nodes"),
    )
