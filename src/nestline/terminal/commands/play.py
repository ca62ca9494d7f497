"""The command `nestline play`: asks what its options leave open, and starts the game.

Everything that needs the compiler is imported after the options are read. The game itself is
`session`'s.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.errors import NestlineError

if TYPE_CHECKING:
    from nestline.rules import RuleSet
    from nestline.terminal.game.console import Console

LARGEST_SOLVED_BOARD = 3
"""Perfect play is not offered beyond; a smaller board may still have too many pieces for it."""

DEFAULT_RULES, DEFAULT_PEOPLE, DEFAULT_LEVEL = "gobblers", 1, "medium"

Answer = TypeVar("Answer")


@click.command()
@click.option("--rules", metavar="RULES", help="The game: a name, or the path of a .toml file.")
@click.option("--people", type=click.IntRange(0, 2), help="How many people play.")
@click.option(
    "--level", type=click.Choice((*LEVEL_NAMES, *ALIASES)), help="How well the computer plays."
)
@click.option(
    "--first",
    type=click.Choice(["person", "computer"]),
    help="Who begins when one person plays; the person, unless told otherwise.",
)
@click.option("--seed", type=int, help="A number that makes the computer's luck repeatable.")
@click.option(
    "--visibility",
    type=click.Choice(["open", "peek", "memory"]),
    help="Covered pieces: shown, looked at under own pieces (where the rules allow it), "
    "or remembered.",
)
@click.option(
    "--touch/--no-touch",
    default=None,
    help="Whether a touched piece must be played; as the rules say.",
)
@click.option(
    "--plies",
    type=click.IntRange(min=1),
    help="Stop after so many moves; 200 if not told, when nobody plays but the computer.",
)
@click.option("--load", "file", metavar="FILE", help="Go on with the game of a record.")
@click.option("--plain", is_flag=True, help="No colour and no cursor tricks.")
def play(
    rules: str | None,
    people: int | None,
    level: str | None,
    first: str | None,
    seed: int | None,
    visibility: str | None,
    touch: bool | None,
    plies: int | None,
    file: str | None,
    plain: bool,
) -> None:
    """Play in the terminal, against the computer, with a friend, or watch.

    What the options do not say is asked.
    """
    from nestline.terminal.game.console import Console

    console = Console(plain)
    if file is not None and any(option is not None for option in (rules, visibility, touch, plies)):
        raise click.UsageError(
            "a record says by which rules it is played: leave --rules, --visibility, --touch and "
            "--plies out beside --load"
        )
    if people == 2 and (level is not None or first is not None):
        raise click.UsageError("--level and --first mean nothing when two people play")
    rule_set = None
    try:
        if file is None:
            rule_set = _ask_rules(console) if rules is None else _load_rules(rules)
            people = _ask_people(console) if people is None else people
            if level is None and people < 2:
                level = _ask_level(console, rule_set)
    except EOFError:
        console.say()
        return
    from nestline.terminal.common import prepare_rules

    prepare_rules()
    from nestline.game import Game
    from nestline.terminal.game.opponent import seat_players
    from nestline.terminal.game.records import load_game
    from nestline.terminal.game.session import Session

    if rule_set is None:
        assert file is not None
        game = load_game(file)
    else:
        game = Game(rule_set, visibility=visibility, touch_move=touch, ply_limit=plies)
    seat_players(game, people, level, first)
    Session(console, game, seed).run()


def _ask(console: "Console", question: str, read: Callable[[str], Answer], default: str) -> Answer:
    """Ask until the answer can be read; `quit` is the end of the input."""
    while True:
        answer = console.ask(f"{question} [{default}]: ") or default
        if answer.lower() in ("quit", "exit"):
            raise EOFError
        try:
            return read(answer)
        except NestlineError as error:
            console.say(console.styled(f"{error}.", fg="yellow"))


def _load_rules(reference: str) -> "RuleSet":
    from nestline.rules import load_rules

    return load_rules(reference)


def _ask_rules(console: "Console") -> "RuleSet":
    from nestline.rules import load_rules, rule_set_names

    names = rule_set_names()
    width = max(map(len, names))
    console.say(console.styled("Which game?", bold=True))
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


def _ask_level(console: "Console", rules: "RuleSet") -> str:
    levels = LEVEL_NAMES if rules.board <= LARGEST_SOLVED_BOARD else LEVEL_NAMES[:-1]
    listed = "1 to 10, easy, medium, hard, random" + " or perfect" * (levels == LEVEL_NAMES)

    def read(answer: str) -> str:
        if answer.lower() not in (*levels, *ALIASES):
            raise NestlineError(f"{answer[:40]!r} is not a level; levels are {listed}")
        return answer.lower()

    return _ask(console, f"The computer's level, {listed}?", read, DEFAULT_LEVEL)
