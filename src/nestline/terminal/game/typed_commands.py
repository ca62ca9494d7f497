"""The commands a person can type instead of a move, and the page that explains them.

Each command says what it takes and when it applies; what it does is in `session`.
"""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from nestline.errors import nearest
from nestline.game import Game
from nestline.terminal.game.spelling import move_examples
from nestline.terminal.width import screen_width


@dataclass(frozen=True)
class Command:
    """A command's name, what must follow it (nothing if empty), and what it does."""

    name: str
    takes: str
    does: str
    applies: Callable[[Game], bool] = lambda game: True

    @property
    def usage(self) -> str:
        return f"{self.name} {self.takes}".rstrip()


def _has_computer(game: Game) -> bool:
    return any(seat.is_computer for seat in game.seats)


COMMANDS = (
    Command("help", "", "show this page"),
    Command("board", "", "show the board again"),
    Command("moves", "", "list the legal moves; ! marks those that lose at once"),
    Command("hint", "", "show the best move, and what it is worth if that is known"),
    Command("undo", "", "take back your last move, and the computer's answer to it"),
    Command("redo", "", "play again what was taken back"),
    Command("peek", "SQUARE", "look under your own piece", lambda game: game.rules.peek),
    Command(
        "touch",
        "SQUARE",
        "touch your own piece, which you then must play",
        lambda game: game.touch_move,
    ),
    Command("draw", "", "offer a draw", lambda game: game.rules.draw_agreement),
    Command("accept", "", "agree to the draw offered", lambda game: game.rules.draw_agreement),
    Command("decline", "", "refuse the draw offered", lambda game: game.rules.draw_agreement),
    Command("resign", "", "give up the game"),
    Command("level", "NAME", "change the computer's level", _has_computer),
    Command("save", "FILE", "write the game to a file"),
    Command("append", "FILE", "add the game to the games of a file"),
    Command("load", "FILE", "go on with a game from a file: its last, or load FILE NUMBER"),
    Command("new", "", "start again: same players, same level"),
    Command("quit", "", "leave"),
)
"""All commands, in the order of the help page."""

NAMES = {command.name: command for command in COMMANDS}
OTHER_NAMES = {"?": "help", "exit": "quit"}


def find_command(word: str) -> Command | None:
    """The command that a word stands for, in any case."""
    word = word.lower()
    return NAMES.get(OTHER_NAMES.get(word, word))


def similar_command(word: str) -> str | None:
    """A command that the word is probably a misspelling of."""
    return nearest(word, NAMES)


def help_page(game: Game) -> str:
    """How to type moves in this game, and its commands."""
    rules = game.rules
    placing, moving = move_examples(rules)
    ways = [f"{placing} puts a {'mark' if rules.sizes == 1 else f'size {rules.sizes}'} there"]
    if moving:
        ways.append(f"{moving} moves a piece")
    page = [rules.summary, "", f"Type a move: {', '.join(ways)}. Or a command:", ""]
    shown = [command for command in COMMANDS if command.applies(game)]
    width = max(len(command.usage) for command in shown)
    for command in shown:
        usage = f"  {command.usage:{width}}  "
        page += textwrap.wrap(
            command.does, screen_width(), initial_indent=usage, subsequent_indent=" " * len(usage)
        )
    return "\n".join(page)
