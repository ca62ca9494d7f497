"""The explorer of a rule set: its lines of first moves, the file that holds them, looking them up.

Of moves that lead to images of one position only one is in the file; any position finds its lines
there, however it is mirrored or rotated. `make` fills an explorer.
"""

import json
from dataclasses import dataclass, field
from importlib import resources
from typing import NamedTuple

from nestline.engine.choices import distinct_moves
from nestline.errors import NestlineError
from nestline.position import Move, Position
from nestline.rules import RuleSet

PLIES = 2
"""The explorer knows the first moves and the replies to them."""


class OpeningsError(NestlineError):
    """A file of openings that cannot be read, or that was made in another way."""


class Line(NamedTuple):
    """The first moves of a game. Everything is told for the player who made the last of them."""

    moves: tuple[str, ...]
    score: int
    """The engine's, in hundredths of a logit, or beyond 9,000 a forced result."""
    depth: int
    """The depth to which the positions after it were searched, in plies from the start of the
    search."""
    nodes: int
    """How many nodes were searched for the score."""
    best: tuple[str, ...]
    """How the game goes on with best play, as far as the engine saw."""
    played: int = 0
    won: int = 0
    drawn: int = 0


class Choice(NamedTuple):
    """A move in a position of the explorer, the others that symmetry makes equal, and its line."""

    move: Move
    alike: list[Move]
    line: Line


@dataclass
class Explorer:
    """What is known about the first moves of a rule set."""

    rules: RuleSet
    player: str
    """The player of the games, described as for `nestline match`."""
    seed: int
    games: int = 0
    lines: dict[tuple[str, ...], Line] = field(default_factory=dict)

    def put(self, line: Line) -> None:
        self.lines[line.moves] = line

    def choices(self, position: Position) -> list[Choice]:
        """What is known about the moves of a position, the best first."""
        known = {self._after(line.moves).canonical(): line for line in self.lines.values()}
        found = [
            Choice(move, alike, known[after])
            for move, alike in distinct_moves(position).items()
            if (after := position.play(move).canonical()) in known
        ]
        return sorted(found, key=lambda choice: (-choice.line.score, choice.line.moves))

    def _after(self, moves: tuple[str, ...]) -> Position:
        position = Position.start(self.rules)
        for move in moves:
            position = position.play(move)
        return position

    def to_text(self) -> str:
        """The file: JSON, one line of moves to a line of text."""
        rows = ",\n".join(
            json.dumps([" ".join(moves), score, depth, nodes, " ".join(best), played, won, drawn])
            for moves, score, depth, nodes, best, played, won, drawn in sorted(self.lines.values())
        )
        facts = {
            "rules": self.rules.name, "player": self.player, "seed": self.seed, "games": self.games
        }  # fmt: skip
        return f'{json.dumps(facts)[:-1]}, "lines": [\n{rows}\n]}}\n'


def read_explorer(text: str, rules: RuleSet) -> Explorer:
    """The explorer in a file; `OpeningsError` if it is none, or one of another game."""
    try:
        facts = json.loads(text)
        name = facts["rules"]
        found = Explorer(rules, facts["player"], facts["seed"], facts["games"])
        for moves, score, depth, nodes, best, *counts in facts["lines"]:
            line = Line(tuple(moves.split()), score, depth, nodes, tuple(best.split()), *counts)
            found.put(line)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise OpeningsError(
            "this is no file of openings, which `nestline openings make RULES` writes"
        ) from None
    if name != rules.name:
        raise OpeningsError(f"these are openings of {name}, not of {rules.name}")
    return found


def published_explorer(rules: RuleSet) -> Explorer | None:
    """The explorer that comes with the package, if there is one for this rule set."""
    folder = resources.files("nestline.web") / "static" / "study" / "openings"
    file = folder / f"{rules.name}.json"
    return read_explorer(file.read_text("utf-8"), rules) if file.is_file() else None
