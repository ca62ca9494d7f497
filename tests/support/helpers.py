"""What several test files need: custom rule sets, random positions, games.

Nothing here checks the package; the tests do.
"""

import json
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import naive_rules
from nestline.game import Game
from nestline.position import Move, Outcome, Position, Side
from nestline.rules import RuleSet, load_rules

Stacks = dict[str, tuple[tuple[int, int], ...]]

FIVE_NAMES = tuple(naive_rules.FIVE)

SUITES = Path(__file__).parents[1] / "suites"


class Tactic(NamedTuple):
    """A line of a tactical suite: a position with a forced win, and the moves that win fastest."""

    plies: int
    position: Position
    best: tuple[Move, ...]

    def __str__(self) -> str:
        return f"{self.plies}  {self.position}  {' '.join(map(str, self.best))}"


def read_tactics(rules: str) -> list[Tactic]:
    """The tactical suite of a rule set, made by `benchmarks/tactics.py`."""
    found = []
    for line in (SUITES / f"{rules}.tactics").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            plies, position, best = line.split("  ")
            moves = tuple(Move(move) for move in best.split())
            found.append(Tactic(int(plies), Position(position, rules), moves))
    return found


def naive_rules_of(rules: RuleSet) -> naive_rules.Rules:
    """The fields of a rule set as the naive rules take them."""
    return cast(naive_rules.Rules, rules.fields())


def toml_text(values: Mapping[str, Any], like: str | None = None) -> str:
    """The file of a rule set; all values that occur here are written alike in JSON and TOML."""
    lines = [f"like = {json.dumps(like)}"] if like else []
    for key, value in values.items():
        shown = list(value) if isinstance(value, tuple) else value
        lines.append(f"{key} = {json.dumps(shown)}")
    return "\n".join(lines) + "\n"


def custom_rules(folder: Path, like: str = "gobblers", /, **changes: Any) -> RuleSet:
    """One of the five with some fields changed, read from a file of its own."""
    path = folder / f"custom-{len(list(folder.iterdir()))}.toml"
    path.write_text(toml_text(changes, like), "utf-8")
    return load_rules(str(path))


def random_fields(chance: random.Random) -> dict[str, Any]:
    """The fields of a random rule set, without contradictions."""
    board = chance.randint(1, 4)
    sizes = chance.randint(1, 4)
    moving = chance.random() < 0.75
    reserve = chance.choice(("loose", "nested"))
    most = min(board * board, chance.choice((1, 2, 5, 8)))
    if reserve == "nested":
        stock = (chance.randint(1, most),) * sizes
    else:
        stock = tuple(chance.randint(1, most) for _ in range(sizes))
    fits = 2 * max(stock) <= board * board
    touch_move = moving and chance.random() < 0.3
    line = chance.choice((board, board, chance.randint(1, board), min(2, board)))
    odd = odd_fields(board, line, stock, moving, chance)
    covers = sizes > 1 and odd["cover"] != "none"
    if odd["cover"] == "none":
        fits = 2 * sum(stock) <= board * board
    places = {"none": ("empty",), "own": ("empty", "smaller")}
    return {
        "board": board,
        "line": line,
        "stock": stock,
        "reserve": reserve,
        "place_onto": chance.choice(places.get(odd["cover"], ("empty", "smaller", "threat"))),
        "moving": moving,
        "same_square": moving and chance.random() < 0.3,
        "both_lines": "mover"
        if odd["reveal"] == "ignored"
        else chance.choice(("opponent", "mover", "draw")),
        "no_move": chance.choice(("loses", "draw")),
        "repetition": chance.choice((0, 2, 3)) if moving else 0,
        "draw_all_placed": fits and chance.random() < 0.3,
        "draw_board_full": chance.random() < 0.4,
        "draw_agreement": chance.random() < 0.3,
        "touch_move": touch_move,
        "peek": covers and not touch_move and chance.random() < 0.3,
        **odd,
    }


PLAIN = {"wrap": False, "cover": "any", "line_sizes": "any", "reveal": "loses", "misere": False}
"""The values of `odd_fields` in the five sets."""


def odd_fields(
    board: int, line: int, stock: tuple[int, ...], moving: bool, chance: random.Random
) -> dict[str, Any]:
    """Random values of the fields in which the five sets are alike, half of them as there."""
    wrap = board > 2 and line > 1 and chance.random() < 0.3
    cover = chance.choice(("any", "any", "any", "opponent", "own", "none"))
    sizes = ["any", "any"]
    if max(stock) >= line:
        sizes.append("equal")
    if len(stock) >= line and not (wrap and line == board):
        sizes.append("rising")
    reveals = moving and len(stock) > 1 and cover in ("any", "opponent")
    reveal = chance.choice(("loses", "loses", "forbidden", "ignored")) if reveals else "loses"
    return {
        "wrap": wrap,
        "cover": cover,
        "line_sizes": chance.choice(sizes),
        "reveal": reveal,
        "misere": chance.random() < 0.25,
    }


