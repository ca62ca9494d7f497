"""What a puzzle is, and the file that holds the puzzles of a rule set."""

import json
from typing import NamedTuple

from nestline.errors import NestlineError

ATTEMPTS = 24
"""How often a puzzle was tried when it was graded: four times by each of the levels 1 to 6."""


class PuzzleError(NestlineError):
    """A file of puzzles that cannot be read, or a puzzle that is not sound."""


class Puzzle(NamedTuple):
    """A position, the winning line, and how many of the `ATTEMPTS` failed.

    In the line the moves alternate, the solver's first and last; the other side holds out as long
    as it can. Every move of the solver's but the last is the only one that wins in time.
    """

    position: str
    line: tuple[str, ...]
    fails: int

    @property
    def plies(self) -> int:
        return len(self.line)


def write_puzzles(rules: str, puzzles: list[Puzzle]) -> str:
    """The file of some puzzles: JSON, one puzzle to a line, the easiest first."""
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.fails, puzzle.plies, puzzle.position))
    rows = ",\n".join(
        json.dumps([puzzle.position, " ".join(puzzle.line), puzzle.fails]) for puzzle in ordered
    )
    return f'{{"rules": "{rules}", "attempts": {ATTEMPTS}, "puzzles": [\n{rows}\n]}}\n'


def read_puzzles(text: str) -> tuple[str, list[Puzzle]]:
    """The name of the rule set of a file, and its puzzles."""
    try:
        facts = json.loads(text)
        return facts["rules"], [
            Puzzle(position, tuple(line.split()), fails)
            for position, line, fails in facts["puzzles"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PuzzleError(
            "this is no file of puzzles, which `nestline puzzles RULES` writes"
        ) from None
