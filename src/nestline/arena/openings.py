"""Openings for matches: random first moves that leave the game open, no two alike.

Players who always begin the same way would play one game again and again; players who begin at
random may throw the game away in the opening. So both get the same few random moves, once from
each side. Which games are played is `tournament`'s business.
"""

import random

from nestline.engine.players.baselines import is_decided_soon
from nestline.errors import NestlineError
from nestline.game import Game
from nestline.position import Move, Position
from nestline.rules import RuleSet
from nestline.solve.table import Table

MOST_PLIES = 20

PATIENCE = 500
"""So many attempts in a row without a new opening, and there are taken to be no more."""

Opening = tuple[Move, ...]


def usual_plies(rules: RuleSet) -> int:
    """Small boards are decided soon, so their openings are short."""
    return 2 if rules.board <= 3 else 4


def make_openings(
    rules: RuleSet, count: int, *, plies: int | None = None, seed: int = 0,
    table: Table | None = None,
) -> list[Opening]:  # fmt: skip
    """So many openings, always the same for the same seed.

    They lead to different positions, also when mirrored or turned, none of which is decided within
    two plies; with a table, only to drawn ones. Where there are too few, they are repeated in the
    same order, and where there is none, openings are shorter.
    """
    wanted = usual_plies(rules) if plies is None else plies
    for length in range(wanted, -1, -1):
        found = _find(rules, count, length, random.Random(f"{seed} {length}"), table)
        if found:
            return [found[number % len(found)] for number in range(count)]
        if table:
            raise NestlineError(f"{rules.name} has no balanced opening of {length} plies")
    return [()] * count


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
        found[position.canonical()] = game.moves
        attempts = 0
    return list(found.values())


def _walk(rules: RuleSet, plies: int, chance: random.Random) -> Game:
    """A game of so many random moves, fewer if they end it."""
    game = Game(rules)
    while game.ply < plies and not game.outcome:
        game.play(chance.choice(game.legal_moves()))
    return game