def random_rules(folder: Path, chance: random.Random) -> RuleSet:
    """A random rule set, written to a file and read back."""
    return custom_rules(folder, **random_fields(chance))


def random_stacks(rules: RuleSet, chance: random.Random, pieces: int | None = None) -> Stacks:
    """Pieces dropped wherever they fit, in the order the reserve releases them.

    Most of these positions cannot be reached in a game: where pieces move, one player may have
    placed many more than the other, and both may have lines.
    """
    fields = naive_rules_of(rules)
    reserves = (naive_rules.full_reserve(fields), naive_rules.full_reserve(fields))
    board: naive_rules.Board = [[] for _ in range(rules.squares)]
    if pieces is None:
        most = 2 * sum(rules.stock)
        pieces = chance.choice((most, chance.randint(0, most), chance.randint(0, most)))
    spread = chance.random() < 0.4
    for number in range(pieces):
        side = chance.randint(0, 1) if rules.moving else number % 2
        tops = [stack for stack in reserves[side] if stack]
        if not tops and not rules.moving:
            break
        if not tops:
            continue
        stack = chance.choice(tops)
        fitting = [square for square in board if not any(size == stack[-1] for _, size in square)]
        if fitting:
            empty = [square for square in fitting if not square]
            square = chance.choice(empty if spread and empty else fitting)
            square.append((side, stack.pop()))
            # A piece may go under larger ones: moving pieces makes such stacks.
            square.sort(key=lambda piece: piece[1])
        elif not rules.moving:
            break
    return {rules.square_name(index): tuple(stack) for index, stack in enumerate(board) if stack}


def random_position(rules: RuleSet, chance: random.Random) -> Position:
    """A position that need not be reachable."""
    stacks = random_stacks(rules, chance)
    turn = chance.randint(0, 1) if rules.moving else sum(map(len, stacks.values())) % 2
    return Position.from_stacks(stacks, Side(turn), rules)


def walked_position(rules: RuleSet, chance: random.Random, plies: int) -> Position:
    """The position after some random moves that do not end the game; fewer if there are none."""
    position = Position.start(rules)
    for _ in range(plies):
        moves = list(position.legal_moves())
        chance.shuffle(moves)
        after = (position.play(move) for move in moves)
        following = next((found for found in after if found.outcome() is None), None)
        if following is None:
            break
        position = following
    return position


def as_pair(outcome: Outcome | naive_rules.Outcome | None) -> tuple[int | None, str] | None:
    """An outcome in a form that compares the package's with the naive rules'."""
    if outcome is None:
        return None
    return (None if outcome.winner is None else int(outcome.winner), outcome.reason)


def built_rules(**changes: Any) -> RuleSet:
    """`gobblers` with some fields changed, built without a file."""
    values = {**load_rules("gobblers").fields(), **changes}
    return RuleSet(name="built", reference="built", sources=MappingProxyType({}), **values)


def after(moves: str, rules: Any = None, **options: Any) -> Game:
    """A game in which these moves have been played."""
    game = Game(rules, **options)
    for move in moves.split():
        game.play(move, by=game.turn)
    return game


def at(text: str, rules: Any = "gobblers", **options: Any) -> Game:
    """A game that begins with this position."""
    return Game(start=Position(text, rules), **options)


def in_cuda_simulator(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a script prints in numba's CUDA simulator."""
    here = Path(__file__).parents[1]
    path = os.pathsep.join([str(here), str(here.parent / "src")])
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": path},
    )


def snapshot(game: Game) -> tuple[Any, ...]:
    """The whole state of a game, as bytes and as everybody sees it."""
    seen = (game.position, game.moves, game.positions, game.ply, game.turn, game.outcome)
    more = (game.result, game.status, game.touched, game.draw_offer, game.repetitions)
    last = (game.can_undo, game.can_redo, game.legal_moves(), game.view(), game.explain())
    return (pickle.dumps(game), vars(game).copy(), seen, more, last)


def random_positions(rules: str, count: int, seed: int) -> list[Position]:
    """Positions of random games that are not over."""
    chance = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position.start(rules)
        while position.outcome() is None:
            found.append(position)
            position = position.play(chance.choice(position.legal_moves()))
    return chance.sample(found, count)
