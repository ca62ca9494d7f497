"""The command `nestline play`: asks for what its options leave open, and starts the game.

Everything that needs the compiler is imported after the options are read. The game itself is in
`session`.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from nestline.engine.players.level_names import (
    ALIASES,
    CHILD_LEVELS,
    HIGHEST,
    MAXIMUM_SECONDS,
    PERFECT,
    RANDOM,
    child_levels,
    family_of,
    levels_of,
)
from nestline.errors import NestlineError, did_you_mean
from nestline.terminal.parameters import LEVEL, Words, complete_files, rules_option

if TYPE_CHECKING:
    from nestline.rules import RuleSet
    from nestline.terminal.game.console import Console

LARGEST_SOLVED_BOARD = 3
"""Larger boards are not offered perfect play; a smaller one may have too many pieces for it."""


def _listed(children: Sequence[str], highest: int, above: Sequence[str]) -> str:
    """Levels in a few words, weakest first, and after them those by their aliases."""
    between = [f"{children[0]} to {children[-1]}"] if children else []
    return ", ".join((RANDOM, *between, f"1 to {highest}", *above, *ALIASES))


LISTED = _listed(CHILD_LEVELS, max(HIGHEST.values()), (PERFECT, "maximum"))

DEFAULT_RULES, DEFAULT_PEOPLE, DEFAULT_LEVEL = "gobblers", 1, "medium"

Answer = TypeVar("Answer")


@click.command()
@rules_option("The game: a name, or the path of a .toml file.")
@click.option("--people", type=click.IntRange(0, 2), help="How many people play.")
@click.option(
    "--level", type=LEVEL, metavar="LEVEL", help=f"How well the computer plays: {LISTED}."
)
@click.option(
    "--first",
    type=Words(["person", "computer"]),
    help="Who begins when one person plays; by default the person.",
)
@click.option("--seed", type=int, help="Makes the computer's random choices repeatable.")
@click.option(
    "--visibility",
    type=Words(["open", "peek", "memory"]),
    help="Covered pieces are shown, can be looked at under your own pieces (where the rules allow "
    "it), or have to be remembered; by default as the rules say.",
)
@click.option(
    "--touch/--no-touch",
    default=None,
    help="Whether a touched piece must be played; by default as the rules say.",
)
@click.option(
    "--plies",
    type=click.IntRange(min=1),
    help="End the game after this many moves; by default after 200 if only the computer plays.",
)
@click.option(
    "--load",
    "file",
    metavar="FILE",
    shell_complete=complete_files,
    help="Continue the game of a record; --rules is for one that names no rule set.",
)
@click.option(
    "--game", "number", type=click.IntRange(1),
    help="Which game of the file that --load names; by default the last.",
)  # fmt: skip
@click.option("--plain", is_flag=True, help="No colour, no cursor movement.")
def play(
    rules: "RuleSet | None",
    people: int | None,
    level: str | None,
    first: str | None,
    seed: int | None,
    visibility: str | None,
    touch: bool | None,
    plies: int | None,
    file: str | None,
    number: int | None,
    plain: bool,
) -> None:
    """Play in the terminal.

    Against the computer, with a friend, or as a spectator of two computers. It asks for what the
    options leave open.
    """
    from nestline.terminal.game.console import Console

    console = Console(plain)
    if file is not None and any(option is not None for option in (visibility, touch, plies)):
        raise click.UsageError(
            "a record says how it is played: leave --visibility, --touch and --plies out beside "
            "--load"
        )
    if file is None and number is not None:
        raise click.UsageError("--game is for the games of a file; name it with --load")
    if people == 2 and (level is not None or first is not None):
        raise click.UsageError("--level and --first mean nothing when two people play")
    try:
        if file is None:
            rules = rules or _ask_rules(console)
            people = _ask_people(console) if people is None else people
            if level is None and people < 2:
                level = _ask_level(console, rules)
    except EOFError:
        console.say()
        return
    from nestline.terminal.common import prepare_rules

    prepare_rules()
    from nestline.game import Game
    from nestline.terminal.game.opponent import seat_players
    from nestline.terminal.game.records import load_game
    from nestline.terminal.game.session import Session

    if file is not None:
        game = load_game(file, number=number, rules=rules).game
        if rules and game.rules != rules:
            raise click.UsageError(
                f"{file} is a record of {game.rules.name}, not of {rules.name}; leave --rules out"
            )
    else:
        game = Game(rules, visibility=visibility, touch_move=touch, ply_limit=plies)
    seat_players(game, people, level, first)
    Session(console, game, seed).run()


def _ask(console: "Console", question: str, read: Callable[[str], Answer], default: str) -> Answer:
    """Ask until the answer is valid; `quit` is the end of the input."""
    while True:
        answer = console.ask(f"{question} [{default}]: ") or default
        if answer.lower() in ("quit", "exit"):
            raise EOFError
        try:
            return read(answer)
        except NestlineError as error:
            console.say(f"{error}.", fg="yellow")


def _ask_rules(console: "Console") -> "RuleSet":
    from nestline.rules import load_rules, rule_set_names

    names = rule_set_names()
    width = max(map(len, names))
    console.say("Which game?", bold=True)
    for number, name in enumerate(names, 1):
        console.say(f"  {number}  {name:{width}}  {load_rules(name).title}")

    def read(answer: str) -> "RuleSet":
        if answer.isdecimal():
            if not 1 <= int(answer) <= len(names):
                raise NestlineError(f"there is no game {answer}; the numbers are 1 to {len(names)}")
            return load_rules(names[int(answer) - 1])
        return load_rules(answer)

    return _ask(console, "Its number or name, or the path of your own file", read, DEFAULT_RULES)


def _ask_people(console: "Console") -> int:
    def read(answer: str) -> int:
        if answer not in ("0", "1", "2"):
            raise NestlineError(f"{answer[:40]!r} is not 0, 1 or 2")
        return int(answer)

    return _ask(console, "How many people play, 0, 1 or 2?", read, str(DEFAULT_PEOPLE))


def _levels_offered(rules: "RuleSet") -> tuple[str, ...]:
    return levels_of(rules, is_solved=rules.board <= LARGEST_SOLVED_BOARD)


def levels_in_words(rules: "RuleSet") -> str:
    """The levels that a person can choose from in a game of these rules."""
    above = [level for level in _levels_offered(rules) if level in (PERFECT, *MAXIMUM_SECONDS)]
    return _listed(child_levels(rules), HIGHEST[family_of(rules)], above)


def _ask_level(console: "Console", rules: "RuleSet") -> str:
    levels = _levels_offered(rules)
    listed = levels_in_words(rules)

    def read(answer: str) -> str:
        known = (*levels, *ALIASES)
        if answer.lower() not in known:
            near = did_you_mean(answer, known)
            raise NestlineError(f"{answer[:40]!r} is not a level{near}; levels are {listed}")
        return answer.lower()

    return _ask(console, f"The computer's level, {listed}?", read, DEFAULT_LEVEL)
