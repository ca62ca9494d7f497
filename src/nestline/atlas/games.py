"""The games of a grid: every combination of values of the rules, equal games only once.

A grid is a TOML file with one or more tables `[[grid]]`, in which each field of the rules has a
value or a list of values. Combinations that contradict each other are left out.
"""

import os
import tomllib
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from nestline.errors import RuleSetError
from nestline.rules import RuleSet, read_rules
from nestline.rules.design import rules_text
from nestline.rules.schema import FIELDS, OUTSIDE_PLAY
from nestline.solve.groups.size import entries_about

LIKE = "gobblers"
"""Where the fields come from that a grid does not name."""

_OF_A_GAME_IN_PROGRESS = ("repetition", "draw_agreement", "touch_move", "peek")

PLAY_FIELDS = tuple(
    key for key in FIELDS if key not in OUTSIDE_PLAY and key not in _OF_A_GAME_IN_PROGRESS
)
"""The fields that decide moves and results in a position, and so the value of the game."""

LARGEST_GRID = 1_000_000
"""The greatest number of combinations in a grid."""


class Game(NamedTuple):
    """The values of `PLAY_FIELDS`, in their order, with one choice where several are the same."""

    values: tuple[Any, ...]

    def fields(self) -> dict[str, Any]:
        return dict(zip(PLAY_FIELDS, self.values, strict=True))

    def rules(self) -> RuleSet:
        """The game as a rule set."""
        return _built(self.fields())


def game_of(rules: RuleSet) -> Game:
    """The game that a rule set plays; rule sets that play the same have the same one.

    What belongs to a game in progress, like repetition, is left out: it changes no solution.

    >>> from nestline.rules import load_rules
    >>> game_of(load_rules("gobblet")) == game_of(load_rules("gobblet-house"))
    False
    """
    values = {key: getattr(rules, key) for key in PLAY_FIELDS}
    settle(values)
    return Game(tuple(values[key] for key in PLAY_FIELDS))


def settle(values: dict[str, Any]) -> None:
    """Take one choice where several are the same game.

    `make generate` writes this function for the page, too; so it has conditions and sums only.
    """
    stock, squares = values["stock"], values["board"] ** 2
    if not values["moving"]:
        # Nothing is ever lifted, so nobody reveals a line.
        values["both_lines"] = "opponent"
        values["same_square"] = False
        if values["no_move"] == "draw":
            # A player who has placed everything has no move, which is the same draw.
            values["draw_all_placed"] = False
        if len(stock) == 1:
            if values["no_move"] == "draw":
                values["draw_board_full"] = False
            if not values["draw_all_placed"]:
                # By turns, nobody gets to place more than half of the squares.
                values["stock"] = (min(stock[0], (squares + 1) // 2),)
    if len(stock) == 1:
        # Nothing can be covered, and a stack of one piece is no stack.
        values["place_onto"] = "empty"
        values["reserve"] = "loose"
        values["cover"] = "any"
        if values["line_sizes"] == "equal":
            values["line_sizes"] = "any"
    if values["line"] == 1:
        values["line_sizes"] = "any"
    if values["cover"] in ("own", "none") or values["reveal"] == "forbidden":
        # No line of the opponent's is ever revealed.
        values["both_lines"] = "opponent"
    if sum(stock) < values["line"]:
        # Nobody ever has a line.
        values.update(
            both_lines="opponent", reveal="loses", line_sizes="any", wrap=False, misere=False
        )
    if values["place_onto"] == "threat" and sum(stock) < values["line"] - 1:
        values["place_onto"] = "empty"
    if 2 * sum(stock) < squares:
        values["draw_board_full"] = False


def same_game(first: RuleSet, second: RuleSet) -> bool:
    """Whether two rule sets are recognised as the same game."""
    return game_of(first) == game_of(second)


def size_of_game(game: Game) -> int:
    """Roughly how many entries the solver has to look at: its placements, divided by eight."""
    fields = game.fields()
    return entries_about(fields["board"], fields["stock"])


def read_grid(path: "str | os.PathLike[str]") -> list[Game]:
    """The different games of a grid, small ones first."""
    file = os.fspath(path)
    try:
        table = tomllib.loads(Path(file).read_text("utf-8"))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RuleSetError(f"{file}: the grid cannot be read: {reason}") from None
    except ValueError as error:
        raise RuleSetError(f"{file}: not valid TOML: {error}") from None
    grids = table.pop("grid", None)
    if table or not isinstance(grids, list) or not all(isinstance(grid, dict) for grid in grids):
        raise RuleSetError(f"{file}: a grid has tables [[grid]] and nothing else")
    choices = [_choices(file, grid) for grid in grids]
    if sum(prod(map(len, grid.values())) for grid in choices) > LARGEST_GRID:
        raise RuleSetError(f"{file}: a grid has at most {LARGEST_GRID:,} combinations")
    games = {game_of(rules) for grid in choices for rules in _combinations(grid)}
    if not games:
        raise RuleSetError(f"{file}: no combination of these values is a game")
    return sorted(games, key=lambda game: (size_of_game(game), repr(game.values)))


def _choices(file: str, grid: dict[str, Any]) -> dict[str, list[Any]]:
    """For each field of a grid, its values."""
    choices = {}
    for key, given in grid.items():
        if key not in PLAY_FIELDS:
            raise RuleSetError(
                f"{file}: {key!r} is no field of a grid; allowed are {', '.join(PLAY_FIELDS)}"
            )
        values = _listed(key, given)
        if not values:
            raise RuleSetError(f"{file}: {key}: the list of values is empty")
        choices[key] = [FIELDS[key].check(file, key, value) for value in values]
    return choices


def _listed(key: str, given: Any) -> list[Any]:
    """The values of a field that may have one or several; a stock is itself a list."""
    is_list = isinstance(given, list)
    if key == "stock" and is_list and given and not any(isinstance(item, list) for item in given):
        is_list = False
    return given if is_list else [given]


def _combinations(grid: dict[str, list[Any]]) -> Iterator[RuleSet]:
    for values in product(*grid.values()):
        try:
            yield _built(dict(zip(grid, values, strict=True)))
        except RuleSetError:
            continue  # Fine one by one, impossible together.


def _built(fields: dict[str, Any]) -> RuleSet:
    """A rule set with these fields, the others as in `LIKE`; nothing of a game in progress."""
    values = {**fields, "repetition": 0, "touch_move": False, "peek": False, "visibility": "open"}
    return read_rules(rules_text(LIKE, values), "game")
