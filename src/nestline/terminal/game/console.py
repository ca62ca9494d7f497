"""The dialogue with a person: lines out, lines in, on any terminal and through a pipe.

A capable terminal gets colour and line editing; a dumb one, or none at all, gets the same text
without them. Others decide what is said.
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
"""The part of a line that a prompt leaves free: most moves and commands fit."""


class Console:
    """Prints to standard output and reads answers from standard input.

    `plain` turns off colour and cursor control; otherwise they are used where they can be seen.
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
        """Print sentences, wrapped between words, in a `click.style` style where possible."""
        self.draw(self._styled(wrapped(text), **style))

    def draw(self, text: str) -> None:
        """Print lines of text as they are."""
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
            # Readline has to be told which characters take up no space.
            return input(f"\x01\x1b[1m\x02{prompt}\x01\x1b[0m\x02").strip()
        print(self._styled(prompt, bold=True), end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not self.typed:
            # No typed keys have shown on the screen: print them, so that the transcript is
            # complete.
            print(line.strip(), flush=True)
        return line.strip()

    def say_secretly(self, text: str, prompt: str) -> None:
        """Show a line until Enter is pressed, then erase it; without cursor control it stays."""
        self.say(text)
        if self.typed and not self.plain:
            self.ask(prompt)
            print("\x1b[2A\x1b[J", end="", flush=True)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show a remark during a wait, where it can be erased again.

        Keys pressed meanwhile are discarded; input from a pipe is not.
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
    """Python's module for line editing; importing it makes `input` use it."""
    try:
        import readline
    except ImportError:
        return None
    return readline
