"""The conversation with a person: lines out, lines in, on any terminal and through a pipe.

With a good terminal there is colour and line editing; a dumb one, or none at all, gets the same
words without. What is said is the business of others.
"""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import ModuleType
from typing import Any

import click

from nestline.system import enable_escape_sequences, ignored_keys
from nestline.terminal.width import wrapped

ROOM_TO_TYPE = 8
"""What a prompt leaves of its line: most moves and commands fit."""


class Console:
    """Says and asks things on standard output and standard input.

    `plain` forbids colour and cursor tricks; without it they are used where they can be seen.
    """

    def __init__(self, plain: bool = False) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                # A stray byte is a mistyped move, and no reason to stop.
                stream.reconfigure(errors="replace")
        self.plain = plain or not enable_escape_sequences()
        self.typed = sys.stdin.isatty()
        self._readline = _line_editing() if self.typed and not self.plain else None

    def say(self, text: str = "", **style: Any) -> None:
        """Print sentences, broken at words, in a style of `click.style` where there are styles."""
        self.draw(self._styled(wrapped(text), **style))

    def draw(self, text: str) -> None:
        """Print a text of lines as they are."""
        print(text, flush=True)

    def _styled(self, text: str, **style: Any) -> str:
        return text if self.plain or not style else click.style(text, **style)

    def ask(self, prompt: str) -> str:
        """Print the prompt and read a line; `EOFError` at the end of the input."""
        *above, prompt = wrapped(prompt.rstrip(), room=ROOM_TO_TYPE).split("\n")
        for line in above:
            self.draw(self._styled(line, bold=True))
        prompt += " "
        if self._readline:
            # Readline has to be told which characters take no room.
            return input(f"\x01\x1b[1m\x02{prompt}\x01\x1b[0m\x02").strip()
        print(self._styled(prompt, bold=True), end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not self.typed:
            # Nobody's keys have shown on the screen: write them, so that a transcript is whole.
            print(line.strip(), flush=True)
        return line.strip()

    def say_secretly(self, text: str, prompt: str) -> None:
        """Show a line until Enter is pressed, then wipe it out; without cursor tricks it stays."""
        self.say(text)
        if self.typed and not self.plain:
            self.ask(prompt)
            print("\x1b[2A\x1b[J", end="", flush=True)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show a remark while something takes its time, where it can be taken away again.

        Keys pressed meanwhile are thrown away; what comes through a pipe is not.
        """
        with ignored_keys() if self.typed else nullcontext():
            if not self.plain:
                print(click.style(text, dim=True), end="", flush=True)
            try:
                yield
            finally:
                if not self.plain:
                    print("\r\x1b[K", end="", flush=True)


def _line_editing() -> ModuleType | None:
    """Python's module for line editing; its import is what makes `input` use it."""
    try:
        import readline
    except ImportError:
        return None
    return readline
