"""Runs the terminal game in a pseudo-terminal, and says what its screen must show."""

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect

from nestline.draw import text_board
from nestline.game import Game

COMMAND = [sys.executable, "-m", "nestline", "play"]
PROMPT = r"(?:help|quit|decline)\): "
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
        self.process = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            env=environment,
            cwd=str(folder),
            timeout=TIMEOUT,
            encoding="utf-8",
            dimensions=(24, columns),
        )
        self.process.delaybeforesend = None
        self.process.ptyproc.delayafterclose = self.process.delayafterclose = 0.01
        self.process.ptyproc.delayafterterminate = 1.0
        self.start = self.read(until) if until else ""

    def read(self, until: str = PROMPT) -> str:
        self.process.expect(until)
        return _lines(self.process.before + self.process.after)

    def type(self, line: str, until: str = PROMPT) -> str:
        self.process.sendline(line)
        return self.read(until)

    def play(self, *moves: str) -> str:
        for move in moves:
            shown = self.type(move)
        return shown

    def leave(self, how: Callable[[], object]) -> int:
        """Leave by a signal, without a traceback in the output. Returns the exit status."""
        # Python's line editing misses a Ctrl-C between printing the prompt and waiting.
        time.sleep(0.5)
        how()
        return self._status()

    def quit(self) -> int:
        self.process.sendline("quit")
        return self._status()

    def _status(self) -> int:
        self.process.expect(pexpect.EOF)
        self.rest = _lines(self.process.before)
        assert "Traceback" not in self.rest
        self.process.close()
        assert self.process.signalstatus is None
        status = self.process.exitstatus
        assert isinstance(status, int)
        return status


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
