"""Runs the terminal game in a pseudo-terminal, and says what its screen must show."""

import os
import re
import signal
import sys
import termios
import time
from pathlib import Path

import pexpect
from pexpect.fdpexpect import fdspawn

from nestline.draw import text_board
from nestline.game import Game
from support.forks import Fork

COMMAND = [sys.executable, "-m", "nestline", "play"]
PROMPT = r"(?:help|quit|decline)\): "
CONTROL_C, CONTROL_D = "\x03", "\x04"
TIMEOUT = 180  # seconds; the first start on a busy machine compiles


class Terminal:
    """The game in a pseudo-terminal; `type` returns the output up to the next prompt."""

    def __init__(
        self, folder: Path, *arguments: str, term: str = "dumb", until: str = PROMPT,
        columns: int = 80,
    ):  # fmt: skip
        environment = {**os.environ, "TERM": term, "PYTHONPATH": os.pathsep.join(sys.path)}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):  # Those of whoever runs the tests.
            environment.pop(name, None)
        master, slave = os.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        self._program = Fork(
            "play", *arguments, environment=environment, folder=folder, terminal=slave
        )
        os.close(slave)
        self._screen = fdspawn(master, timeout=TIMEOUT, encoding="utf-8")
        self._screen.delaybeforesend = None
        self.start = self.read(until) if until else ""

    def read(self, until: str = PROMPT) -> str:
        self._screen.expect(until)
        return _lines(self._screen.before + self._screen.after)

    def press(self, keys: str) -> None:
        self._screen.send(keys)

    def type(self, line: str, until: str = PROMPT) -> str:
        self._screen.sendline(line)
        return self.read(until)

    def play(self, *moves: str) -> str:
        for move in moves:
            shown = self.type(move)
        return shown

    def leave(self, keys: str = "") -> int:
        """Leave by these keys, without a traceback in the output. Returns the exit status."""
        # Python's line editing misses a Ctrl-C between printing the prompt and waiting.
        time.sleep(0.5)
        self.press(keys)
        return self._status()

    def quit(self) -> int:
        self._screen.sendline("quit")
        return self._status()

    def _status(self) -> int:
        self._screen.expect(pexpect.EOF)
        self.rest = _lines(self._screen.before)
        assert "Traceback" not in self.rest
        return self._program.wait(TIMEOUT)

    def close(self) -> None:
        """Hang up, which ends a game that still runs."""
        self._screen.close()
        self._program.send_signal(signal.SIGKILL)
        self._program.wait(TIMEOUT)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "")


def _picture(game: Game) -> str:
    """The board the terminal must show, without covered pieces."""
    tops = {square: stack[-1:] for square, stack in game.position.stacks.items()}
    return text_board(game.position, view=tops)


def shows(shown: str, game: Game) -> bool:
    """Whether the output has the picture of the game, with or without covered pieces beside it."""
    alone = re.sub(r"    (Covered pieces|\w\w: \w\d over .*)", "", shown)
    return _picture(game) in alone


def computer_moves(shown: str) -> list[str]:
    return re.findall(r" plays ([^.\n]+)\.\n", shown)
