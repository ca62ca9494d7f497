"""Openings for matches: distinct random first moves that leave the game undecided, or a file's.

Players who always begin the same way would play one game again and again; players who begin at
random may throw the game away in the opening. So both play the same opening, once from each side.
`tournament` decides which games are played.
"""

import random
import re
from pathlib import Path
from typing import NamedTuple

from nestline.engine.players.baselines import is_decided_soon
from nestline.errors import NestlineError
from nestline.game import Game
from nestline.position import Move, Position
from nestline.record import read_record
from nestline.rules import RuleSet
from nestline.solve.table import Table

MOST_PLIES = 20

PATIENCE = 500
"""After this many attempts in a row without a new opening, there are taken to be no more."""

LARGEST_FILE = 10_000_000
"""The maximum size of a file of openings, in bytes."""


class Opening(NamedTuple):
    """Where a game begins: with these moves, from the start or from another position."""

    moves: tuple[Move, ...] = ()
    start: str | None = None
    """The other position, as text."""


def usual_plies(rules: RuleSet) -> int:
    """The usual length of openings: small boards are decided soon, so theirs are short."""
    return 2 if rules.board <= 3 else 4


def make_openings(
    rules: RuleSet, count: int, *, plies: int | None = None, seed: int = 0,
    table: Table | None = None,
) -> list[Opening]:  # fmt: skip
    """This many openings, always the same for the same seed.

    They lead to positions that differ even when mirrored or rotated, none of them decided within
    two plies; with a tablebase, only to drawn ones. If there are too few, they are repeated in the
    same order, and if there are none, openings are shorter.
    """
    wanted = usual_plies(rules) if plies is None else plies
    for length in range(wanted, -1, -1):
        found = _find(rules, count, length, random.Random(f"{seed} {length}"), table)
        if found:
            return [found[number % len(found)] for number in range(count)]
        if table:
            raise NestlineError(f"{rules.name} has no balanced opening of {length} plies")
    return [Opening()] * count


def _find(
    rules: RuleSet, count: int, plies: int, chance: random.Random, table: Table | None
) -> list[Opening]:
    found: dict[Position, Opening] = {}
    attempts = 0
    while len(found) < count and attempts < PATIENCE:
        attempts += 1
        game = _walk(rules, plies, chance)
        if game.outcome:
            continue
        position = game.position
        if position.canonical() in found or is_decided_soon(position):
            continue
        if table and table.probe(position).value != "draw":
            continue
        found[position.canonical()] = Opening(game.moves)
        attempts = 0
    return list(found.values())


def _walk(rules: RuleSet, plies: int, chance: random.Random) -> Game:
    """A game of this many random moves, fewer if they end it."""
    game = Game(rules)
    while game.ply < plies and not game.outcome:
        game.play(chance.choice(game.legal_moves()))
    return game


def read_openings(path: Path, rules: RuleSet) -> tuple[Opening, ...]:
    """The openings in a file: on each line a position, or a record, whose tags may be missing.

    Empty lines and lines that begin with # are ignored. `NestlineError` names the line of an
    opening that cannot be read or that ends the game.
    """
    found = []
    for number, text in enumerate(_read_text(path).splitlines(), 1):
        line = text.strip()
        try:
            if line and not line.startswith("#"):
                found.append(_read_opening(line, rules, path.parent))
        except NestlineError as error:
            # A record's errors begin with the number of its own line, which is always 1.
            reason = re.sub(r"^line \d+: ", "", str(error))
            raise NestlineError(f"{path}: line {number}: {reason}") from None
    if not found:
        raise NestlineError(f"{path}: this file has no opening; each line holds one")
    return tuple(found)


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise NestlineError(f"{path}: a file of openings has at most {LARGEST_FILE:,} bytes")
        return content.decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NestlineError(f"{path}: the openings cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise NestlineError(f"{path}: the openings are not UTF-8 text") from None


def _read_opening(line: str, rules: RuleSet, folder: Path) -> Opening:
    moves: tuple[Move, ...] = ()
    if "/" in line.split()[0]:
        start = Position(line, rules)
    elif re.search(r"\[\s*rules\b", line, re.IGNORECASE):
        record = read_record(line, folder)
        if record.rules.law != rules.law:
            raise NestlineError(f"this is a record of {record.rules.name}, not of {rules.name}")
        start, moves = Position(str(record.start), rules), record.moves
    else:
        record = read_record(f'[Rules "these"] {line}', find_rules=lambda _: rules)
        start, moves = record.start, record.moves
    game = Game(start=start)
    for move in moves:
        game.play(move)
    if game.outcome:
        raise NestlineError("the game is over, so there is nothing left to play")
    return Opening(moves, None if start == Position.start(rules) else str(start))
