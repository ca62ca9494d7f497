"""The tactical suites of the 4x4 sets: forced wins in 3 to 11 plies, and how many are found.

`python benchmarks/tactics.py make gobblet` regenerates `tests/suites/gobblet.tactics`. Two careless
players, who see immediate wins and losses and otherwise play for lines with a good deal of chance,
play games; then `prove` examines the winner's turns backwards from the end of each game. The same
seed gives the same file. `python benchmarks/tactics.py run --seconds 0.1` prints how many of each
length the search solves, that is, plays one of the moves that win soonest.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from nestline import Game, Move, Position
from nestline.engine.prove.prover import Prover
from nestline.engine.search.engine import Engine, Limits
from support.helpers import SUITES, Tactic, read_tactics

RULES = ("gobblet", "gobblet-house")
WANTED = ({3: 60, 5: 60, 7: 60, 9: 60}, {11: 6})
"""How many positions of each length, in plies, a suite has. The longest are looked for apart, since
that goes further back in each game and takes longer."""
LENGTHS = [plies for lengths in WANTED for plies in lengths]
MOST_BEST_MOVES = 4
LONGEST_GAME = 60
HEADER = """\
# Forced wins of the player to move: plies, position, the moves that win in so many plies.
# Made by: python benchmarks/tactics.py make {rules}
"""


def judge(position: Position) -> float:
    """Roughly how far the player who has just moved is ahead in lines."""
    score = 0.0
    shown = {square: stack[-1] for square, stack in position.stacks.items()}
    for line in position.rules.line_squares:
        owners = [shown[square].side for square in line if square in shown]
        for side in set(owners):
            weight = owners.count(side) ** 2 - 2 * owners.count(side.other)
            score += weight if side != position.turn else -weight
    return score + sum(piece.size for piece in shown.values() if piece.side != position.turn)


def careless_move(position: Position, prover: Prover, chance: random.Random) -> Move:
    """A move that wins at once if there is one, and otherwise avoids losing at once if it can."""
    after = {move: position.play(move) for move in position.legal_moves()}
    moves = sorted(after, key=lambda move: judge(after[move]) + chance.gauss(0, 4), reverse=True)
    for move in moves:
        outcome = after[move].outcome()
        if outcome and outcome.winner == position.turn:
            return move
    for move in moves:
        if after[move].outcome() is None and not prover.prove(after[move], 1).win:
            return move
    return moves[0]


def careless_game(rules: str, prover: Prover, chance: random.Random) -> list[Position]:
    positions = [Position.start(rules)]
    while positions[-1].outcome() is None and len(positions) < LONGEST_GAME:
        position = positions[-1]
        positions.append(position.play(careless_move(position, prover, chance)))
    return positions


def best_moves(position: Position, plies: int, prover: Prover) -> tuple[Move, ...]:
    """The moves that win in this many plies, the fewest possible."""
    best = []
    for move in position.legal_moves():
        after = position.play(move)
        if after.outcome() is None and prover.prove(after, plies - 1, position.turn).win:
            best.append(move)
    return tuple(best)


def tactics_of(
    positions: list[Position], wanted: dict[int, int], prover: Prover
) -> dict[int, Tactic]:
    """For each length, the winner's last turn in a game from which that many plies win."""
    found: dict[int, Tactic] = {}
    outcome = positions[-1].outcome()
    for position in reversed(positions[:-1]):
        if outcome is None or position.turn != outcome.winner:
            continue
        proof = prover.prove(position, max(wanted))
        if proof.plies is None:
            break
        if proof.plies in wanted and proof.plies not in found:
            best = best_moves(position, proof.plies, prover)
            if len(best) <= MOST_BEST_MOVES:
                found[proof.plies] = Tactic(proof.plies, position, best)
    return found


def make_suite(rules: str, wanted: dict[int, int], seed: int = 1) -> list[Tactic]:
    chance = random.Random(f"{rules} {seed}")
    prover = Prover(rules)
    suite: list[Tactic] = []
    seen: set[Position] = set()
    left = Counter(wanted)
    games = 0
    while any(left.values()):
        games += 1
        game = careless_game(rules, prover, chance)
        for plies, tactic in tactics_of(game, wanted, prover).items():
            canonical = tactic.position.canonical()
            if left[plies] and canonical not in seen:
                seen.add(canonical)
                suite.append(tactic)
                left[plies] -= 1
        print(f"\r{rules}: {games} games, left {dict(left)}   ", end="", file=sys.stderr)
    print(file=sys.stderr)
    return sorted(suite, key=lambda tactic: (tactic.plies, str(tactic.position)))


def solved(rules: str, choose: Callable[[Position], Move]) -> dict[int, tuple[int, int, float]]:
    """For each length: how many were solved, of how many, and the longest time for one."""
    figures = dict.fromkeys(LENGTHS, (0, 0, 0.0))
    for tactic in read_tactics(rules):
        began = time.perf_counter()
        is_right = choose(tactic.position) in tactic.best
        seconds = time.perf_counter() - began
        count, of, longest = figures[tactic.plies]
        figures[tactic.plies] = (count + is_right, of + 1, max(longest, seconds))
    return figures


def by_engine(rules: str, limits: Limits) -> Callable[[Position], Move]:
    engine = Engine(rules, seed=1)

    def choose(position: Position) -> Move:
        engine.forget()
        return engine.think(Game(start=position), limits).move

    return choose


def by_prover(rules: str) -> Callable[[Position], Move]:
    def choose(position: Position) -> Move:
        return Prover(rules).prove(position, max(LENGTHS)).line[0]

    return choose


@click.group()
def tactics() -> None:
    """Make the tactical suites, or count how many positions are solved."""


@tactics.command()
@click.argument("rules", type=click.Choice(RULES))
def make(rules: str) -> None:
    """Write the suite of RULES."""
    suite = [tactic for wanted in WANTED for tactic in make_suite(rules, wanted)]
    lines = [HEADER.format(rules=rules)] + [f"{tactic}\n" for tactic in suite]
    (SUITES / f"{rules}.tactics").write_text("".join(lines), "utf-8")


@tactics.command()
@click.option("--seconds", default=0.1, show_default=True, help="Time for each position.")
@click.option("--nodes", type=int, help="Instead of a time, where other programs are running.")
@click.option("--rules", type=click.Choice(RULES), multiple=True, default=RULES)
@click.option("--prover", is_flag=True, help="Let the exhaustive search play, for comparison.")
def run(seconds: float, nodes: int | None, rules: tuple[str, ...], prover: bool) -> None:
    """Print how many positions are solved within a limit for each."""
    limits = Limits(nodes=nodes) if nodes else Limits(seconds=seconds)
    for name in rules:
        choose = by_prover(name) if prover else by_engine(name, limits)
        choose(read_tactics(name)[0].position)  # Loads the compiled search.
        for plies, (count, of, longest) in solved(name, choose).items():
            print(f"{name:14} wins in {plies}: {count} of {of} solved, longest {longest:.2f} s")


if __name__ == "__main__":
    tactics()
